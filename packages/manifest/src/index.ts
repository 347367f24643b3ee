export type {
  Cancellation,
  Clock,
  EvaluationLimits,
  Evaluator,
  Found,
  PageProbe,
  RunPrimitive,
} from './host.ts';
