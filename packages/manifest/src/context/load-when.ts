import { type ContextBlock, Target } from '@drawbridge/protocol/manifest';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { matchesUrl } from '../state/url-predicate.ts';

export type Block = Static<typeof ContextBlock>;

/** Predicates of a block. An absent kind of predicate always holds. */
export interface LoadWhen {
  readonly states?: readonly string[];
  readonly targets?: readonly (string | Target)[];
  readonly url_contains?: readonly string[];
  readonly url_matches?: readonly string[];
}

/** Facts about the page that predicates are matched against. */
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

/** At least one entry of each kind of predicate must hold. */
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

/** Number of predicate kinds in a block: more kinds make it more specific. */
export function specificity(block: Block): number {
  return Object.keys(loadWhenOf(block)).length;
}

const anyOf = <Item>(items: readonly Item[] | undefined, holds: (item: Item) => boolean): boolean =>
  items === undefined || items.some(holds);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const strings = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string');

const isTarget = (value: unknown): value is string | Target =>
  typeof value === 'string' || Check(Target, value);
