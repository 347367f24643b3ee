import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS, stepsFrom } from './act-steps.ts';

const kinds = Object.keys(KINDS);
const docs = readFileSync(new URL('../../../../docs/agents/mcp.md', import.meta.url), 'utf8');

/** Fields that make each kind of step whole. */
const WHOLE: Readonly<Record<string, object>> = {
  drag: { id: '1', by: [1, 1] },
  wheel: { id: '1', by: [0, 9] },
  keys: { value: 'a' },
  key_down: { value: 'a' },
  key_up: { value: 'a' },
  wait_gone: { value: 'a' },
};
const NO_PLACE = ['accept_dialog', 'dismiss_dialog', 'wait', 'look'];
const whole = (kind: string): object =>
  WHOLE[kind] ??
  (NO_PLACE.includes(kind) ? {} : { id: '1', ...(/fill|type|select$|upload/.test(kind) && { value: 'a' }) });

test.each(kinds)('[BRG-183] %s refuses a field that it does not take, and names those it takes', (kind) => {
  expect(stepsFrom({ do: kind, ...whole(kind) }, 1)).toMatchObject([{ kind }]);
  const wrong = () => stepsFrom({ do: kind, ...whole(kind), colour: 'red' }, 1);
  expect(wrong).toThrow(new RegExp(`^${kind} takes .*; got \`colour\``));
  expect(wrong).not.toThrow(/element\.|browser\./);
});

test.each([
  [
    { do: 'dblclick', ref: '7' },
    { kind: 'double_click', id: '7' },
  ],
  [
    { do: 'press_key', key: 'Enter' },
    { kind: 'keys', value: 'Enter' },
  ],
  [
    { do: 'fill', uid: '7', text: 'a' },
    { kind: 'fill', id: '7', value: 'a' },
  ],
  [
    { do: 'mouse_move', x: 3, y: 4 },
    { kind: 'hover', at: [3, 4] },
  ],
  [
    { do: 'hold', element: '7', duration: 5 },
    { kind: 'hold', id: '7', ms: 5 },
  ],
  [
    { do: 'select_option', ref: '7', option: 'Red' },
    { kind: 'select', id: '7', value: 'Red' },
  ],
  [
    { do: 'click', role: 'button', name: 'Save' },
    { kind: 'click', target: 'button Save' },
  ],
])('[BRG-176] %j is read as ours', (given, ours) => {
  expect(stepsFrom(given, 1)).toMatchObject([ours]);
});

test('the documentation has every kind of step in its two tables', () => {
  const [, steps = '', hosts = ''] =
    /### Steps of act([\s\S]*?)### Where each step works([\s\S]*?)\n## /.exec(docs) ?? [];
  for (const table of [steps, hosts])
    expect(kinds.filter((kind) => !table.includes(`\`${kind}\``))).toEqual([]);
});
