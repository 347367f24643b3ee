import { type ContextBlock, Target } from '@drawbridge/protocol/manifest';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { matchesUrl } from '../state/url-predicate.ts';

export type Block = Static<typeof ContextBlock>;

/** When a block is to be loaded. A kind of predicate that is absent asks for nothing. */
export interface LoadWhen {
  readonly states?: readonly string[];
  readonly targets?: readonly (string | Target)[];
  readonly url_contains?: readonly string[];
  readonly url_matches?: readonly string[];
}

/** What is true of the page now. */
export interface Situation {
  readonly url: string;
  readonly states: ReadonlySet<string>;
  readonly isOnPage: (target: string | Target) => boolean;
}

export function loadWhenOf(block: Block): LoadWhen {
  const { states, targets, url_contains, url_matches } = block.load_when ?? {};
  return {
    ...(states === undefined ? {} : { states: strings(states) }),
    ...(targets === undefined ? {} : { targets: listOf(targets).filter(isTarget) }),
    ...(url_contains === undefined ? {} : { url_contains: strings(url_contains) }),
    ...(url_matches === undefined ? {} : { url_matches: strings(url_matches) }),
  };
}

/** Every kind of predicate that a block gives must hold, through at least one of what it lists. */
export function isLoadedAt(block: Block, situation: Situation): boolean {
  const { states, targets, url_contains, url_matches } = loadWhenOf(block);
  const { url } = situation;
  return (
    anyOf(url_contains, (part) => matchesUrl({ url_contains: part }, url)) &&
    anyOf(url_matches, (pattern) => matchesUrl({ url_matches: pattern }, url)) &&
    anyOf(states, (state) => situation.states.has(state)) &&
    anyOf(targets, situation.isOnPage)
  );
}

/** How many kinds of predicate a block gives: the more, the closer it fits where it is loaded. */
export function specificity(block: Block): number {
  return Object.keys(loadWhenOf(block)).length;
}

const anyOf = <Item>(items: readonly Item[] | undefined, holds: (item: Item) => boolean): boolean =>
  items === undefined || items.some(holds);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const strings = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string');

const isTarget = (value: unknown): value is string | Target =>
  typeof value === 'string' || Check(Target, value);
