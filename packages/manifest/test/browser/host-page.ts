import { createDedicatedWorkerEvaluator, createFrameEvaluator } from '../../src/browser/evaluator.ts';

/** The script of a test's page: both evaluators, to be called from the test. */
Object.assign(globalThis, {
  evaluators: {
    frame: createFrameEvaluator({ frameUrl: '/frame.html' }),
    worker: createDedicatedWorkerEvaluator({ createWorker: () => new Worker('/worker.js') }),
  },
});
