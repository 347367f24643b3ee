import type { RecordedNotice, RecordedStep, Recording } from '@drawbridge/page/recorder';
import { isObject } from '@drawbridge/protocol/manifest';
import type { SurfaceHost } from '../host.ts';

export type WalkRecorder = Awaited<ReturnType<typeof recordWalk>>;

/** Records a person's actions on a surface across documents. */
export async function recordWalk(host: SurfaceHost, onStep: (step: RecordedStep) => void = () => {}) {
  const steps: RecordedStep[] = [];
  const begin = () => host.callPage('record.start', []);
  const stopListening = host.onEvent((event) => {
    // A document that has already left is ignored: the next one reports `ready`.
    if (event.kind === 'ready') void begin().catch(() => undefined);
    const step = event.kind === 'notice' ? readStep(event.notice) : undefined;
    if (step === undefined) return;
    steps.push(step);
    onStep(step);
  });
  const at = await begin();
  const start = isObject(at) && typeof at['url'] === 'string' ? at['url'] : host.surface().url;
  return {
    async stop(): Promise<Recording> {
      const last = readRecording(await host.callPage('record.stop', []));
      stopListening();
      return { start, steps: [...steps, ...last.steps], end: last.end };
    },
  };
}

/** Trusted: notices and answers come from our own page code. */
function readStep(notice: object): RecordedStep | undefined {
  return Reflect.get(notice, 'type') === 'recorded' ? (notice as RecordedNotice).step : undefined;
}

const readRecording = (answer: unknown): Recording => answer as Recording;
