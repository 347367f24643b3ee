import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { refusal, refusalOfText } from '../../test/wire/parse.ts';
import { WIRES } from '../../test/wire/samples.ts';
import { bridge } from '../bridge/protocol.ts';
import { BridgeError } from './bridge-error.ts';
import { LIMITS } from './limits.ts';
import { defineProtocol, kindFrom, quote } from './protocol.ts';

const MOST: Readonly<Record<string, number>> = {
  interactRequest: LIMITS.interact_request.value,
  interactResponse: LIMITS.interact_response.value,
  tasks: LIMITS.task_message.value,
  manifest: LIMITS.manifest.value,
};

test.each(WIRES)('$name reads a message of exactly its limit and refuses a longer one', (wire) => {
  const most = MOST[wire.name] ?? LIMITS.frame.value;
  const [sample] = Object.values(wire.samples);
  const text = JSON.stringify(sample).padEnd(most);
  expect(wire.parse(text)).toEqual(sample);
  expect(refusalOfText(wire, `${text} `)).toMatchObject({
    path: '',
    message: expect.stringContaining(`the limit is ${most}`),
  });
});

const Note = Type.Object({ type: Type.Literal('note'), text: Type.String() });

const definition = {
  noun: 'note',
  maxChars: 10_000,
  refuseWith: 'invalid_input',
  schemas: { note: Note },
  checks: { note: (value: unknown) => Object.hasOwn(Object(value), 'text') },
  kindOf: kindFrom('type'),
} as const;

const notes = defineProtocol<{ type: 'note'; text: string }>(definition);

test('a JSON value is read like its text', () => {
  const note = { type: 'note', text: 'hello' };
  expect(notes.read(note)).toBe(note);
  expect(notes.parse(JSON.stringify(note))).toEqual(note);
  expect(() => notes.read({ type: 'note' })).toThrow(BridgeError);
  for (const value of [null, 'note', 7, [note], undefined])
    expect(() => notes.read(value)).toThrow(BridgeError);
});

test('an error has its subject, path, the expected and the actual value', () => {
  expect(refusal(notes, { type: 'note' })).toEqual({
    code: 'invalid_input',
    path: 'text',
    message: 'note: text must be a string; got nothing.',
  });
  expect(refusal(notes, 7).message).toMatch(/^The note must be a JSON object/);
});

test('the evidence of an error has the same for programs', () => {
  try {
    notes.read({ type: 'note' });
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      evidence: { kind: 'note', path: 'text', expected: 'a string', came: 'nothing' },
    });
  }
});

test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('%s is no kind of message', (type) => {
  expect(refusal(notes, JSON.parse(`{"type":"${type}"}`))).toMatchObject({
    path: 'type',
    message: expect.stringContaining(`"${type}"`),
  });
});

test("a peer's text is cut before it is put into an error", () => {
  expect(quote('x'.repeat(64))).toBe(`"${'x'.repeat(64)}"`);
  expect(quote('x'.repeat(65))).toBe(`"${'x'.repeat(64)}…"`);
  expect(refusal(notes, { type: 'x'.repeat(1_000) }).message.length).toBeLessThan(200);
  const long = refusalOfText(notes, `{"${'k'.repeat(1_000)}":{"__proto__":1}}`);
  expect(long.path).toBe(`${'k'.repeat(256)}…`);
  expect(long.message.length).toBeLessThan(500);
});

test('a rule across fields runs after the schema, and may have its own code', () => {
  const strict = defineProtocol({
    ...definition,
    rules: {
      note: ({ text }: { readonly text: string }) =>
        text === 'secret' ? { path: 'text', message: 'must be kept', code: 'permission_denied' } : undefined,
    },
  });
  expect(refusal(strict, { type: 'note', text: 'secret' })).toEqual({
    code: 'permission_denied',
    path: 'text',
    message: 'note: text must be kept.',
  });
  expect(refusal(strict, { type: 'note' }).code).toBe('invalid_input');
  expect(strict.read({ type: 'note', text: 'open' })).toEqual({ type: 'note', text: 'open' });
});

test('a schema without its generated check fails when the protocol is defined', () => {
  expect(() => defineProtocol({ ...definition, checks: {} })).toThrow('npm run gen');
});

test('kindOf names the kind of a parsed message, and unknown for anything else', () => {
  expect(notes.kindOf({ type: 'note', text: '' })).toBe('note');
  for (const value of [null, 7, {}, { type: 7 }, []]) expect(notes.kindOf(value)).toBe('unknown');
});

test('a refused message has no stack', () => {
  const limit = Error.stackTraceLimit;
  expect(() => bridge.parse('{}')).toThrow(
    expect.objectContaining({ stack: expect.not.stringContaining(' at ') }),
  );
  expect(Error.stackTraceLimit).toBe(limit);
});
