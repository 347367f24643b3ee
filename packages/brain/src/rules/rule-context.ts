import type { Action, InteractRequest, MapTool } from '@drawbridge/protocol';
import type { SemanticNode } from '@drawbridge/protocol/semantic';
import type { PageView } from '../page-view.ts';
import type { Intent } from './intent.ts';
import type { Part, RuleState } from './rule-state.ts';

/** Everything that a move is chosen from. */
export interface RuleContext {
  readonly request: InteractRequest;
  readonly page: PageView;
  /** The client's actions beyond contract 4. */
  readonly features: ReadonlySet<string>;
  readonly tools: readonly MapTool[];
  readonly state: RuleState;
  /** Intents after the current one. */
  readonly next: readonly Intent[];
}

export type Move = Act | Done | Ask | GiveUp;

export interface Act {
  readonly kind: 'act';
  readonly action: Action;
  readonly thought: string;
  /** Part of the step that succeeds with this act; a step may need several. */
  readonly part: Part;
  readonly node?: SemanticNode;
  /** Number of following intents that it covers. */
  readonly takesIn?: number;
}

export interface Done {
  readonly kind: 'done';
  readonly found?: { readonly what: string; readonly value: string };
}

export interface Ask {
  readonly kind: 'ask';
  readonly question: string;
  /** Possible answers. */
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
export const times = ({ state }: RuleContext, part: Part): number =>
  state.step.did.filter((did) => did === part).length;

export const isDisabled = (node: SemanticNode): boolean => node.s?.split(',').includes('disabled') === true;
