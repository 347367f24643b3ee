import type { SemanticNode } from '@drawbridge/protocol/semantic';
import { intentsOf, valuesIn } from './grammar.ts';
import type { Intent } from './intent.ts';
import { hasWords, likeness, wordsOf } from './likeness.ts';
import { takeOrdinal, takeQuantity } from './numbers.ts';
import { type Asked, NEW_STEP, type RuleState } from './rule-state.ts';

const STOP = /^(?:stop|cancel|abort|quit|never ?mind|forget it|no|none|neither|nein|abbrechen|halt)\b/iu;
const SKIP = /^(?:skip|leave it|next|go on|continue|done|i did it|überspring|weiter|erledigt)\b/iu;
const YES = /^(?:yes|yep|yeah|ok(?:ay)?|sure|that one|ja|genau)\b/iu;
const AGAIN = /^(?:again|retry|try again|once more|nochmal|noch einmal)\b/iu;

/** State after the person's messages; undefined if they cancelled. */
export function readAnswer(state: RuleState, said: readonly string[]): RuleState | undefined {
  let heard: RuleState | undefined = state;
  for (const words of said) heard = heard && readOneAnswer(heard, words.trim());
  return heard;
}

function readOneAnswer({ asked, ...state }: RuleState, words: string): RuleState | undefined {
  if (STOP.test(words)) return undefined;
  if (asked === undefined) return inserted(state, steering(words));
  const pick = pickedFrom(asked, words);
  if (pick !== undefined) return { ...state, step: { ...state.step, pick } };
  if (asked.values) {
    const values = valuesIn(words);
    if (values.length > 0) return replaced(state, values);
  }
  if (asked.candidates.length === 0 && SKIP.test(words)) return replaced(state, []);
  if (asked.candidates.length === 0 && AGAIN.test(words)) return { ...state, step: NEW_STEP };
  const intents = steering(words);
  return intents.length > 0 ? replaced(state, intents) : { ...state, asked };
}

/** Only commands that are fully understood change the plan. */
function steering(words: string): Intent[] {
  const intents = intentsOf(words.replace(/\s+(?:first|instead|zuerst|stattdessen)$/iu, ''));
  return intents.every(({ kind }) => kind !== 'do' && kind !== 'decline') ? intents : [];
}

const replaced = (state: RuleState, intents: readonly Intent[]): RuleState => ({
  ...state,
  intents: state.intents.toSpliced(state.at, 1, ...intents),
  step: NEW_STEP,
});

/** Inserts behind the current step, which is finished first. */
function inserted(state: Omit<RuleState, 'asked'>, intents: readonly Intent[]): RuleState {
  const index = state.at + (state.step.did.length > 0 ? 1 : 0);
  return { ...state, intents: state.intents.toSpliced(index, 0, ...intents) };
}

/** "The second", "2", "Dusk", "the Dusk table lamp". */
function pickedFrom({ candidates }: Asked, words: string): Pick<SemanticNode, 'i' | 'r' | 'n'> | undefined {
  const index = takeOrdinal(words).ordinal ?? takeQuantity(words).quantity;
  const [alone] = candidates;
  if (candidates.length === 1 && YES.test(words)) return alone;
  const fitting = candidates.filter(
    ({ n }) =>
      likeness(words, n) > 0 || hasWords(wordsOf(n), wordsOf(words.replace(/\b(?:one|please)\b/gi, ''))),
  );
  const exact = fitting.filter(({ n }) => n.toLowerCase() === words.toLowerCase());
  const [only] = exact.length === 1 ? exact : fitting;
  if (only !== undefined && (fitting.length === 1 || exact.length === 1)) return only;
  return index === undefined ? undefined : candidates.at(index > 0 ? index - 1 : index);
}
