import { BridgeError } from '../wire/bridge-error.ts';
import { endOfString, isObject, readJson } from '../wire/json-text.ts';
import { LIMITS } from '../wire/limits.ts';
import { quote } from '../wire/protocol.ts';

/** An action in the interact contract's form: `click(42)`, `setValue(13, "space x")`, `finish()`. */
export interface Action {
  readonly name: string;
  /** The first argument is always text, even when written as bare digits, because it is an element id. */
  readonly args: readonly ActionArgument[];
}

export type ActionArgument = string | number | boolean | null | Readonly<Record<string, unknown>>;

const NAME = /^\s*([A-Za-z][A-Za-z0-9_.]*)\s*\(/;
const CLOSE = /^\s*\)\s*$/;
const COMMA = /^\s*,/;
const BARE = /^\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?=\s*[,)])/;
const DOUBLE_QUOTED = /^\s*("(?:[^"\\]|\\.)*")/s;
const SINGLE_QUOTED = /^\s*'((?:[^'\\]|\\.)*)'/s;
const BARE_ID = /^\d+$/;

/** Writes an id of digits bare and any other text as a JSON string, so that it survives a round trip. */
export function formatAction({ name, args }: Action): string {
  const written = args.map((argument, place) =>
    place === 0 && typeof argument === 'string' && BARE_ID.test(argument)
      ? argument
      : JSON.stringify(argument),
  );
  return `${name}(${written.join(', ')})`;
}

export function parseAction(text: string): Action {
  if (text.length > LIMITS.interact_response.value) throw noAction(text);
  const name = NAME.exec(text);
  if (name?.[1] === undefined) throw noAction(text);
  const args: ActionArgument[] = [];
  let rest = text.slice(name[0].length);
  while (!CLOSE.test(rest)) {
    if (args.length > 0) rest = rest.slice(lengthOf(COMMA, rest, text));
    const { json, length } = readArgument(rest, text);
    args.push(args.length === 0 && BARE_ID.test(json) ? json : decode(json, text));
    rest = rest.slice(length);
  }
  return { name: name[1], args };
}

function readArgument(rest: string, text: string): { json: string; length: number } {
  const plain = BARE.exec(rest) ?? DOUBLE_QUOTED.exec(rest);
  if (plain?.[1] !== undefined) return { json: plain[1], length: plain[0].length };
  const single = SINGLE_QUOTED.exec(rest);
  if (single?.[1] !== undefined) return { json: asJsonString(single[1]), length: single[0].length };
  if (!rest.trimStart().startsWith('{')) throw noAction(text);
  const length = endOfObject(rest) + 1;
  return { json: rest.slice(0, length), length };
}

/** The index of the matching closing brace, or -1. Ignores braces inside strings. */
function endOfObject(rest: string): number {
  let depth = 0;
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at];
    if (char === '"') {
      at = endOfString(rest, at);
      if (at < 0) return -1;
    } else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at;
  }
  return -1;
}

function asJsonString(inside: string): string {
  const escaped = inside.replaceAll(/\\.|["\p{Cc}]/gsu, (piece) => {
    if (piece === "\\'") return "'";
    return piece.startsWith('\\') ? piece : JSON.stringify(piece).slice(1, -1);
  });
  return `"${escaped}"`;
}

function decode(json: string, text: string): ActionArgument {
  const result = readJson(json, LIMITS.interact_response.value);
  if (result.ok && isArgument(result.value)) return result.value;
  throw noAction(text);
}

function isArgument(value: unknown): value is ActionArgument {
  return value === null || isObject(value) || ['string', 'number', 'boolean'].includes(typeof value);
}

function lengthOf(pattern: RegExp, rest: string, text: string): number {
  const match = pattern.exec(rest);
  if (match === null) throw noAction(text);
  return match[0].length;
}

const noAction = (text: string): BridgeError =>
  new BridgeError('invalid_input', `${quote(text)} is no action; write one such as click(42) or finish().`, {
    evidence: { path: 'action' },
  });
