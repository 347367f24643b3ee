import type { Cancellation, Clock, Evaluator, RunPrimitive } from '../host.ts';
import type { WorkflowRun } from './run.ts';
import type { Redact } from './trace.ts';

/** All that a run needs from the world. */
export interface WorkflowHost {
  readonly runPrimitive: RunPrimitive;
  readonly evaluator: Evaluator;
  readonly clock: Clock;
  readonly cancellation?: Cancellation;
  /** The page at hand; a run of another page is refused. */
  readonly runtimeKey?: string;
  /**
   * Stores the run. Called before a primitive is given to the page and after it answered. A run holds its
   * input and outputs as they are, secrets included: only its trace is fit to be shown.
   */
  readonly save?: (run: WorkflowRun) => void | Promise<void>;
  /**
   * Reads the page again after the steps, also when the workflow itself declares no postcondition: a
   * projection may. Fails with `state_postcondition_failed` when something does not hold.
   */
  readonly checkPostcondition?: CheckPostcondition;
  /** Whether a primitive only looks: such a one may be run again when the page left before it answered. */
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
 * What a primitive gives when it made the page leave, or lost it while it ran. With an output, the
 * primitive is known to have answered first.
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
