import { sameButForClocks, withoutTimes } from '../grants/running-clocks.ts';
import type { Purpose } from './purpose.ts';

/**
 * Whether a press that has begun may go on, or be repeated, though the page has changed its target since: not when it
 * would send something else, or says something new. The table of heavy words is not in page code, so any word is new
 * that does not begin like a word before: `Pay` may become `Paying…`.
 */
export function goesOn(weighed: unknown, now: unknown): boolean {
  const before = parsePurposes(weighed);
  return parsePurposes(now).every((purpose) =>
    before.some(
      (was) => isNoHeavier(was, purpose) && sendsSame(was, purpose) && saysNothingNew(was, purpose),
    ),
  );
}

const SENDS = ['never', 'maybe', 'surely'] as const;

function isNoHeavier(was: Purpose, now: Purpose): boolean {
  return (
    was.origin === now.origin &&
    (was.submits || !now.submits) &&
    (was.sensitive || !now.sensitive) &&
    SENDS.indexOf(now.sends) <= SENDS.indexOf(was.sends) &&
    (now.form === undefined || JSON.stringify(was.form) === JSON.stringify(now.form))
  );
}

/** Without the text around it, where a page shows that it is being pressed. */
function sendsSame({ content: was }: Purpose, { content: now }: Purpose): boolean {
  const [one, other] = [was, now].map((content) => {
    const { url, method, fields, amounts } = content ?? {};
    return JSON.stringify([url, method, fields, amounts]);
  });
  return one !== undefined && other !== undefined && sameButForClocks(one, other, 0);
}

const START_CHARS = 3;

function saysNothingNew(was: Purpose, now: Purpose): boolean {
  const known = new Set(startsIn(was));
  return startsIn(now).every((start) => known.has(start));
}

/** A number that a person was asked about counts whole; unasked, it is a counter. */
const startsIn = ({ label, words, content }: Purpose): string[] =>
  [label, ...words].flatMap((text) => {
    const found = withoutTimes(text.toLowerCase()).match(content ? /[\p{L}\p{N}]+/gu : /\p{L}+/gu) ?? [];
    return found.map((word) => (/\p{N}/u.test(word) ? word : word.slice(0, START_CHARS)));
  });

// Both are what page code has weighed.

function parsePurposes(weighed: unknown): readonly Purpose[] {
  return [weighed as Purpose | readonly Purpose[]].flat();
}
