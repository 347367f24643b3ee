import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS, stepsFrom } from './act-steps.ts';

const kinds = Object.keys(KINDS);
const docs = readFileSync(new URL('../../../../docs/agents/mcp.md', import.meta.url), 'utf8');

/** Fields that make each kind of step whole. */
const WHOLE: Readonly<Record<string, object>> = {
  drag: { id: '1', by: [1, 1] },
  swipe: { id: '1', by: [1, 1] },
  wheel: { id: '1', by: [0, 9] },
  keys: { value: 'a' },
  key_down: { value: 'a' },
  key_up: { value: 'a' },
  wait_gone: { value: 'a' },
};
const NO_PLACE = ['accept_dialog', 'dismiss_dialog', 'wait', 'look', 'screenshot'];
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
    { do: 'click', element: 'Save button', ref: '7', button: 'right' },
    { kind: 'right_click', id: '7' },
  ],
  [
    { action: 'click', element: 'button Save', clickCount: 3 },
    { kind: 'triple_click', target: 'button Save' },
  ],
  [
    { do: 'click', ref: '7', doubleClick: true, button: 'left' },
    { kind: 'double_click', id: '7' },
  ],
  [
    { do: 'click', ref: '7', button: 'middle', clickCount: 1, position: { x: 1, y: 2 } },
    { kind: 'middle_click', id: '7', at: [1, 2] },
  ],
  [
    { action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] },
    { kind: 'drag', at: [1, 2], to: [3, 4] },
  ],
  [
    { do: 'drag', startElement: 'Lamp', startRef: '7', endElement: 'Attic', endRef: '8' },
    { kind: 'drag', id: '7', value: '8' },
  ],
  [
    { do: 'click', coordinate: [3, 4] },
    { kind: 'click', at: [3, 4] },
  ],
  [
    { do: 'click', role: 'button', name: 'Save' },
    { kind: 'click', target: 'button Save' },
  ],
])('[BRG-176] %j is read as ours', (given, ours) => {
  expect(stepsFrom(given, 1)).toMatchObject([ours]);
});

test.each([
  [{ do: 'click', id: '1', button: 'side' }, '`button` is left, right or middle'],
  [{ do: 'click', id: '1', clickCount: 4 }, '`clickCount` is 1, 2 or 3'],
  [{ do: 'click', id: '1', button: 'right', clickCount: 2 }, 'is a single click'],
  [{ do: 'hover', id: '1', button: 'right' }, 'got `button`'],
])('[BRG-176] %j is refused', (given, why) => {
  expect(() => stepsFrom(given, 1)).toThrow(why);
});

test('the documentation has every kind of step in its two tables', () => {
  const [, steps = '', hosts = ''] =
    /### Steps of act([\s\S]*?)### Where each step works([\s\S]*?)\n## /.exec(docs) ?? [];
  for (const table of [steps, hosts])
    expect(kinds.filter((kind) => !table.includes(`\`${kind}\``))).toEqual([]);
});
