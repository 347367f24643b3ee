import type { Action, InteractRequest, MapTool } from '@drawbridge/protocol';
import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { PageView } from '../page-view.ts';
import type { Intent } from './intent.ts';
import type { Part, RuleState } from './rule-state.ts';

/** All that a move is chosen by. */
export interface Scene {
  readonly request: InteractRequest;
  readonly page: PageView;
  /** What the client does beyond contract 4's own actions. */
  readonly features: ReadonlySet<string>;
  readonly tools: readonly MapTool[];
  readonly state: RuleState;
  /** What stands after the current intent. */
  readonly next: readonly Intent[];
}

export type Move = Act | Done | Ask | GiveUp;

export interface Act {
  readonly kind: 'act';
  readonly action: Action;
  readonly thought: string;
  /** What counts as done once this has worked: a step may take several. */
  readonly part: Part;
  readonly node?: SemanticNode;
  /** The following intents that it does as well. */
  readonly takesIn?: number;
}

export interface Done {
  readonly kind: 'done';
  readonly found?: { readonly what: string; readonly value: string };
}

export interface Ask {
  readonly kind: 'ask';
  readonly question: string;
  /** What the answer may name. */
  readonly candidates?: readonly SemanticNode[];
  readonly missing?: readonly string[];
}

interface GiveUp {
  readonly kind: 'fail';
  readonly thought: string;
}

export const DONE: Done = { kind: 'done' };

export const fail = (thought: string): GiveUp => ({ kind: 'fail', thought });

/** How many times a part of the current step has worked. */
export const times = ({ state }: Scene, part: Part): number =>
  state.step.did.filter((did) => did === part).length;

export const isDisabled = (node: SemanticNode): boolean => node.s?.split(',').includes('disabled') === true;
