import type { Page } from '@drawbridge/page';
import type { RecorderCalls } from '../record/recorder-calls.ts';
import type { Cleaner } from './cleaner.ts';
import type { LeavingLog } from './leaving-log.ts';
import type { Overlays } from './overlays.ts';

/** What the page side of a primitive works with. */
export interface InPageScene {
  readonly window: Window & typeof globalThis;
  readonly document: Document;
  readonly page: Page;
  readonly cleaner: Cleaner;
  readonly leaving: LeavingLog;
  readonly overlays: Overlays;
  readonly recorder: RecorderCalls;
}
