export { createWorkerEvaluator, type WorkerEvaluatorOptions } from './evaluator.ts';
