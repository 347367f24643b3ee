import type { TSchema } from 'typebox';
import { BridgeError, withoutStack } from './bridge-error.ts';
import type { ErrorCode } from './error-codes.ts';
import { isObject, readJson } from './json-text.ts';
import { findMismatch, nameOf } from './mismatch.ts';

export interface Refusal {
  readonly path: string;
  readonly message: string;
  readonly code?: ErrorCode;
}

/** A rule across fields. Runs only on a message that matches its schema. */
export type Rule<Message> = (message: Message) => Refusal | undefined;

export interface ProtocolDefinition {
  /** The noun for a message in an error: "chat frame", "bridge item". */
  readonly noun: string;
  readonly maxChars: number;
  /** The code of a message that does not match. */
  readonly refuseWith: ErrorCode;
  readonly schemas: Readonly<Record<string, TSchema>>;
  /** Generated from the schemas by `npm run gen`. */
  readonly checks: Readonly<Record<string, (value: unknown) => boolean>>;
  /** The schema that the message claims to match. */
  readonly kindOf: (message: Readonly<Record<string, unknown>>) => string | Refusal;
  /** By kind and field (`subscribe.sessions`): the code for a field that does not match, when it is another. */
  readonly codes?: Readonly<Record<string, ErrorCode>>;
  /** Rewrites a message that fails its check, before the second and last check. */
  readonly adapt?: (kind: string, message: Readonly<Record<string, unknown>>) => object;
  /** By kind; each gets a message of that kind. */
  readonly rules?: Readonly<Record<string, Rule<never>>>;
}

export interface Protocol<Message> {
  /** Parses text into a typed message. Throws only BridgeErrors. */
  readonly parse: (text: string) => Message;
  /** The same for a JSON value from an in-process peer. */
  readonly read: (value: unknown) => Message;
  /** The name of a message's schema: its `type`, if it has one. */
  readonly kindOf: (message: unknown) => string;
}

export function defineProtocol<Message>(definition: ProtocolDefinition): Protocol<Message> {
  const { noun, maxChars, refuseWith, kindOf, adapt, codes = {}, rules = {} } = definition;
  const kinds = new Map(
    Object.entries(definition.schemas).map(([kind, schema]) => {
      const check = definition.checks[kind];
      if (check === undefined) throw new Error(`No generated check for ${noun} ${kind}: run npm run gen.`);
      return [kind, { schema, check, rule: rules[kind] as Rule<unknown> | undefined }];
    }),
  );

  const refuse = (refusal: Refusal, evidence: Record<string, unknown> = {}): BridgeError => {
    const path = cut(refusal.path, MAX_PATH_CHARS);
    const fieldPath = path === '' ? `The ${noun}` : `${noun}: ${path}`;
    return withoutStack(
      () =>
        new BridgeError(refusal.code ?? refuseWith, `${fieldPath} ${refusal.message}.`, {
          evidence: { path, ...evidence },
        }),
    );
  };

  const read = (given: unknown): Message => {
    if (!isObject(given)) throw refuse({ path: '', message: `must be a JSON object` });
    const kind = kindOf(given);
    if (typeof kind !== 'string') throw refuse(kind);
    const entry = kinds.get(kind);
    if (entry === undefined) throw refuse({ path: 'type', message: `is unknown: ${quote(kind)}` });
    const isKnown = entry.check(given);
    const value = isKnown ? given : (adapt?.(kind, given) ?? given);
    if (!isKnown && !entry.check(value)) {
      const { path, expected, came } = findMismatch(entry.schema, value);
      const message = `must be ${expected}; got ${came}`;
      const code = codes[`${kind}.${path.split(/[.[]/, 1).join()}`] ?? refuseWith;
      throw refuse({ path, message, code }, { kind, expected, came });
    }
    const refusal = entry.rule?.(value);
    if (refusal !== undefined) throw refuse(refusal, { kind });
    return value as Message;
  };

  return {
    read,
    parse(text) {
      const json = readJson(text, maxChars);
      if (!json.ok) throw refuse(json.problem);
      return read(json.value);
    },
    kindOf(message) {
      const kind = isObject(message) ? kindOf(message) : undefined;
      return typeof kind === 'string' ? kind : 'unknown';
    },
  };
}

const MAX_QUOTED_CHARS = 64;
/** Limits paths, because a peer chooses the length of their keys. */
const MAX_PATH_CHARS = 256;

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** A peer's own word in an error, truncated. */
export function quote(word: string): string {
  return JSON.stringify(cut(word, MAX_QUOTED_CHARS));
}

/** Reads the kind from a field that must be a non-empty string. */
export function kindFrom(key: string) {
  return (message: Readonly<Record<string, unknown>>): string | Refusal => {
    const kind = message[key];
    return typeof kind === 'string' && kind !== ''
      ? kind
      : { path: key, message: `must be a non-empty string that names the message; got ${nameOf(kind, {})}` };
  };
}
