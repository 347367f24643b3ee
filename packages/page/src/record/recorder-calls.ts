import { createRecorder, type Recorder, type RecorderOptions } from './recorder.ts';
import type { RecordedStep, Recording } from './recording.ts';

/** Notices that a page sends while it is recorded. */
export interface RecordedNotice {
  readonly type: 'recorded';
  readonly step: RecordedStep;
}

/** The recorder's calls for a host; at most one per document. */
export interface RecorderCalls {
  /** Returns the document's address. A second start changes nothing. */
  readonly 'record.start': () => { readonly url: string };
  readonly 'record.stop': () => Recording;
  readonly close: () => void;
}

export interface RecorderCallsOptions extends Omit<RecorderOptions, 'send'> {
  readonly send?: (notice: RecordedNotice) => void;
}

export function createRecorderCalls({ document, page, send }: RecorderCallsOptions): RecorderCalls {
  let recorder: Recorder | undefined;
  const started = (): Recorder => {
    recorder ??= createRecorder({
      document,
      page,
      ...(send && { send: (step: RecordedStep) => send({ type: 'recorded', step }) }),
    });
    return recorder;
  };
  const stop = (): Recording => {
    const recording = started().stop();
    recorder = undefined;
    return recording;
  };
  return {
    'record.start': () => ({ url: started().start }),
    'record.stop': stop,
    close() {
      if (recorder !== undefined) stop();
    },
  };
}
