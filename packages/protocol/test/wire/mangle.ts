import { isObject } from '../../src/wire/json-text.ts';

/** Inputs for fuzzing: arbitrary text and mutated valid messages. */

export interface Random {
  /** A whole number from 0, below the limit. */
  readonly below: (limit: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  readonly oneIn: (count: number) => boolean;
}

/** Mulberry32: the same seed gives the same numbers on every machine. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    oneIn: (count) => below(count) === 0,
  };
}

const KEYS = [
  'type',
  'event',
  'success',
  'data',
  'protocol_version',
  'session_id',
  'message',
  'status',
  'plan',
  'tools',
  'x_new',
  '',
  '0',
  'length',
  'toString',
  'hasOwnProperty',
  'constructor',
  'prototype',
  '__proto__',
  '__defineGetter__',
  'a.b[0]/~1',
  '\ud800',
  'k'.repeat(3_000),
] as const;

const STRINGS = [
  '',
  ' ',
  '0',
  'null',
  '__proto__',
  'constructor',
  '2026-03-19T10:15:30.000Z',
  '{"socket_id":"1.2","activity_timeout":120}',
  '{"socket_id":{"__proto__":1}}',
  '\u0000\u001f\u007f\u2028',
  '\ud800',
  'a\udfff',
  '🦀'.repeat(100),
  'ﷺ'.repeat(257),
  'x'.repeat(5_000),
  '\\"'.repeat(300),
  '[{'.repeat(70),
] as const;

const ATTACKS = ['{"x":1}', '{"prototype":{"x":1}}', 'null'] as const;

const NUMBERS = [0, 1, 2, -1, 0.5, 1e-320, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1.7e308] as const;

function anyText(random: Random): string {
  if (random.oneIn(2)) return random.pick(STRINGS);
  const codes = Array.from({ length: random.below(12) }, () => random.below(random.oneIn(4) ? 0x10000 : 128));
  return String.fromCharCode(...codes);
}

/** Any JSON value, a few levels deep. */
function anyValue(random: Random, levels = 4): unknown {
  switch (random.below(levels > 0 ? 8 : 5)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return random.pick(NUMBERS);
    case 3:
    case 4:
      return anyText(random);
    case 5:
      return Array.from({ length: random.below(4) }, () => anyValue(random, levels - 1));
    default: {
      const object = {};
      for (let left = random.below(5); left > 0; left--)
        define(object, random.pick(KEYS), anyValue(random, levels - 1));
      return object;
    }
  }
}

/** Like JSON.parse: `__proto__` becomes a field. A list has no fields, so it grows. */
function define(holder: object, key: string, value: unknown): void {
  if (Array.isArray(holder) && !(key in holder && /^\d+$/.test(key))) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '"type"',
  '"__proto__"',
  'true',
  '-1e999',
  '\\u',
  '\n',
  'é',
] as const;

/** Text that resembles JSON, or not at all. */
function anyTokens(random: Random): string {
  return Array.from({ length: random.below(40) }, () => random.pick(TOKENS)).join('');
}

function nested(random: Random): string {
  const levels = random.oneIn(10) ? random.below(100_000) : random.below(130);
  return random.oneIn(2)
    ? '['.repeat(levels) + ']'.repeat(random.oneIn(2) ? levels : 0)
    : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

export function arbitraryText(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return anyTokens(random);
    case 1:
      return random.oneIn(20) ? nested(random) : anyText(random);
    default:
      return JSON.stringify(anyValue(random));
  }
}

interface Spot {
  readonly holder: object;
  readonly key: string;
}

/** A random field or item at any depth; undefined in an empty message. */
function anySpot(random: Random, message: unknown): Spot | undefined {
  let holder = message;
  let spot: Spot | undefined;
  while (typeof holder === 'object' && holder !== null) {
    const keys = Object.keys(holder);
    const key = keys[random.below(keys.length)];
    if (key === undefined) break;
    spot = { holder, key };
    if (random.oneIn(3)) break;
    holder = Reflect.get(holder, key);
  }
  return spot;
}

function swapType(random: Random, value: unknown): unknown {
  if (typeof value === 'string') return random.oneIn(2) ? value.length : [value];
  if (typeof value === 'number') return random.oneIn(2) ? String(value) : { value };
  if (Array.isArray(value)) return random.oneIn(2) ? { ...value } : value[0];
  if (isObject(value)) return random.oneIn(2) ? Object.values(value) : JSON.stringify(value);
  return String(value);
}

const otherCase = (key: string): string =>
  key.includes('_')
    ? key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    : key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Applies one mutation to one spot of a message. */
function mangleOnce(random: Random, message: unknown, another: () => unknown): void {
  const spot = anySpot(random, message);
  if (spot === undefined) return;
  const { holder, key } = spot;
  const value: unknown = Reflect.get(holder, key);
  switch (random.below(9)) {
    case 0:
      Reflect.deleteProperty(holder, key);
      break;
    case 1:
      Reflect.deleteProperty(holder, key);
      define(holder, random.oneIn(2) ? otherCase(key) : random.pick(KEYS), value);
      break;
    case 2:
      define(holder, key, anyValue(random, 2));
      break;
    case 3:
      define(holder, key, swapType(random, value));
      break;
    case 4:
      define(holder, random.pick(KEYS), anyValue(random, 2));
      break;
    case 5:
      define(holder, random.pick(['__proto__', 'constructor']), JSON.parse(random.pick(ATTACKS)));
      break;
    case 6:
      define(holder, key, random.pick(NUMBERS));
      break;
    case 7:
      define(holder, key, anyText(random));
      break;
    default: {
      const from = anySpot(random, another());
      if (from !== undefined) define(holder, key, Reflect.get(from.holder, from.key));
    }
  }
}

/** Applies one mutation to the text of a message. */
function mangleText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (random.below(8)) {
    case 0:
      return before;
    case 1:
      return before + after.slice(1 + random.below(8));
    case 2:
      return before + String.fromCharCode(random.below(random.oneIn(3) ? 0x10000 : 128)) + after.slice(1);
    case 3:
      return before + random.pick(TOKENS) + after;
    case 4:
      return before + after.slice(0, random.below(40)) + after;
    case 5:
      return text.replace(/[a-z_]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    case 6:
      return before + after.replace(/\d+/, '1e999');
    default:
      return before + after.replace(/:/, () => `:${nested(random)},"x":`);
  }
}

/** Grows a key or a string beyond every limit on a field, and sometimes on a message. */
function swollen(random: Random, text: string): string {
  const size = random.oneIn(8) ? 5_000_000 : random.below(300_000);
  const at = random.below(text.length);
  return text.slice(0, at) + text.slice(at).replace(/"(?=[:,}\]])/, () => `${'x'.repeat(size)}"`);
}

/** A valid message with one to three mutations; `texts` are the valid ones. */
export function mutatedText(random: Random, texts: readonly [string, ...string[]]): string {
  const text = random.pick(texts);
  if (random.oneIn(4)) return random.oneIn(100) ? swollen(random, text) : mangleText(random, text);
  const message: unknown = JSON.parse(text);
  const another = (): unknown => JSON.parse(random.pick(texts));
  for (let left = random.oneIn(3) ? 3 : 1; left > 0; left--) mangleOnce(random, message, another);
  const mangled = JSON.stringify(message);
  return random.oneIn(20) ? mangleText(random, mangled) : mangled;
}
