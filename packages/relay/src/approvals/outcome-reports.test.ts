import type { CallRequest, RuntimeView } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { BridgeError, type Question } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { createOutcomeReports } from './outcome-reports.ts';
import { seenIn } from './outcome-words.ts';

const TAB: RuntimeView = {
  ...{ runtime_id: 'tab', liveness: 'awake' },
  ready: { type: 'runtime_ready', runtime_id: 'tab', url: 'https://shop.example/', title: 'Shop' },
};
const LED_ON = { effect: { navigation: 'document', url: { to: 'https://shop.example/paid' } } };
const QUESTION: Question = {
  ...{ question_id: 'q1', call_id: 'c1', runtime_id: 'tab', origin: 'https://shop.example' },
  ...{ name: 'order.place', effect: 'irreversible', sentence: 'Place the order.', data: [] },
  ...{ call_hash: 'hash', timeout_ms: 60_000, expires_at: 0 },
};

/** Reports a call that led to another page, where every look is refused. */
async function reportOf(tab: RuntimeView) {
  const calls: CallRequest[] = [];
  const written: string[] = [];
  const call = (request: CallRequest) => {
    calls.push(request);
    const output = Promise.reject(new BridgeError('permission_denied', 'A person refused it.'));
    return { call_id: 'look', output, cancel() {} };
  };
  const reports = createOutcomeReports({
    clock: systemClock,
    bridge: () => ({ call, runtimes: () => [tab] }),
    recorderOf:
      () =>
      ({ content }) =>
        written.push(content),
    onError: (error) => {
      throw error;
    },
  });
  reports({ device_id: 'd', label: 'Browser' })(QUESTION)({ words: 'Done.', output: LED_ON });
  await expect.poll(() => written.length).toBe(1);
  return { calls, written };
}

test('ends a quoted sentence of the page with one full stop', () => {
  const said = (text: string) => seenIn('element.click', { effect: { messages: [text] } }, undefined);
  expect(said('A lamp is in your cart.')).toBe('The page says: “A lamp is in your cart.”');
  expect(said('Added')).toBe('The page says: “Added”.');
});

test('a look that a person refuses is not asked for again', async () => {
  const { calls, written } = await reportOf(TAB);
  expect(calls).toHaveLength(1);
  expect(written).toEqual(['Done. The page is now https://shop.example/paid.']);
});

test('a tab that nobody may read is not looked at', async () => {
  const { calls, written } = await reportOf({ ...TAB, grants: [] });
  expect(calls).toEqual([]);
  expect(written).toHaveLength(1);
});
