import type { InteractRequest, NeedsContext, NextStep, Plan } from '@drawbridge/protocol';

/**
 * What decides the next step of a task. It keeps nothing: all that it must remember of a task is in `memory`,
 * plain JSON that the caller stores with the answer, so a task outlives the process that began it.
 */
export interface Brain {
  /** Shown to people: "rules", "anthropic claude-…". */
  readonly name: string;
  readonly step: (input: StepInput, options?: StepOptions) => Promise<Step>;
}

export interface StepInput {
  /** What the client saw and what it says of its last action (contract 4), already validated. */
  readonly request: InteractRequest;
  /** Undefined on the first call of a task. */
  readonly memory: TaskMemory | undefined;
  /** What the person said since: an answer to what was asked, or a word of steering. Oldest first. */
  readonly said: readonly string[];
  /** The JSON Schema of the result that is wanted. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Of this task; the brain's own where left out. */
  readonly budgets?: Partial<Budgets>;
  /** In milliseconds since 1970, from the caller's clock. */
  readonly now: number;
}

export interface StepOptions {
  readonly signal?: StopSignal;
  /** The thought so far, each time there is more of it, for the screens that watch. */
  readonly onThought?: (text: string) => void;
}

/** What of an AbortSignal is needed here: any AbortSignal will do, and the pure packages have none of their own. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly throwIfAborted: () => void;
  readonly addEventListener: (type: 'abort', listener: () => void) => void;
}

export interface Step {
  readonly memory: TaskMemory;
  readonly answer: StepAnswer;
  /** What this step cost; zeros without a model. */
  readonly usage: Usage;
}

/** Contract 4's answer without the ids, which are the caller's. A question to the person is `needs_user_input`. */
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

/** Plain JSON. The caller stores it and gives it back; it reads only `plan` and `spent`. */
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
