import type { MapSource } from '@drawbridge/runtime';
import type { CdpBrowser } from '@drawbridge/runtime/cdp';
import type { DataFolder } from '../live/data-folder.ts';
import type { EventLog, LiveEvent } from './event-log.ts';

/** A browser to lend, and its event listener. */
export interface Loan {
  readonly browser: CdpBrowser;
  readonly maps: MapSource;
  readonly data: DataFolder;
  readonly log: EventLog;
  /** Cookies and storage keys whose values agents may read; absent: no developer tools unasked. */
  readonly inspectKeys: readonly string[] | undefined;
  /** Pages' own agents may use the maps' tools (WebMCP). */
  readonly offerToPage: boolean;
  readonly report: (event: LiveEvent) => void;
}

export interface Lent {
  /** Resolves when it ended by itself, with an error if there was one. */
  readonly over: Promise<string | undefined>;
  readonly close: () => Promise<void>;
}
