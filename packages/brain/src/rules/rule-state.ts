import { isObject } from '@drawbridge/protocol/manifest';
import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { Intent } from './intent.ts';

/** What an action is to its step; `look` and `uncover` only make way for the rest. */
export type Part = 'press' | 'write' | 'quantity' | 'open' | 'call' | 'scroll' | 'look' | 'uncover';

/** What the planner remembers of a task, as plain JSON. */
export interface RuleState {
  readonly intents: readonly Intent[];
  /** Which of them is played now. */
  readonly at: number;
  readonly step: StepState;
  readonly asked?: Asked;
  /** The words of the last search, and what stood on the page before it. */
  readonly search?: { readonly words: string; readonly before: readonly string[] };
  /** The field that was written into last: what submits it stands after it. */
  readonly touched?: string;
  /** What was read for the person. */
  readonly found: readonly { readonly what: string; readonly value: string }[];
  /** What map tools answered. */
  readonly outputs: readonly unknown[];
}

interface StepState {
  /** The parts of the step that have worked. */
  readonly did: readonly Part[];
  /** Elements and tools that did not work: none is used again in this step (INT-91). */
  readonly failed: readonly string[];
  /** How often something did not work. */
  readonly misses: number;
  /** What the person said they mean. */
  readonly pick?: Pick<SemanticNode, 'i' | 'r' | 'n'>;
  /** The element that turned out to be covered when it was pressed. */
  readonly covered?: string;
  /** What went wrong last, in words. */
  readonly problem?: string;
  /** How many of the following intents this step has done as well. */
  readonly takesIn?: number;
  readonly last?: LastAct;
}

/** The action that is under way, and the page it was chosen on. */
export interface LastAct {
  readonly action: string;
  readonly part: Part;
  /** The id of the element, or the name of the tool. */
  readonly on: string;
  readonly value?: string;
  readonly isTool: boolean;
  readonly takesIn: number;
  readonly hash: string;
  readonly scrollPosition: string;
}

/** What the next answer of the person is about. */
export interface Asked {
  readonly candidates: readonly Pick<SemanticNode, 'i' | 'r' | 'n'>[];
  /** Whether values for fields were asked for. */
  readonly values: boolean;
}

export const NEW_STEP: StepState = { did: [], failed: [], misses: 0 };

export const startState = (intents: readonly Intent[]): RuleState => ({
  intents,
  at: 0,
  step: NEW_STEP,
  found: [],
  outputs: [],
});

/** What this planner wrote itself and the caller kept; undefined for what another brain wrote. */
export function parseState(value: unknown): RuleState | undefined {
  return isObject(value) && Array.isArray(value['intents']) && isObject(value['step'])
    ? (value as unknown as RuleState)
    : undefined;
}
