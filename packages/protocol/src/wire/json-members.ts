import { endOfString } from './json-text.ts';

/** Parts of JSON text as written. Every function trusts that its text is JSON. */

/** A member of an object: its name and its value, each as JSON text. */
interface Member {
  readonly key: string;
  readonly value: string;
}

const SPACE = /[^\t\n\r ]/g;
const QUOTE = 34;
const OPENING = '{[';
const CLOSING = '}]';

/** The index of the next character that is no space. */
function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  return SPACE.exec(text)?.index ?? text.length;
}

/** The index after the value that begins at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') {
      at = endOfString(text, at);
      if (depth === 0) return at + 1;
    } else if (OPENING.includes(char)) depth++;
    else if (depth === 0 && (char === ',' || CLOSING.includes(char) || char <= ' ')) return at;
    else if (CLOSING.includes(char)) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** The items of an array. */
export function itemsOf(text: string): readonly string[] {
  const items: string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (at < text.length && text.charAt(at) !== ']') {
    const end = endOfValue(text, at);
    items.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return items;
}

/** The members of an object, in order. The last member of a name counts, as for `JSON.parse`. */
export function membersOf(text: string): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfString(text, at) + 1;
    const key = text.slice(at, end);
    const start = skipSpace(text, skipSpace(text, end) + 1);
    const after = endOfValue(text, start);
    const name = key.includes('\\') ? String(JSON.parse(key)) : key.slice(1, -1);
    members.set(name, { key, value: text.slice(start, after) });
    at = skipSpace(text, after);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** The object with these members set to values given as JSON text. */
export function withMembers(text: string, changes: Readonly<Record<string, string>>): string {
  const members = new Map(membersOf(text));
  for (const [name, value] of Object.entries(changes))
    members.set(name, { key: members.get(name)?.key ?? JSON.stringify(name), value });
  return objectText(members.values());
}

const objectText = (members: Iterable<Member>): string =>
  `{${[...members].map(({ key, value }) => `${key}:${value}`).join(',')}}`;

/**
 * An object as JSON, with each member that `source` has too as it is written there: `1.0` stays `1.0`, a long
 * integer keeps its digits, and names and escapes stay as they are.
 */
export function asWritten(value: object, source: string): string {
  const left = new Map(Object.entries(value));
  const members: Member[] = [];
  for (const [name, { key, value: written }] of membersOf(source)) {
    const own: unknown = left.get(name);
    if (own === undefined) continue;
    left.delete(name);
    const text = JSON.stringify(own);
    const isSame = written === text || JSON.stringify(JSON.parse(written)) === text;
    members.push({ key, value: isSame ? written : text });
  }
  for (const [name, own] of left)
    if (own !== undefined) members.push({ key: JSON.stringify(name), value: JSON.stringify(own) });
  return objectText(members);
}
