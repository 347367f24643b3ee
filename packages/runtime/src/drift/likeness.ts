import type { Target } from '@drawbridge/protocol/manifest';
import { lastTests, wordsOfSelector } from './selector-parts.ts';

/** The properties of an element that a map may describe. */
export interface Lookalike {
  readonly role: string;
  readonly name: string;
  readonly href?: string;
}

export interface Likeness {
  /** At least 0; above 1 when several properties match, so that such candidates still rank. */
  readonly score: number;
  readonly because: string;
}

/** Scores how well an element fits the map's description of a missing one. */
export function likeness(target: Target, words: string, element: Lookalike): Likeness {
  const said = [target.name, target.text_equals].filter((text) => text !== undefined);
  const selectors = selectorsOf(target);
  const links = selectors
    .flatMap((selector) => lastTests(selector).flat())
    .filter(({ name }) => name === 'href');
  const evidence: [number, string][] = [
    roleEvidence(target.role, element.role),
    nameEvidence(said, target.text_contains, element.name),
    links.some(({ value }) => value !== '' && isSameLink(value, element.href))
      ? [0.45, 'it leads to the same address']
      : [0, ''],
    [
      0.35 * overlap(selectors.map(wordsOfSelector).join(' '), element.name),
      'the selector has words of its name',
    ],
    [0.15 * overlap(words, element.name), 'the map has words of its name'],
  ];
  const counted = evidence.filter(([weight]) => weight > 0.04);
  const score = evidence.reduce((sum, [weight]) => sum + weight, 0);
  return { score: Math.max(0, score), because: counted.map(([, why]) => why).join('; ') };
}

export const selectorsOf = (target: Target): string[] =>
  [target.selector ?? [], target.selectors ?? [], target.fallback_selectors ?? []].flat();

function roleEvidence(wanted: string | undefined, role: string): [number, string] {
  if (wanted === undefined) return [0, ''];
  return wanted === role ? [0.2, `it is a ${role} too`] : [-0.25, ''];
}

function nameEvidence(said: readonly string[], part: string | undefined, name: string): [number, string] {
  if (said.length === 0 && part === undefined) return [0, ''];
  if (said.some((text) => tidy(text) === tidy(name))) return [0.6, 'it has the same name'];
  if (part !== undefined && tidy(name).includes(tidy(part))) return [0.5, 'its name has the text'];
  const best = Math.max(...[...said, part ?? ''].map((text) => overlap(text, name)));
  return best === 0 ? [-0.1, ''] : [0.5 * best, 'its name is alike'];
}

const isSameLink = (value: string, href = ''): boolean => href === value || href.endsWith(value);

/** Stop words, which do not tell elements apart. */
const EMPTY_WORDS = new Set([
  'the',
  'and',
  'for',
  'btn',
  'button',
  'link',
  'input',
  'field',
  'form',
  'data',
  'test',
]);

export function overlap(one: string, other: string): number {
  const [first, second] = [wordsIn(one), wordsIn(other)];
  if (first.size === 0 || second.size === 0) return 0;
  const common = [...first].filter((word) => second.has(word)).length;
  return common / Math.max(first.size, second.size);
}

function wordsIn(text: string): Set<string> {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word)));
}

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();
