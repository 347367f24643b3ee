import type { BridgeError } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import type { WorkflowLimits } from './limits.ts';
import type { TraceEntry } from './trace.ts';

/**
 * A run as plain JSON: a host may store it, lose the page and its own process, and continue it elsewhere.
 * `next-effect.ts` derives the next effect from it alone, and `advance.ts` applies an outcome to it.
 */
export interface WorkflowRun {
  readonly version: 1;
  readonly plan: Plan;
  readonly input: unknown;
  readonly limits: WorkflowLimits;
  readonly settle_timeout_is_fatal: boolean;
  readonly started_at: number;
  readonly timeout_ms?: number;
  /** The page of this run: only a runtime with the same key may continue it. */
  readonly runtime_key?: string;
  /** Results of the finished steps, in plan order. */
  readonly finished: readonly StepRecord[];
  readonly current: Progress;
  readonly phase: Phase;
  readonly trace: readonly TraceEntry[];
}

/** The interpreter's input: a map's workflow, or one translated from `execution.steps`. */
export interface Plan {
  readonly steps: readonly WorkflowStep[];
  readonly output?: unknown;
  readonly postcondition?: unknown;
  /** Number of steps that the author wrote, when it differs from the number of steps here. */
  readonly written_steps?: number;
}

/** Progress of the current step over its items, and within an item over its attempts. */
interface Progress {
  readonly began_at: number;
  readonly loop?: { readonly items: readonly unknown[]; readonly total: number };
  readonly results: readonly ItemRecord[];
  readonly attempts: readonly ItemRecord[];
}

export type Phase =
  | { readonly kind: 'when' | 'for_each' | 'args' | 'after_each_args' | 'settle_args' | 'output' }
  | { readonly kind: 'act' | 'after_each' | 'settle'; readonly args: Args }
  /** Sent to the page and not answered yet. In a stored run, it must not be sent again. */
  | {
      readonly kind: 'acting' | 'after_each_acting' | 'settling';
      readonly args: Args;
      readonly since: number;
    }
  | { readonly kind: 'until' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'postcondition'; readonly output: unknown }
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure };

export type Args = Readonly<Record<string, unknown>>;

/** The wire form of a BridgeError. */
export type Failure = ReturnType<BridgeError['toJSON']>;

export interface ItemRecord {
  readonly ok: boolean;
  readonly output?: unknown;
  readonly error?: Failure;
  /** The page left while the step ran, so its output may be lost. */
  readonly navigated?: true;
  readonly attempts?: readonly ItemRecord[];
}

/** The value of `steps.<id>` in expressions. */
export interface StepRecord extends ItemRecord {
  readonly skipped?: true;
  readonly items?: readonly ItemRecord[];
  /** Length of the list, when it exceeds `max_items`. */
  readonly total?: number;
}

export const stepOf = ({ plan, finished }: WorkflowRun): WorkflowStep | undefined =>
  plan.steps[finished.length];
