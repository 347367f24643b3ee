import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { MapOf } from './fields.ts';
import { findMismatch, type Mismatch } from './mismatch.ts';

/** The mismatch of a value that does not match its schema. */
function mismatch(schema: TSchema, value: unknown): Mismatch {
  expect(Check(schema, value)).toBe(false);
  return findMismatch(schema, value);
}

const Session = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 8 }),
  status: Type.Enum(['healthy', 'degraded']),
  tags: Type.Optional(Type.Array(Type.String())),
});
const Snapshot = Type.Object({ sessions: Type.Array(Session), by_id: Type.Optional(MapOf(Session)) });

const good = { id: 'a', status: 'healthy' };

test.each([
  [{ sessions: [good, good, { id: 'a', status: 'ill' }] }, 'sessions[2].status'],
  [{ sessions: [{ ...good, tags: ['x', 7] }] }, 'sessions[0].tags[1]'],
  [{ sessions: [good, { id: 'a' }] }, 'sessions[1].status'],
  [{ sessions: [good, 'a'] }, 'sessions[1]'],
  [{ sessions: [], by_id: { 'sess-1': { id: 'a' } } }, 'by_id.sess-1.status'],
  [{ sessions: [], by_id: { 42: { id: 'a' } } }, 'by_id.42.status'],
  [{ sessions: [], by_id: { 'a/b~c': { id: 'a' } } }, 'by_id.a/b~c.status'],
  [{ sessions: {} }, 'sessions'],
  [{}, 'sessions'],
  [[], ''],
])('the path of %j is %s', (value, path) => {
  expect(mismatch(Snapshot, value).path).toBe(path);
});

const ORDER = {
  type: 'object',
  properties: {
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
    gift: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/line' }] },
    parts: { type: 'array', items: { $ref: '#' } },
    note: { $ref: '#/$defs/a~1b' },
    circle: { $ref: '#/$defs/circle' },
  },
  allOf: [{ properties: { total: { type: 'number' } }, required: ['total'] }],
  $defs: {
    line: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    'a/b': { type: 'string' },
    circle: { $ref: '#/$defs/circle' },
  },
};

test.each([
  [{ total: 1, lines: [{ name: 'tea' }, { name: 7 }] }, 'lines[1].name', 'a string'],
  [{ total: 1, lines: [{}] }, 'lines[0].name', 'a string'],
  [{ total: 1, gift: { name: 7 } }, 'gift.name', 'a string'],
  [{ total: 1, gift: 'tea' }, 'gift', 'null, or an object'],
  [{ total: 1, parts: [{ total: 2, parts: [{}] }] }, 'parts[0].parts[0].total', 'a number'],
  [{ total: 1, note: 7 }, 'note', 'a string'],
  [{ lines: [] }, 'total', 'a number'],
])('follows references within a schema: %j', (value, path, expected) => {
  expect(mismatch(ORDER, value)).toMatchObject({ path, expected });
});

test('leaves references in a circle out', () => {
  expect(findMismatch(ORDER, { total: 1, circle: 7, note: 7 })).toMatchObject({ path: 'note' });
});

test('the first of several wrong fields is named', () => {
  expect(mismatch(Snapshot, { sessions: [{ id: '', status: 'ill' }, 7] }).path).toBe('sessions[0].id');
});

const held = (schema: TSchema, value: unknown) => mismatch(Type.Object({ field: schema }), { field: value });

test.each([
  [Type.String(), 7, 'a string'],
  [Type.String({ minLength: 1 }), '', 'a non-empty string'],
  [Type.String({ maxLength: 2 }), 'abc', 'a string of at most 2 characters'],
  [Type.String({ minLength: 1, maxLength: 2 }), '', 'a non-empty string of at most 2 characters'],
  [Type.String({ pattern: '^x$', description: 'an x' }), 'y', 'an x'],
  [Type.Integer({ minimum: 1 }), 1.5, 'a whole number from 1'],
  [Type.Integer({ minimum: 1, maximum: 9 }), 10, 'a whole number from 1 to 9'],
  [Type.Number(), '1', 'a number'],
  [Type.Number({ maximum: 100 }), 101, 'a number to 100'],
  [Type.Boolean(), 'true', 'true or false'],
  [Type.Null(), 0, 'null'],
  [Type.Array(Type.String()), 'x', 'a list'],
  [Type.Array(Type.String(), { minItems: 1 }), [], 'a list with at least one item'],
  [Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'a list of at most 1 items'],
  [Type.Tuple([Type.Number(), Type.Number()]), [1], 'a list of exactly 2'],
  [Type.Tuple([Type.Number(), Type.Number()]), [1, 2, 3], 'a list of exactly 2'],
  [Type.Object({}), [], 'an object'],
  [Type.Literal('yes'), 'no', '"yes"'],
  [Type.Enum(['ok', 'gap']), 'hole', 'one of "ok", "gap"'],
  [Type.Union([Type.Integer(), Type.String()]), true, 'a whole number, or a string'],
])('the expected value of %j is described in words', (schema, value, expected) => {
  expect(held(schema, value)).toMatchObject({ path: 'field', expected });
});

