import type { RuntimeView } from '@drawbridge/bridge';
import type { BridgeItem } from '@drawbridge/protocol';
import { type MapChoice, singleMap } from '@drawbridge/runtime';
import { expect, test } from 'vitest';
import { createEventLog, eventLines, type LiveEvent } from './event-log.ts';

const view = (url: string): RuntimeView => ({
  runtime_id: 'r1',
  ready: { type: 'runtime_ready', runtime_id: 'r1', url, title: 'A shop' },
  liveness: 'awake',
});

const choice = async (): Promise<MapChoice> => ({
  ...(await singleMap({ protocol: 'actions.json', version: 1, tools: [] }).mapFor('')),
  address: 'local:/maps/shop/actions.json',
  candidates: ['local:/maps/shop/actions.json', 'storage:public/shop'],
});

function log() {
  const events: LiveEvent[] = [];
  let now = 0;
  const made = createEventLog(
    (event) => events.push(event),
    () => {
      now += 10;
      return now;
    },
  );
  return { ...made, events };
}

test('reports a tab when it appears, changes and goes, not at each heartbeat', async () => {
  const { runtime, gone, events } = log();
  const map = await choice();
  runtime(view('https://shop.example/'), map);
  runtime(view('https://shop.example/'), map);
  runtime(view('https://shop.example/cart'), map);
  gone('r1', 'the tab was closed');
  gone('r1', 'the tab was closed');
  expect(events.map(({ event }) => event)).toEqual(['runtime', 'runtime', 'gone']);
  expect(events[0]).toMatchObject({ map: { why: 'a file that you named, before 1 other', valid: true } });
});

const call = (call_id: string): BridgeItem => ({
  type: 'action_call',
  call_id,
  runtime_id: 'r1',
  name: 'cart.add',
  arguments: { card: '4111 1111 1111 1111' },
});

test('reports a call with its answer, without its arguments', () => {
  const { traffic, events } = log();
  traffic('in', call('c1'));
  traffic('in', call('c2'));
  traffic('out', { type: 'action_call_output', call_id: 'c2', runtime_id: 'r1', output: {} });
  const error = { code: 'invalid_input', message: 'No.' };
  traffic('out', { type: 'action_error', call_id: 'c1', runtime_id: 'r1', error });
  traffic('out', { type: 'action_error', runtime_id: 'r1', error });
  expect(events.slice(2)).toEqual([
    { event: 'answer', call_id: 'c2', name: 'cart.add', ok: true, ms: 10 },
    { event: 'answer', call_id: 'c1', name: 'cart.add', ok: false, ms: 30, ...error },
  ]);
  expect(JSON.stringify(events)).not.toContain('4111');
});

test('lines fit a narrow terminal, and a page starts none', async () => {
  const { runtime, traffic, events } = log();
  const long = view(`https://shop.example/${'x'.repeat(200)}`);
  const title = `Shop\r\ncall ${'y '.repeat(100)}\u001b[2J`;
  runtime({ ...long, ready: { ...long.ready, title } }, await choice());
  traffic('in', { ...call('c1'), name: 'z'.repeat(90) } as BridgeItem);
  const error = { code: 'invalid_input', message: 'word '.repeat(40) };
  traffic('out', { type: 'action_error', call_id: 'c1', runtime_id: 'r1', error });
  const terminal = { stdin: process.stdin, print: () => {}, printError: () => {} };
  const lines = events.flatMap((event) => eventLines(event, terminal));
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  expect(lines.filter((line) => /^\S/.test(line)).map((line) => line.slice(0, 4))).toEqual([
    'tab ',
    'call',
    'fail',
  ]);
});
