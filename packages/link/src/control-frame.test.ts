import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ControlFrame, isControl, parseControl, writeControl } from './control-frame.ts';

test.each<ControlFrame>([
  { kind: 'hello', received: 0 },
  { kind: 'hello', received: 7, connection_id: 'c' },
  { kind: 'ack', received: 2 ** 40 },
  { kind: 'bye' },
])('%j is read as it was written', (frame) => {
  expect(parseControl(writeControl(frame))).toEqual(frame);
});

test.each([
  '',
  '{}',
  'drawbridge:',
  'drawbridge:null',
  'drawbridge:{"kind":"hello"}',
  'drawbridge:{"kind":"hello","received":-1}',
  'drawbridge:{"kind":"hello","received":1.5}',
  'drawbridge:{"kind":"hello","received":0,"connection_id":7}',
  'drawbridge:{"kind":"other","received":0}',
  `drawbridge:{"kind":"bye","x":"${'x'.repeat(2_000)}"}`,
])('%s says nothing', (text) => {
  expect(parseControl(text)).toBeUndefined();
});

test('reads no JSON as a control frame, and fails on no text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      expect(isControl(JSON.stringify(value))).toBe(false);
      parseControl(`drawbridge:${text}`);
    }),
  );
});