test('a missing field is reported with its expected value and nothing as the actual one', () => {
  const schema = Type.Object({ size: Type.Integer({ minimum: 0 }) });
  expect(mismatch(schema, {})).toEqual({ path: 'size', expected: 'a whole number from 0', came: 'nothing' });
});

test.each([
  [null, 'null'],
  [7, '7'],
  [-1.5, '-1.5'],
  [true, 'true'],
  [[1, 2, 3], 'a list of 3'],
  [{ a: 1 }, 'an object'],
  ['', 'an empty string'],
  ['hunter2', 'a string of 7 characters'],
])('the value %j is described without quoting it', (value, came) => {
  const schema = typeof value === 'string' ? Type.Integer() : Type.String();
  expect(held(schema, value).came).toBe(came);
});

test('a short word is quoted only where a fixed word was expected', () => {
  expect(held(Type.Enum(['ok', 'gap']), 'hole').came).toBe('"hole"');
  expect(held(Type.Literal('yes'), 'no').came).toBe('"no"');
  expect(held(Type.String({ maxLength: 3 }), 'hunter2').came).toBe('a string of 7 characters');
});

test('a wrong long string is never quoted', () => {
  const secret = `sk-${'s3cr3t'.repeat(20)}`;
  const schemas = [
    Type.Integer(),
    Type.String({ maxLength: 10 }),
    Type.Enum(['ok']),
    Type.Literal('ok'),
    Type.Array(Type.String()),
    Type.Union([Type.Object({ type: Type.Literal('a') }), Type.Object({ type: Type.Literal('b') })]),
  ];
  for (const schema of schemas) expect(JSON.stringify(held(schema, secret))).not.toContain('s3cr3t');
  const kinds = Type.Union([
    Type.Object({ type: Type.Literal('a') }),
    Type.Object({ type: Type.Literal('b') }),
  ]);
  expect(JSON.stringify(held(kinds, { type: secret }))).not.toContain('s3cr3t');
});

const Up = Type.Object({ type: Type.Literal('up'), session: Session });
const Down = Type.Object({ type: Type.Literal('down'), reason: Type.String() });
const Events = Type.Object({ events: Type.Array(Type.Union([Up, Down])) });

test.each([
  [{ type: 'down' }, 'events[1].reason', 'a string', 'nothing'],
  [
    { type: 'up', session: { ...good, status: 'ill' } },
    'events[1].session.status',
    'one of "healthy", "degraded"',
    '"ill"',
  ],
  [{ type: 'sideways' }, 'events[1].type', 'one of "up", "down"', '"sideways"'],
  [{ reason: 'none' }, 'events[1].type', 'one of "up", "down"', 'nothing'],
  [7, 'events[1]', 'an object, or an object', '7'],
])('the wrong event %j is reported for its own kind only', (event, path, expected, came) => {
  const value = { events: [{ type: 'down', reason: '' }, event] };
  expect(mismatch(Events, value)).toEqual({ path, expected, came });
});

test('frames of Pusher are distinguished by event', () => {
  const kind = (name: string) => Type.Object({ event: Type.Literal(name), data: Type.String() });
  const schema = Type.Union([kind('ping'), kind('pong')]);
  expect(mismatch(schema, { event: 'pong', data: 7 })).toEqual({
    path: 'data',
    expected: 'a string',
    came: '7',
  });
});

test('a union without kinds is reported by its one branch of the actual type', () => {
  const schema = Type.Union([Session, Type.Null()]);
  expect(held(schema, { id: 'a' })).toMatchObject({ path: 'field.status', came: 'nothing' });
  expect(held(schema, [])).toMatchObject({
    path: 'field',
    expected: 'an object, or null',
    came: 'a list of 0',
  });
  const id = Type.Union([Type.Integer({ minimum: 1 }), Type.String({ minLength: 1 })]);
  expect(held(id, 0)).toEqual({ path: 'field', expected: 'a whole number from 1', came: '0' });
  expect(held(id, '')).toEqual({ path: 'field', expected: 'a non-empty string', came: 'an empty string' });
  const selectors = Type.Union([Type.String(), Type.Array(Type.String())]);
  expect(held(selectors, ['a', 7])).toEqual({ path: 'field[1]', expected: 'a string', came: '7' });
});

test('an additional field in a closed object is named', () => {
  const closed = Type.Object({ id: Type.String() }, { additionalProperties: false });
  const schema = Type.Object({ steps: Type.Array(closed) });
  expect(mismatch(schema, { steps: [{ id: 'a', idd: 'typo' }] })).toEqual({
    path: 'steps[0].idd',
    expected: 'absent, as there is no such field',
    came: 'a string of 4 characters',
  });
});
