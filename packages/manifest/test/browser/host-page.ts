import { createDedicatedWorkerEvaluator, createFrameEvaluator } from '../../src/browser/evaluator.ts';

/** Script of the test page: exposes both evaluators to the test. */
Object.assign(globalThis, {
  evaluators: {
    frame: createFrameEvaluator({ frameUrl: '/frame.html' }),
    worker: createDedicatedWorkerEvaluator({ createWorker: () => new Worker('/worker.js') }),
  },
});
