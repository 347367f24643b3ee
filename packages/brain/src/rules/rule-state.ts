import { isObject } from '@drawbridge/protocol/manifest';
import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { Intent } from './intent.ts';

/** An action's part in its step; `look` and `uncover` only prepare others. */
export type Part = 'press' | 'write' | 'quantity' | 'open' | 'call' | 'scroll' | 'look' | 'uncover';

/** The planner's memory of a task, as plain JSON. */
export interface RuleState {
  readonly intents: readonly Intent[];
  /** Index of the current one. */
  readonly at: number;
  readonly step: StepState;
  readonly asked?: Asked;
  /** Words of the last search, and the page's nodes before it. */
  readonly search?: { readonly words: string; readonly before: readonly string[] };
  /** The last filled field: its submit button comes after it. */
  readonly touched?: string;
  /** Values read for the person. */
  readonly found: readonly { readonly what: string; readonly value: string }[];
  /** Results of map tools. */
  readonly outputs: readonly unknown[];
}

interface StepState {
  /** Parts of the step that have worked. */
  readonly did: readonly Part[];
  /** Failed elements and tools, not used again in this step (INT-91). */
  readonly failed: readonly string[];
  /** Number of failures. */
  readonly misses: number;
  /** The person's choice. */
  readonly pick?: Pick<SemanticNode, 'i' | 'r' | 'n'>;
  /** An element found covered when pressed. */
  readonly covered?: string;
  /** The last problem, in words. */
  readonly problem?: string;
  /** How many following intents this step covers. */
  readonly takesIn?: number;
  readonly last?: LastAct;
}

/** The action in progress, and the page it was chosen on. */
export interface LastAct {
  readonly action: string;
  readonly part: Part;
  /** Element id or tool name. */
  readonly on: string;
  readonly value?: string;
  readonly isTool: boolean;
  readonly takesIn: number;
  readonly hash: string;
  readonly scrollPosition: string;
}

/** Subject of the person's next answer. */
export interface Asked {
  readonly candidates: readonly Pick<SemanticNode, 'i' | 'r' | 'n'>[];
  /** Values for fields were asked for. */
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

/** State written by this planner; undefined for another brain's. */
export function parseState(value: unknown): RuleState | undefined {
  return isObject(value) && Array.isArray(value['intents']) && isObject(value['step'])
    ? (value as unknown as RuleState)
    : undefined;
}
