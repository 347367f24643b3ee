import { clausesOf } from './clauses.ts';
import type { Intent, Target } from './intent.ts';
import { takeOrdinal, takeQuantity } from './numbers.ts';
import { pairsOf } from './pairs.ts';
import { cannotBeAsked } from './reasons.ts';
import { type Verb, verbOf } from './verbs.ts';

type Restore = (text: string) => string;
type Reader = (rest: string, restore: Restore, said: string) => readonly Intent[];

/** Parses a request into intents, in order, without knowledge of the page. */
export function intentsOf(request: string): Intent[] {
  if (request.length > MOST_CHARACTERS) return [tooMuch(`more than ${MOST_CHARACTERS} characters`)];
  const { clauses, restore } = clausesOf(request);
  const intents = clauses.flatMap((clause) => intentsOfClause(clause, restore));
  return intents.length > MOST_INTENTS ? [tooMuch(`more than ${MOST_INTENTS} steps`)] : intents;
}

/** Part of a long request is another request, so none of it is done. */
const tooMuch = (words: string): Intent => ({ kind: 'decline', words });

/** Values without a command: "name Ada, city Paris". */
export function valuesIn(text: string): Intent[] {
  const { clauses, restore } = clausesOf(text);
  return pairsOf(clauses.join(', '), restore);
}

const MOST_CHARACTERS = 2_000;
const MOST_INTENTS = 40;

function intentsOfClause(clause: string, restore: Restore): readonly Intent[] {
  const words = restore(clause);
  if (cannotBeAsked(clause)) return [{ kind: 'decline', words }];
  const found = verbOf(clause);
  if (found === undefined) return isAddress(words) ? [navigate(words)] : [named(clause, restore)];
  const intents = READERS[found.verb](found.rest, restore, found.said);
  return intents.length > 0 ? intents : [{ kind: 'do', words }];
}

const REMOVED =
  /^(?:remove|delete|entferne|lösche)\s+(.+?)\s+(?:from|aus|von)\s+(?:the |my |dem |der )?\S+$/iu;

/** A verb of the page. Drops the container ("from the cart"), which is not in the button's name. */
function named(clause: string, restore: Restore): Intent {
  const removed = REMOVED.exec(clause)?.[1];
  const words = removed === undefined ? clause : `remove ${removed}`;
  return { kind: 'do', words: restore(words.replace(/\s+(?:the|a|an|my|der|die|das|den)\s+/giu, ' ')) };
}

const READERS: Readonly<Record<Verb, Reader>> = {
  back: () => [{ kind: 'back' }],
  submit: () => [{ kind: 'submit' }],
  open: (rest, restore) => {
    if (rest === '') return [];
    if (isAddress(restore(rest))) return [navigate(restore(rest))];
    return [{ kind: 'open', target: targetOf(rest, restore) }];
  },
  press: (rest, restore) => (rest === '' ? [] : [{ kind: 'press', target: targetOf(rest, restore) }]),
  search: (rest, restore) =>
    rest === '' ? [] : [{ kind: 'search', words: restore(rest.replace(/^(?:the|a|an|some) /i, '')) }],
  fill: readFill,
  type: readType,
  set: (rest, restore) => {
    const [, field, value] = /^(.+?)\s+(?:to|=|as|auf|zu)\s+(.+)$/iu.exec(rest) ?? [];
    return field === undefined || value === undefined ? [] : [set(field, value, 'type', restore)];
  },
  choose: readChoose,
  tick: (rest, restore) => tick(rest, restore, true),
  untick: (rest, restore) => tick(rest, restore, false),
  scroll: (rest) => [{ kind: 'scroll', way: WAYS.find(([word]) => word.test(rest))?.[1] ?? 'down' }],
  login: (rest, restore) => {
    const pairs = pairsOf(rest.replace(/^(?:with|as|mit|als)\s+/iu, ''), restore);
    return [...pairs, { kind: 'press', target: { name: 'log in' } }];
  },
  logout: () => [{ kind: 'press', target: { name: 'log out' } }],
  put: readPut,
  read: readQuestion,
};

