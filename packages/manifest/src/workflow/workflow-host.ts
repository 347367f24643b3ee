import type { Clock } from '@drawbridge/base';
import type { Evaluator, RunPrimitive } from '../host.ts';
import type { WorkflowRun } from './run.ts';
import type { Redact } from './trace.ts';

export interface WorkflowHost {
  readonly runPrimitive: RunPrimitive;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** The current page; a run of another page is refused. */
  readonly runtimeKey?: string;
  /**
   * Stores the run, before a primitive is sent to the page and after its answer. A run contains its input and
   * outputs unredacted, secrets included: only its trace may be shown.
   */
  readonly save?: (run: WorkflowRun) => void | Promise<void>;
  /**
   * Reads the page again after the steps, even when the workflow has no postcondition, because a projection
   * may have one. Throws `state_postcondition_failed` when a condition does not hold.
   */
  readonly checkPostcondition?: CheckPostcondition;
  /** A read-only primitive may run again when the page left before its answer. */
  readonly isReadOnly?: (primitive: string) => boolean;
  readonly redact?: Redact;
}

export type CheckPostcondition = (declared: unknown, made: PostconditionScope) => Promise<void>;

export interface PostconditionScope {
  readonly input: unknown;
  readonly steps: unknown;
  readonly output: unknown;
}

/**
 * Result of a primitive that made the page leave, or lost it while running. With an output, the primitive
 * answered first.
 */
export class PageLeft {
  readonly output: unknown;

  constructor(output?: unknown) {
    this.output = output;
  }
}

const LOOKING =
  /^(locator|dom\.observe)\.|^(page\.info|dom\.snapshot_text|dom\.list_sections|a11y\.(tree|query))$/;

export const isReadOnly = (primitive: string): boolean => LOOKING.test(primitive);
