import type { Target } from '@drawbridge/protocol/manifest';
import { code, words } from './markdown.ts';

/** Describes a target in one line. */
export function targetWords(target: Target | string | undefined): string {
  if (target === undefined) return 'anywhere on the page';
  if (typeof target === 'string') return `the target of ${code(target)}`;
  const { selector, selectors, fallback_selectors, role, name, text_equals, text_contains, state } = target;
  const parts = [
    ...[selector, selectors].flatMap((one) => [one ?? []].flat().map(code)),
    role === undefined ? '' : `role ${code(role)}`,
    name === undefined ? '' : `named "${words(name)}"`,
    text_equals === undefined ? '' : `with the text "${words(text_equals)}"`,
    text_contains === undefined ? '' : `with "${words(text_contains)}" in its text`,
    fallback_selectors === undefined ? '' : `or else ${[fallback_selectors].flat().map(code).join(', ')}`,
    ...urlWords(target),
    state === undefined ? '' : `in the state ${code(state)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'anywhere on the page' : parts.join(', ');
}

export const urlWords = ({
  url_contains,
  url_matches,
}: Pick<Target, 'url_contains' | 'url_matches'>): string[] => [
  url_contains === undefined ? '' : `on urls with ${code(url_contains)}`,
  url_matches === undefined ? '' : `on urls that match ${code(url_matches)}`,
];
