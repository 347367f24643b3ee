import { createPage } from '@drawbridge/page';
import { createRecorderCalls, type RecordedNotice, type RecorderCalls } from './recorder-calls.ts';

declare global {
  /** Given by the test. */
  var recorderTold: ((notice: RecordedNotice) => Promise<void>) | undefined;
  var recorderCalls: RecorderCalls;
}

/** What runs inside the pages of the tests: the page code, and a recorder on top of it. */
globalThis.recorderCalls = createRecorderCalls({
  document,
  page: createPage({ window }),
  tell: (notice) => void globalThis.recorderTold?.(notice),
});