const WAYS = [
  [/\b(?:top|ganz nach oben|anfang)\b/iu, 'top'],
  [/\b(?:bottom|end|ganz nach unten|ende)\b/iu, 'bottom'],
  [/\b(?:up|hoch|oben)\b/iu, 'up'],
] as const;

const navigate = (address: string): Intent => ({
  kind: 'navigate',
  url: /^https?:\/\//i.test(address) ? address : `${LOCAL.test(address) ? 'http' : 'https'}://${address}`,
});

const LOCAL = /^(?:localhost|[\d.]+)(?![\w.-])/i;

/** `example.com/about`, `localhost:7720`; a single word with a dot at its end is none. */
const isAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/i.test(text) ||
  /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z0-9-]+\.)+[a-z]{2,})(?::\d+)?(?:\/\S*)?$/i.test(text);

const ROLE_WORDS: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
  [/\b(?:button|knopf|schaltfläche|btn)\b/iu, ['btn']],
  [/\b(?:link|verweis)\b/iu, ['link']],
  [/\b(?:tab|reiter)\b/iu, ['tab']],
  [/\b(?:check ?box|box|kästchen|häkchen|option|switch|schalter)\b/iu, ['chk', 'switch', 'radio']],
  [/\b(?:menu item|menüpunkt)\b/iu, ['item']],
];
const ARTICLE = /^(?:(?:the|a|an|my|der|die|das|den|dem|auf)\s+)+/iu;
const PLACE_NOISE = /\s+(?:page|section|seite|bereich|an|on|here|hier)$/iu;

/** "the second Add button", "box 'I agree'". A word for a role counts at either end only. */
function targetOf(text: string, restore: Restore): Target {
  const { ordinal, rest } = takeOrdinal(text.replace(ARTICLE, ''));
  let name = rest.replace(ARTICLE, '').replace(PLACE_NOISE, '').trim();
  let roles: readonly string[] | undefined;
  for (const [word, short] of ROLE_WORDS) {
    const bare = name.replace(new RegExp(`^${word.source}\\s*|\\s*${word.source}$`, 'iu'), '').trim();
    if (bare === name || (bare === '' && ordinal === undefined)) continue;
    name = bare.replace(/^(?:called|named|namens|for|that says)\s+/iu, '');
    roles = short;
    break;
  }
  return {
    name: restore(name),
    ...(roles !== undefined && { roles }),
    ...(ordinal !== undefined && { ordinal }),
  };
}

const tick = (rest: string, restore: Restore, wanted: boolean): Intent[] =>
  rest === '' ? [] : [{ kind: 'tick', target: targetOf(rest.replace(/\s+an$/iu, ''), restore), wanted }];

function set(field: string, value: string, by: 'type' | 'choose', restore: Restore): Intent {
  return { kind: 'set', field: restore(fieldName(field)), value: restore(value), by };
}

const fieldName = (text: string): string =>
  text.replace(ARTICLE, '').replace(/\s+(?:field|box|feld|list|dropdown|menu|liste)$/iu, '');

/** "the form with name Ada, city Paris", "name with Ada", "in City with Paris". */
function readFill(rest: string, restore: Restore): readonly Intent[] {
  const plain = rest.replace(/\s+aus$/iu, '').replace(/\baus\s+mit\b/iu, 'mit');
  const form =
    /^(?:in |out )?(?:(?:the|this|my|das|dieses)\s+)?(?:[\p{L}-]+\s+)?(?:form|formular|fields|felder|details)(?![\p{L}])(?:\s+(?:in|out|aus))?\s*(?:with|as follows:?|mit|:)?\s*(.*)$/iu.exec(
      plain,
    );
  if (form) return form[1] === undefined || form[1] === '' ? [{ kind: 'form' }] : pairsOf(form[1], restore);
  const turned = /^(?:in\s+)?(.+?)\s+(?:into|in)\s+(.+)$/iu.exec(plain);
  if (turned?.[1] !== undefined && turned[2] !== undefined)
    return [set(turned[2], turned[1], 'type', restore)];
  return pairsOf(plain.replace(/^in\s+/iu, ''), restore);
}

