import { expect } from 'vitest';
import { BridgeError } from '../../src/wire/bridge-error.ts';
import { isObject } from '../../src/wire/json-text.ts';
import type { Protocol } from '../../src/wire/protocol.ts';

/** Helpers for tests of a message's shape. Paths are written like in errors: `sessions[2].status`. */

type Parser = Pick<Protocol<unknown>, 'parse'>;

export interface Refused {
  readonly code: string;
  readonly path: unknown;
  readonly message: string;
}

/** The refusal of a text; fails when it is accepted, or with anything but a BridgeError. */
export function refusalOfText(protocol: Parser, text: string): Refused {
  try {
    protocol.parse(text);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { code: error.code, path: error.evidence['path'], message: error.message };
  }
  throw new Error(`This was accepted: ${text.slice(0, 500)}`);
}

export const refusal = (protocol: Parser, value: unknown): Refused =>
  refusalOfText(protocol, JSON.stringify(value));

/** The value after a round trip through the parser. */
export const accepted = (protocol: Parser, value: unknown): unknown => protocol.parse(JSON.stringify(value));

export function without(sample: unknown, path: string): unknown {
  const { copy, holder, key } = open(sample, path);
  Reflect.deleteProperty(holder, key);
  return copy;
}

export function put(sample: unknown, path: string, value: unknown): unknown {
  const { copy, holder, key } = open(sample, path);
  Reflect.set(holder, key, value);
  return copy;
}

/** Every field of a value, at any depth. */
export function fieldsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fieldsOf(item, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [path, ...fieldsOf(inner, path)];
  });
}

/** Exactly these fields of the sample are required, at any depth; the error names each missing one. */
export function requiredFields(protocol: Parser, sample: unknown, fields: readonly string[]): void {
  expect(accepted(protocol, sample)).toEqual(sample);
  const { code } = refusal(protocol, []);
  for (const path of fieldsOf(sample)) {
    const rest = without(sample, path);
    if (fields.includes(path)) expect(refusal(protocol, rest)).toMatchObject({ code, path });
    else expect(accepted(protocol, rest), `without ${path}`).toEqual(rest);
  }
  expect(fieldsOf(sample)).toEqual(expect.arrayContaining([...fields]));
}

/**
 * One field of the sample accepts each good value unchanged, and the error names it for each bad one. `null` may
 * be read as an absent field (CHT-372).
 */
export function fieldTakes(
  protocol: Parser,
  sample: unknown,
  path: string,
  { good, bad }: { readonly good: readonly unknown[]; readonly bad: readonly unknown[] },
): void {
  const { code } = refusal(protocol, []);
  for (const value of good) {
    const message = put(sample, path, value);
    expect(accepted(protocol, message)).toEqual(message);
  }
  for (const value of bad) {
    const message = put(sample, path, value);
    if (value === null && isAccepted(protocol, message))
      expect(accepted(protocol, message)).toEqual(accepted(protocol, without(sample, path)));
    else expect(refusal(protocol, message)).toMatchObject({ code, path });
  }
}

function isAccepted(protocol: Parser, message: unknown): boolean {
  try {
    accepted(protocol, message);
    return true;
  } catch {
    return false;
  }
}

function open(sample: unknown, path: string): { copy: unknown; holder: object; key: string } {
  // Not structuredClone, which preserves shared objects.
  const copy: unknown = JSON.parse(JSON.stringify(sample));
  const segments = path.match(/[^.[\]]+/g) ?? [];
  const key = segments.pop() ?? '';
  let holder: unknown = copy;
  for (const segment of segments) holder = isHolder(holder) ? Reflect.get(holder, segment) : undefined;
  if (!isHolder(holder)) throw new Error(`The sample has no place for ${path}.`);
  return { copy, holder, key };
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;
