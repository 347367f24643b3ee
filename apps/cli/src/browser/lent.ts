import type { MapSource } from '@drawbridge/runtime';
import type { CdpBrowser } from '@drawbridge/runtime/cdp';
import type { DataFolder } from '../live/data-folder.ts';
import type { EventLog, LiveEvent } from './event-log.ts';

/** What there is to lend, and who is told of it. */
export interface Loan {
  readonly browser: CdpBrowser;
  readonly maps: MapSource;
  readonly data: DataFolder;
  readonly log: EventLog;
  readonly tell: (event: LiveEvent) => void;
}

/** A browser that is lent. */
export interface Lent {
  /** It ended by itself; with what went wrong, if something did. */
  readonly over: Promise<string | undefined>;
  readonly close: () => Promise<void>;
}