/** "hello into Message", "hello". */
function readType(rest: string, restore: Restore): readonly Intent[] {
  const plain = rest.replace(/\s+ein$/iu, '');
  const [, value, field] =
    /^(.+?)\s+(?:into|in|in the|as|to|ins|in das|in die|als|bei)\s+(?:the |das |die |den )?([^\s].*)$/iu.exec(
      plain,
    ) ?? [];
  if (value !== undefined && field !== undefined) return [set(field, value, 'type', restore)];
  return plain === '' ? [] : [{ kind: 'set', field: '', value: restore(plain), by: 'type' }];
}

/** "Express as delivery", "Germany in Country", "the Express option". */
function readChoose(rest: string, restore: Restore): readonly Intent[] {
  const plain = rest.replace(/\s+aus$/iu, '').replace(ARTICLE, '');
  const [, value, field] =
    /^(.+?)\s+(?:as|in|from|for|under|als|bei|für|unter|aus)\s+(.+)$/iu.exec(plain) ?? [];
  if (value !== undefined && field !== undefined) return [set(field, bare(value), 'choose', restore)];
  const { ordinal } = takeOrdinal(plain);
  if (ordinal !== undefined) return [{ kind: 'open', target: targetOf(plain, restore) }];
  return plain === '' ? [] : [set('', bare(plain), 'choose', restore)];
}

const bare = (text: string): string => text.replace(/\s+(?:option|tab|one|delivery option)$/iu, '');

const CART =
  /^(?:cart|basket|bag|shopping (?:cart|basket|bag|list)|warenkorb|einkaufswagen|trolley|order)$/iu;

/** "two lamps to the cart"; into anything that is no cart, what is put is text. */
function readPut(rest: string, restore: Restore, said: string): readonly Intent[] {
  const [, what = rest, place = ''] =
    /^(.*?)\s*\b(?:to|into|in|onto|on|zum|in den|in die|auf die)\s+(?:the |my |your |den |die |meinen )?(\S.*)$/iu.exec(
      rest,
    ) ?? [];
  if (place !== '' && said === 'put' && !CART.test(place)) return [set(place, what, 'type', restore)];
  if (rest === '') return [];
  const { quantity, rest: counted } = takeQuantity(what.trim());
  const thing = counted.replace(
    /^(?:of\s+)?(?:(?:the|these|those|this|it|them|more|of|der|die|das|diese[nrs]?|es)(?:\s+|$))+/iu,
    '',
  );
  return [{ kind: 'put', thing: restore(thing), quantity: quantity ?? 1, place: restore(place) }];
}

const PRICED = /^how much|^wie ?viel|^was kostet|^was kosten/iu;

/** "the price of the lamp", "in the City field", "how much does the lamp cost". */
function readQuestion(rest: string, restore: Restore, said: string): readonly Intent[] {
  const plain = restore(rest.replace(ARTICLE, '').replace(/\s+(?:costs?|kostet|kosten)$/iu, ''));
  if (said === 'where am i') return [{ kind: 'read', what: 'title', of: '' }];
  if (/^how many|^wie ?viele/iu.test(said)) {
    const [, place = plain] = /\b(?:in|on|im)\s+(?:the |my |dem )?(.+)$/iu.exec(plain) ?? [];
    return [{ kind: 'read', what: 'number', of: place.replace(/^(?:is|are)\s+/i, '') }];
  }
  if (PRICED.test(said)) return plain === '' ? [] : [{ kind: 'read', what: 'price', of: plain }];
  const inside = /^(?:in|im)\s+(?:the |dem )?(.+?)(?:\s+field|\s+feld)?$/iu.exec(plain)?.[1];
  if (inside !== undefined) return [{ kind: 'read', what: 'value', of: inside }];
  const [, what = plain, of = ''] =
    /^(.+?)\s+(?:of|for|von|der|des)\s+(?:the |this |der |dem |des )?(.+)$/iu.exec(plain) ?? [];
  if (what === '') return [];
  const isHere = /^(?:this |the |dieser )?(?:page|site|seite)$/iu.test(of);
  return [{ kind: 'read', what: what.replace(ARTICLE, ''), of: isHere ? '' : of.replace(ARTICLE, '') }];
}
