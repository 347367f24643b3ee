import type { BridgeError } from '@drawbridge/protocol';
import type { WorkflowStep } from '@drawbridge/protocol/manifest';
import type { WorkflowLimits } from './limits.ts';
import type { TraceEntry } from './trace.ts';

/**
 * A run as data. It is plain JSON at every moment: a host may store it, lose the page and its own process,
 * and continue it elsewhere. What to do next follows from it alone (`next-effect.ts`), and how an answer
 * changes it is one function (`advance.ts`).
 */
export interface WorkflowRun {
  readonly version: 1;
  readonly plan: Plan;
  readonly input: unknown;
  readonly limits: WorkflowLimits;
  readonly settle_timeout_is_fatal: boolean;
  readonly started_at: number;
  readonly timeout_ms?: number;
  /** The page this run belongs to: only a runtime with the same key may continue it. */
  readonly runtime_key?: string;
  /** Results of the steps before the current one, in the order of the plan. */
  readonly finished: readonly StepRecord[];
  readonly current: Progress;
  readonly phase: Phase;
  readonly trace: readonly TraceEntry[];
}

/** What the interpreter runs: a map's workflow as it stands, or one made of `execution.steps`. */
export interface Plan {
  readonly steps: readonly WorkflowStep[];
  readonly output?: unknown;
  readonly postcondition?: unknown;
  /** How many steps the map's author wrote, where that differs from the number of steps here. */
  readonly written_steps?: number;
}

/** How far the current step is: over its items, and within one item over its attempts. */
interface Progress {
  readonly began_at: number;
  readonly loop?: { readonly items: readonly unknown[]; readonly total: number };
  readonly results: readonly ItemRecord[];
  readonly attempts: readonly ItemRecord[];
}

export type Phase =
  | { readonly kind: 'when' | 'for_each' | 'args' | 'after_each_args' | 'settle_args' | 'output' }
  | { readonly kind: 'act' | 'after_each' | 'settle'; readonly args: Args }
  /** Given to the page, not answered yet. Found in a stored run, it must not be given again. */
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

/** An error as data: the wire form of a BridgeError. */
export type Failure = ReturnType<BridgeError['toJSON']>;

export interface ItemRecord {
  readonly ok: boolean;
  readonly output?: unknown;
  readonly error?: Failure;
  /** The page left while the step ran; its output may never have arrived. */
  readonly navigated?: true;
  readonly attempts?: readonly ItemRecord[];
}

/** What later steps read as `steps.<id>`. */
export interface StepRecord extends ItemRecord {
  readonly skipped?: true;
  readonly items?: readonly ItemRecord[];
  /** How long the list was, when it was longer than `max_items`. */
  readonly total?: number;
}

export const stepOf = ({ plan, finished }: WorkflowRun): WorkflowStep | undefined =>
  plan.steps[finished.length];
