import type { Marks, Remembered } from './remembered.ts';

/**
 * Weights of the properties that two sightings share. Role and name must match first: an element of another
 * name at the same place is another element.
 */
const WEIGHTS = { roleAndName: 0.6, belonging: 0.15, text: 0.05, place: 0.1, neighbours: 0.1 };

/** Candidates below this are rejected. */
export const CONFIDENCE_BAR = 0.7;

/** The best must exceed the second by this much, else it is a tie. */
export const TIE_MARGIN = 0.12;

export interface Scored<Candidate> {
  readonly candidate: Candidate;
  readonly confidence: number;
}

export type Match<Candidate> =
  | { readonly kind: 'found'; readonly candidate: Candidate; readonly confidence: number }
  | { readonly kind: 'tie' | 'none'; readonly seen: readonly Scored<Candidate>[] };

/** The candidate that matches the remembered element; undefined on a tie, or when it was unique and no longer is. */
export function bestMatch<Candidate extends { readonly now: Remembered }>(
  remembered: Remembered,
  candidates: readonly Candidate[],
  wasAlone = false,
): Match<Candidate> {
  const seen = candidates
    .map((candidate) => ({ candidate, confidence: confidenceIn(remembered, candidate.now) }))
    .sort((a, b) => b.confidence - a.confidence);
  const [best, second] = seen;
  if (best === undefined || best.confidence < CONFIDENCE_BAR) return { kind: 'none', seen };
  if (second === undefined || second.confidence === 0) return { kind: 'found', ...best };
  if (wasAlone || best.confidence - second.confidence < TIE_MARGIN) return { kind: 'tie', seen };
  return { kind: 'found', ...best };
}

/** From 0 (cannot be the same) to 1. */
export function confidenceIn(remembered: Remembered, now: Remembered): number {
  if (!isSameElement(remembered, now)) return 0;
  const confidence =
    WEIGHTS.roleAndName *
      (remembered.name !== '' || isDrawnAlike(remembered, now) || isOfNamedRow(remembered, now) ? 1 : 0.5) +
    WEIGHTS.belonging * sharedRow(remembered, now) +
    WEIGHTS.text * Number(remembered.text === now.text) +
    WEIGHTS.place * nearness(remembered, now) +
    WEIGHTS.neighbours * sharedNeighbours(remembered.neighbours, now.neighbours);
  return Math.round(confidence * 100) / 100;
}

const isDrawnAlike = ({ drawn = '' }: Marks, now: Marks): boolean => drawn !== '' && drawn === now.drawn;

/** A nameless circle is known by the words of its row: a second one there is a tie. */
const isOfNamedRow = ({ belongs = '' }: Marks, now: Marks): boolean =>
  /\p{L}/u.test(belongs) && belongs === now.belongs;

/** Nothing contradicts it: same role, name and surroundings. */
export function isSameElement(remembered: Marks, now: Marks): boolean {
  if (remembered.role !== now.role || remembered.name !== now.name) return false;
  // Names are cut at 50 characters; two long ones may differ after the cut.
  if (now.name.length >= LONG_NAME && remembered.text !== now.text) return false;
  return hasSameSurroundings(remembered, now);
}

const LONG_NAME = 45;

/** A name may fit several rows: an arrow, a number. */
function sharedRow({ belongs }: Marks, now: Marks): number {
  if (!belongs) return 0.5;
  return belongs === now.belongs ? 1 : 0.2;
}

/** Numbers in a row change all the time ("12 pieces"); ignored if the name identifies the row. */
function hasSameSurroundings(remembered: Marks, now: Marks): boolean {
  const before = remembered.belongs;
  if (before === undefined || now.belongs === undefined || before === now.belongs) return true;
  if (TURNS_PAGES.test(now.name)) return true;
  // A date or an amount tells rows apart: invoices of one vendor.
  if (withoutCounts(before) !== withoutCounts(now.belongs)) return false;
  const words = new Set(wordsOf(before));
  return wordsOf(now.name).some((word) => words.has(word));
}

/** Names of elements that change the text around them when pressed: the month of a calendar, the step of a form. */
const TURNS_PAGES = /^(?:[‹›«»<>←→◀▶❮❯〈〉]+|(?:next|previous|prev)(?: \p{L}+)?)$/iu;

/** Numbers of one part: dates, times and amounts with cents stay. */
const withoutCounts = (text: string): string =>
  text.replace(/(?<![\p{N}]|\p{N}[-./:,])\p{N}+(?![-./:,]?\p{N})/gu, '#');

export const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

/**
 * The same control with another count, which only the agent's own act may explain: `Like 3`, or `+` in `Rice × 3`.
 * A row's number after a word tells rows apart (`Invoice 12`), and an amount of money is no count.
 */
export function isRecounted(remembered: Marks, now: Marks): boolean {
  const before = `${remembered.name} ${remembered.belongs}`;
  if (remembered.role !== now.role || /\p{Sc}/u.test(before) || before === `${now.name} ${now.belongs}`)
    return false;
  return (
    isSameButNumber(remembered.name, now.name) &&
    withoutCounts(remembered.name) === withoutCounts(now.name) &&
    (remembered.belongs ?? '').replace(COUNT, '#') === (now.belongs ?? '').replace(COUNT, '#')
  );
}

/** A bare number is a day or a page as often as a count. */
export const isSameButNumber = (before: string, now: string): boolean =>
  before === now || (/[^\d\s]/.test(before) && withoutNumbers(before) === withoutNumbers(now));

const COUNT = /(?<![\p{L}\p{N}#№]\s*|[-./:])\p{N}+(?![-./:]?\p{N})/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

/** In steps: a shift by a line is the same place, a shift by a screen is not. */
function nearness(remembered: Remembered, now: Remembered): number {
  const distance = Math.hypot(remembered.box[0] - now.box[0], remembered.box[1] - now.box[1]);
  if (distance < 50) return 1;
  if (distance < 100) return 0.6;
  return distance < 150 ? 0.3 : 0;
}

function sharedNeighbours(before: readonly string[], now: readonly string[]): number {
  const known = before.filter((name) => name !== '').length;
  if (known === 0) return 0.5;
  return before.filter((name, index) => name !== '' && name === now[index]).length / known;
}
