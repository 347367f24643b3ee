import type { InteractRequest, NeedsContext, NextStep, Plan } from '@drawbridge/protocol';
import type { Facts } from './facts.ts';

/**
 * Decides the next step of a task. Stateless: everything to remember is in `memory`, plain JSON that the
 * caller stores with the answer, so a task survives a restart.
 */
export interface Brain {
  /** Shown to people: "rules", "anthropic claude-…". */
  readonly name: string;
  readonly step: (input: StepInput, options?: StepOptions) => Promise<Step>;
}

export interface StepInput {
  /** The client's view of the page and its report on the last action (contract 4), already validated. */
  readonly request: InteractRequest;
  /** Undefined on the first call of a task. */
  readonly memory: TaskMemory | undefined;
  /** The person's messages since the last step, oldest first: answers or steering. */
  readonly said: readonly string[];
  /** JSON Schema of the wanted result. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Facts that earlier tasks of the session kept (INT-320). */
  readonly facts?: Facts;
  /** INT-323: the file that the person gave with the task. */
  readonly file?: TaskFile;
  /** INT-326: the client sends no more of the page when it is asked to. */
  readonly isComplete?: boolean;
  /** Budgets of this task; the brain's defaults if absent. */
  readonly budgets?: Partial<Budgets>;
  /** In milliseconds since 1970, from the caller's clock. */
  readonly now: number;
}

export interface TaskFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface StepOptions {
  readonly signal?: StopSignal;
  /** Called with the growing thought, for live screens. */
  readonly onThought?: (text: string) => void;
}

/** The part of AbortSignal that is needed here; pure packages have no AbortSignal type. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly throwIfAborted: () => void;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
}

export interface Step {
  readonly memory: TaskMemory;
  readonly answer: StepAnswer;
  /** The session's facts, when this step has changed them. */
  readonly facts?: Facts;
  /** How sure the model is of its question to the person, from 0 to 1. */
  readonly confidence?: number;
  /** Cost of this step; zeros without a model. */
  readonly usage: Usage;
}

/** The answer of contract 4 without the caller's ids. A question to the person is `needs_user_input`. */
export type StepAnswer = NextStep | NeedsContext | NeedsUserInput;

export interface NeedsUserInput extends Omit<NextStep, 'status' | 'action' | 'thought'> {
  readonly status: 'needs_user_input';
  readonly thought?: string;
  readonly action?: string;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  /** In US dollars, where the model's price is known. */
  readonly cost?: number;
}

/** Plain JSON, stored and passed back by the caller, which reads only `plan` and `spent`. */
export interface TaskMemory {
  readonly plan?: Plan;
  readonly spent: Spent;
  readonly [key: string]: unknown;
}

export interface Spent extends Usage {
  readonly steps: number;
  /** When the task began, in milliseconds since 1970. */
  readonly began: number;
}

export interface Budgets {
  readonly steps: number;
  readonly tokens: number;
  readonly time_ms: number;
  /** In US dollars. */
  readonly cost?: number;
}

export const DEFAULT_BUDGETS: Budgets = { steps: 50, tokens: 500_000, time_ms: 30 * 60_000 };
