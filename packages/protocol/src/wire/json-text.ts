import { LIMITS } from './limits.ts';

export interface JsonProblem {
  readonly path: string;
  readonly message: string;
}

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem };

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const refuse = (path: string, message: string): JsonResult => ({ ok: false, problem: { path, message } });

/**
 * Parses JSON text, or returns the problem. Size and depth are checked before JSON.parse, which needs 0.4 s
 * for a million brackets and whose result would overflow the stack of recursive code.
 */
export function readJson(text: string, maxChars: number): JsonResult {
  if (text.length > maxChars)
    return refuse('', `is ${text.length} characters long; the limit is ${maxChars}`);
  if (isDeeperThan(text, LIMITS.depth.value)) {
    return refuse('', `nests deeper than ${LIMITS.depth.value} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse('', `is not JSON${positionOf(error)}`);
  }
  if (mayNamePrototype(text)) {
    const path = findPrototypeKey(value, '');
    if (path !== undefined)
      return refuse(path, 'is a key that reaches an object prototype, which is never allowed');
  }
  return { ok: true, value };
}

/** The engine's message quotes the text, which may contain a secret, so only the position is used. */
function positionOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (position !== undefined) return `, from character ${Number(position) + 1} on`;
  return message.startsWith('Unexpected end of JSON') ? ': it ends too early' : '';
}

function isDeeperThan(text: string, limit: number): boolean {
  if (count(text, '{', limit) + count(text, '[', limit) <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth++;
      if (depth > limit) return true;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth--;
  }
  return false;
}

/** Counts a character in a text, inside strings too; stops beyond the limit. */
function count(text: string, character: string, limit: number): number {
  let found = 0;
  let at = text.indexOf(character);
  while (at >= 0 && found <= limit) {
    found++;
    at = text.indexOf(character, at + 1);
  }
  return found;
}

/** The index of the quote that ends the string opened at `start`, or -1. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** Cheap, and without false negatives: a prototype key is either spelled out or written with \u. */
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('prototype') || text.includes('\\u');
}

/** Recursion is safe: the depth was checked before. */
function findPrototypeKey(value: unknown, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') return here;
    if (key === 'constructor' && isObject(inner) && Object.hasOwn(inner, 'prototype'))
      return `${here}.prototype`;
    const found = findPrototypeKey(inner, here);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
