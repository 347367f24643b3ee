import type { Pairing } from '../wire.ts';
import type { WorkerPort } from './worker-link.ts';

/** Chrome APIs used by the pages, replaceable in tests. */
export interface PagePorts {
  readonly connect: () => WorkerPort;
  /** This page's window. */
  readonly windowId: () => Promise<number>;
  /** Fixed for a page that was opened for one tab. */
  readonly tabId: number | undefined;
  readonly pairing: () => Promise<Pairing | undefined>;
  readonly onPairing: (listener: () => void) => () => void;
  /** Chrome asks the person; must be called within a click. Resolves false if denied. */
  readonly askForSite: (url: string) => Promise<boolean>;
  readonly openOptions: () => void;
  readonly openTab: (url: string) => void;
  readonly showTab: (tabId: number) => void;
}
