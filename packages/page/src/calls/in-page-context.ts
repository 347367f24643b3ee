import type { Page } from '../page.ts';
import type { PageInternals } from '../page-internals.ts';
import type { RecorderCalls } from '../record/recorder-calls.ts';
import type { FormHold } from './form-hold.ts';
import type { LeavingLog } from './leaving-log.ts';
import type { LooseSecrets } from './loose-secrets.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { Overlays } from './overlays.ts';
import type { WebTools } from './web-tools.ts';

/** Context of the page side of a primitive. */
export interface InPageContext {
  readonly window: Window & typeof globalThis;
  readonly document: Document;
  readonly page: Page;
  /** Elements by id, and the masking of secrets. */
  readonly pageInternals: PageInternals;
  readonly leaving: LeavingLog;
  readonly formHold: FormHold;
  readonly looseSecrets: LooseSecrets;
  readonly overlays: Overlays;
  readonly recorder: RecorderCalls | undefined;
  readonly webTools: WebTools;
  readonly offeredTools: OfferedTools;
}
