export {
  type BrowserEvaluatorOptions,
  createDedicatedWorkerEvaluator,
  createFrameEvaluator,
  type DedicatedWorkerOptions,
  type FrameEvaluatorOptions,
} from './evaluator.ts';
export { serveFrame } from './evaluator-frame.ts';
