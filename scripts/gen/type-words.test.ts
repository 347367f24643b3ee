import { type TSchema, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { plain } from './schema-node.ts';
import { limitsInWords, meaningInWords, typeInWords } from './type-words.ts';

const Id = Type.String({ minLength: 1, maxLength: 256 });
const Session = Type.Object({ id: Id });
const shapes = [
  { name: 'id', node: plain(Id) },
  { name: 'Session', node: plain(Session) },
];

const TYPES: readonly (readonly [string, TSchema])[] = [
  ['string', Type.String()],
  ['whole number', Type.Integer()],
  ['boolean', Type.Boolean()],
  ['any JSON value', Type.Unknown()],
  ['`"execution"`', Type.Literal('execution')],
  ['one of `ok`, `failed`', Type.Enum(['ok', 'failed'])],
  ['id', Id],
  ['[Session](#session)', Session],
  ['list of [Session](#session)', Type.Array(Session)],
  ['[Session](#session) or null', Type.Union([Session, Type.Null()])],
  ['[number, number]', Type.Tuple([Type.Number(), Type.Number()])],
  ['map of id', Type.Unsafe({ type: 'object', additionalProperties: Id })],
  ['object', Type.Object({ id: Id, name: Id })],
  [
    'one of [`session_up`](#session_up), [`session_down`](#session_down)',
    Type.Union([
      Type.Object({ type: Type.Literal('session_up') }),
      Type.Object({ type: Type.Literal('session_down') }),
    ]),
  ],
];

test.each(TYPES)('a type in words: %s', (words, schema) => {
  expect(typeInWords(plain(schema), shapes)).toBe(words);
});

const LIMITS: readonly (readonly [string, TSchema])[] = [
  ['', Type.String()],
  ['', Id],
  ['not empty', Type.String({ minLength: 1 })],
  ['at most 1,000,000 characters', Type.String({ maxLength: 1_000_000 })],
  ['1 to 500 characters', Type.String({ minLength: 1, maxLength: 500 })],
  ['matches `^a`', Type.String({ pattern: '^a' })],
  ['a time in UTC', Type.String({ pattern: '^\\d', description: 'a time in UTC' })],
  ['', Type.Integer({ minimum: 0 })],
  ['1 or more', Type.Integer({ minimum: 1 })],
  ['0 to 100', Type.Number({ minimum: 0, maximum: 100 })],
  [
    'at most 20 items; each at most 200 characters',
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 }),
  ],
  ['', Type.Tuple([Type.Number(), Type.Number()])],
  ['no other fields', Type.Object({}, { additionalProperties: false })],
];

describe('limits in words', () => {
  test.each(LIMITS)('"%s"', (words, schema) => {
    expect(limitsInWords(plain(schema), shapes).join('; ')).toBe(words);
  });
});

test('the meaning of a small type is one phrase', () => {
  expect(meaningInWords(plain(Id), [])).toBe('string (1 to 256 characters)');
  expect(meaningInWords(plain(Type.Union([Type.Integer({ minimum: 1 }), Id])), shapes)).toBe(
    'whole number (1 or more), or id',
  );
});
