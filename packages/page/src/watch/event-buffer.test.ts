import { expect, test } from 'vitest';
import { createEventBuffer } from './event-buffer.ts';
import type { PageEvent } from './page-event.ts';

const event = (text: string, at = 0, kind: PageEvent['kind'] = 'added'): PageEvent => ({ at, kind, text });

test('[INT-236] keeps the last 50 and reports the latest 20', () => {
  const buffer = createEventBuffer();
  for (let number = 1; number <= 60; number++) buffer.add(event(String(number)));
  expect(buffer.since(0)).toHaveLength(50);
  expect(buffer.report(0).recentEvents).toEqual(
    Array.from({ length: 20 }, (_, index) => `[0s ago] Added: '${41 + index}'`),
  );
});

test('[INT-236] cuts each to 200 characters with its quotes', () => {
  const buffer = createEventBuffer();
  buffer.add(event('x'.repeat(500)));
  const [entry = ''] = buffer.report(0).recentEvents;
  expect([entry.length, entry.at(-1)]).toEqual([200, "'"]);
});

test('[INT-236] drops a reported event after 5 s and keeps an unreported one', () => {
  const buffer = createEventBuffer();
  buffer.add(event('old'));
  buffer.report(4_000);
  buffer.add(event('new', 4_500));
  expect(buffer.report(5_000).recentEvents).toEqual(["[1s ago] Added: 'new'"]);
});

test('lists events after a mark', () => {
  const buffer = createEventBuffer();
  buffer.add(event('before'));
  const mark = buffer.mark();
  buffer.add(event('after'));
  expect(buffer.since(mark).map(({ text }) => text)).toEqual(['after']);
});

test('[INT-234] formats and counts a success as the contract does', () => {
  const buffer = createEventBuffer();
  buffer.add(event('Success', 0, 'success'));
  expect(buffer.report(3_000)).toEqual({
    recentEvents: ["[3s ago] Added: 'Success'"],
    hasErrors: false,
    hasSuccess: true,
  });
});
