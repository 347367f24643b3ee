import { createCommitMatcher } from './commit-matcher.ts';
import type { CommitPhrase } from './commit-phrase.ts';
import { EASTERN } from './commit-phrases-eastern.ts';
import { ENGLISH, ICONS } from './commit-phrases-english.ts';
import { GERMANIC } from './commit-phrases-germanic.ts';
import { ROMANCE } from './commit-phrases-romance.ts';
import { UNSPACED } from './commit-phrases-unspaced.ts';

export { isAffirmation, isDismissal } from './answer-phrases.ts';
export { type CommitMatcher, createCommitMatcher } from './commit-matcher.ts';
export type { CommitCategory, CommitPhrase } from './commit-phrase.ts';

/** Every stem, for grants, recordings and the brain. A heuristic. */
export const COMMIT_PHRASES: readonly CommitPhrase[] = [
  ...ENGLISH,
  ...GERMANIC,
  ...ROMANCE,
  ...EASTERN,
  ...UNSPACED,
  ...ICONS,
];

export const saysCommit = createCommitMatcher(COMMIT_PHRASES.map(({ stem }) => stem));
