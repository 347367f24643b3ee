import type { PageElementContext } from './element-context.ts';
import { sameButForClocks, withoutTimes } from './running-clocks.ts';

/**
 * Whether a started press may continue or repeat although the page has changed its target: not when it would
 * send different content or shows a new word. The table of irreversible words is not in page code, so any
 * word counts as new unless it begins like an earlier one: `Pay` may become `Paying…`. Words that only report
 * progress do not count.
 */
export function mayContinue(classified: unknown, now: unknown): boolean {
  const before = asElementContexts(classified);
  return asElementContexts(now).every((elementContext) =>
    before.some(
      (was) =>
        isNoRiskier(was, elementContext) &&
        sendsSame(was, elementContext) &&
        saysNothingNew(was, elementContext),
    ),
  );
}

const SENDS = ['never', 'maybe', 'surely'] as const;

function isNoRiskier(was: PageElementContext, now: PageElementContext): boolean {
  return (
    was.origin === now.origin &&
    JSON.stringify(was.covered) === JSON.stringify(now.covered) &&
    (was.submits || !now.submits) &&
    (was.sensitive || !now.sensitive) &&
    SENDS.indexOf(now.sends) <= SENDS.indexOf(was.sends) &&
    (now.form === undefined || JSON.stringify(was.form) === JSON.stringify(now.form))
  );
}

/** Ignores the surrounding text, in which a page may show that it is being pressed. */
function sendsSame({ content: was }: PageElementContext, { content: now }: PageElementContext): boolean {
  const [one, other] = [was, now].map((content) => {
    const { url, method, fields, amounts } = content ?? {};
    return JSON.stringify([url, method, fields, amounts]);
  });
  return one !== undefined && other !== undefined && sameButForClocks(one, other, 0);
}

/** An inflected word begins like the word it comes from, but for an ending: `Save` and `Saving`. */
const LEAST_START_CHARS = 3;
const ENDING_CHARS = 2;

function saysNothingNew(was: PageElementContext, now: PageElementContext): boolean {
  const known = [...new Set(wordsIn(was))];
  return wordsIn(now).every((word) => UNDER_WAY.has(word) || known.some((each) => beginsLike(each, word)));
}

/** A number that a person was asked about is compared whole; otherwise it may be a counter. */
function beginsLike(known: string, word: string): boolean {
  if (known === word) return true;
  if (/\p{N}/u.test(known + word)) return false;
  const length = Math.max(LEAST_START_CHARS, known.length - ENDING_CHARS);
  if (word.length < length || word.slice(0, length) !== known.slice(0, length)) return false;
  // A short word may become another one that begins like it: `Term` and `Terminate`.
  return known.length > SHORT_CHARS || INFLECTED.test(word.slice(sharedStart(known, word)));
}

const SHORT_CHARS = 5;
/** Endings that make no other word. */
const INFLECTED = /^(?:\p{L}?ing|\p{L}?ed|d|e?s|e?n|e|te?|ende?|i?endo|ando|ant|ée?|et)?$/u;

function sharedStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Compared as whole words: a prefix would let an irreversible word through. */
const UNDER_WAY: ReadonlySet<string> = new Set(
  (
    'loading please wait one moment just a hold on working processing lädt laden wird geladen bitte warten einen ' +
    'chargement veuillez patientez cargando procesando espere un momento carregando aguarde caricamento attendere ' +
    'bezig met laddar загрузка подождите пожалуйста 読み込み中 処理中 加载中 请稍候 載入中 請稍候'
  ).split(' '),
);

/** The words of a dialog that the press confirms are a part of what it says. */
const wordsIn = ({ label, words, around, content }: PageElementContext): string[] =>
  [label, ...words, ...(around?.asks ?? []), ...(around?.heads ?? [])].flatMap(
    (text) => withoutTimes(text.toLowerCase()).match(content ? /[\p{L}\p{N}]+/gu : /\p{L}+/gu) ?? [],
  );

// Both come from page code.

function asElementContexts(classified: unknown): readonly PageElementContext[] {
  return [classified as PageElementContext | readonly PageElementContext[]].flat();
}
