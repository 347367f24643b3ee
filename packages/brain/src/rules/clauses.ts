import { beginsClause } from './verbs.ts';

const QUOTED =
  /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'‘’]+)['’](?![\p{L}\p{N}])/gu;
const ADDRESS = /https?:\/\/[^\s"'<>]*[^\s"'<>.,;!?)]/giu;

/** Private use characters, which people do not type. */
const FIRST_MARK = 0xe000;
const MARKS = /[\uE000-\uE7FF]/gu;

export const hasMark = (text: string): boolean => /[\uE000-\uE7FF]/u.test(text);

const LIST_ITEM = /^\s*(?:\d{1,2}[.)]|[-*•])\s+/;
const ALWAYS =
  /\s*(?:;|,?\s+(?:and then|and after that|and finally|und dann|und danach|then|danach|anschließend)\s|\n)\s*/iu;
/** Splits only before a verb: "salt and pepper" is one thing. */
const PERHAPS = /\s*,?\s+(?:and|und|dann)\s+|\s*,\s*(?:and\s+|und\s+)?|[.!?]\s+/giu;
const ENDED = /(?<=\p{L}{4,}|[\uE000-\uE7FF])[.!?]\s+(?=\p{Lu})/gu;

const POLITE =
  /^(?:please|bitte|now|also|next|finally|kindly|jetzt|zuerst|hi|hello|hey|ok(?:ay)?|first(?=[,:]? +\p{L}+))[,:]?\s+|^(?:can|could|would|will) you(?: please)?\s+|^(?:i (?:want|would like|need)|i'd like)(?: you)? to\s+|^(?:kannst|könntest) du(?: bitte)?\s+|^(?:and|und|then|dann)\s+/iu;

/**
 * A request split into clauses. Quoted texts and addresses become one character each, hidden from the
 * grammar; `restore` puts them back.
 */
export function clausesOf(request: string) {
  const kept: string[] = [];
  const mark = (text: string) => String.fromCharCode(FIRST_MARK + kept.push(text) - 1);
  const plain = request
    .normalize('NFC')
    .replace(MARKS, '')
    .replace(QUOTED, (...found) => mark(found.slice(1, 7).find((inside) => typeof inside === 'string') ?? ''))
    .replace(ADDRESS, (address) => mark(address));
  const clauses = plain
    .split('\n')
    .map((line) => line.replace(LIST_ITEM, ''))
    .flatMap((line) => line.split(ALWAYS))
    .flatMap((part) => part.split(ENDED))
    .flatMap(splitBeforeVerbs)
    .map(tidy)
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause) || hasMark(clause));
  const restore = (text: string) =>
    text.replace(MARKS, (char) => kept[char.charCodeAt(0) - FIRST_MARK] ?? '').trim();
  return { clauses, restore };
}

function splitBeforeVerbs(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const joint of text.matchAll(PERHAPS)) {
    const next = joint.index + joint[0].length;
    if (joint.index <= from || !beginsClause(tidy(text.slice(next)))) continue;
    parts.push(text.slice(from, joint.index));
    from = next;
  }
  return [...parts, text.slice(from)];
}

function tidy(clause: string): string {
  let text = clause.replace(/\s+/g, ' ').trim();
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(POLITE, '').trim();
  }
  return text.replace(/[\s.,;:!?]+$/u, '').replace(/\s+(?:please|bitte|for me|für mich)$/iu, '');
}
