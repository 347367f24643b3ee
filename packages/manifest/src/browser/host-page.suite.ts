import { createDedicatedWorkerEvaluator, createFrameEvaluator } from './evaluator.ts';

/** Script of a test page with both evaluators as globals. */
Object.assign(globalThis, {
  evaluators: {
    frame: createFrameEvaluator({ frameUrl: '/frame.html' }),
    worker: createDedicatedWorkerEvaluator({ createWorker: () => new Worker('/worker.js') }),
  },
});
