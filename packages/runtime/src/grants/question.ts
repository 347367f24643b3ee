import type { EffectClass } from '@drawbridge/protocol';
import type { Purpose } from './purpose.ts';

const MAX_VALUE_CHARS = 120;
const MAX_LINES = 12;

/** What a call would do, as one sentence that a person reads before they say yes. */
export function sentenceOf(name: string, origin: string, effect: EffectClass, purpose?: Purpose): string {
  if (effect === 'act' && purpose?.form !== undefined) return `Send this form to ${hostOf(purpose.form.to)}?`;
  const what = purpose?.label === undefined ? name : `${name} on “${shorten(purpose.label)}”`;
  const weight = effect === 'irreversible' ? ', which may not be undone' : '';
  return `${what} at ${origin}${weight}`;
}

/** The arguments in words, one line each. Values that a secret field would get are dots. */
export function dataOf(args: Readonly<Record<string, unknown>>, purpose?: Purpose): string[] {
  const lines = leavesOf(args).map(([path, value]) =>
    purpose?.secret === true && isWritten(path, value) ? `${path}: •••` : `${path}: ${shorten(value)}`,
  );
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}

/** A question about a form does not name the button in its sentence. */
export const pressedLine = (purpose?: Purpose): string => `pressing: “${shorten(purpose?.label ?? '')}”`;

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : shorten(origin));

/** A key that is named does not spell a secret; one that is a character does. */
const isWritten = (path: string, value: string): boolean =>
  WRITES.test(path) || (KEYS.test(path) && [...value].length === 1);

const WRITES = /^(?:text|value|html)$/;
const KEYS = /^keys?(?:\.\d+)?$/;

function leavesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      leavesOf(inner, path === '' ? key : `${path}.${key}`),
    );
  }
  return path === '' ? [] : [[path, String(value)]];
}

/** On one line: a value must not look like another line of the question. */
function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length <= MAX_VALUE_CHARS ? line : `${line.slice(0, MAX_VALUE_CHARS - 1)}…`;
}
