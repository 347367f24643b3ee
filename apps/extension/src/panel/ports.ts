import type { Pairing } from '../wire.ts';
import type { WorkerPort } from './worker-link.ts';

/** All that the pages ask of Chrome, so that a test can stand in for it. */
export interface PagePorts {
  readonly connect: () => WorkerPort;
  /** The window that this page belongs to. */
  readonly windowId: () => Promise<number>;
  /** A page that was opened for one tab stays with it. */
  readonly tabId: number | undefined;
  readonly pairing: () => Promise<Pairing | undefined>;
  readonly onPairing: (listener: () => void) => () => void;
  /** Chrome asks the person, who must have clicked just before. False: they said no. */
  readonly askForSite: (url: string) => Promise<boolean>;
  readonly openOptions: () => void;
  readonly openTab: (url: string) => void;
  readonly showTab: (tabId: number) => void;
}
