import { createPage } from '@drawbridge/page';
import { createRecorderCalls, type RecordedNotice, type RecorderCalls } from '@drawbridge/page/recorder';

declare global {
  /** Set by the test. */
  var recorderTold: ((notice: RecordedNotice) => Promise<void>) | undefined;
  var recorderCalls: RecorderCalls;
}

/** Code inside the test pages: page code with a recorder. */
globalThis.recorderCalls = createRecorderCalls({
  document,
  page: createPage({ window }),
  send: (notice) => void globalThis.recorderTold?.(notice),
});
