import { expect, test } from 'vitest';
import { createEventBuffer } from './event-buffer.ts';
import type { PageEvent } from './page-event.ts';

const event = (text: string, at = 0, kind: PageEvent['kind'] = 'added'): PageEvent => ({ at, kind, text });

test('[INT-236] the last 50 are kept, the latest 20 told', () => {
  const buffer = createEventBuffer();
  for (let number = 1; number <= 60; number++) buffer.add(event(String(number)));
  expect(buffer.since(0)).toHaveLength(50);
  expect(buffer.report(0).recentEvents).toEqual(
    Array.from({ length: 20 }, (_, place) => `[0s ago] Added: '${41 + place}'`),
  );
});

test('[INT-236] each is cut to 200 characters, the quotes whole', () => {
  const buffer = createEventBuffer();
  buffer.add(event('x'.repeat(500)));
  const [entry = ''] = buffer.report(0).recentEvents;
  expect([entry.length, entry.at(-1)]).toEqual([200, "'"]);
});

test('[INT-236] a reported one goes at 5 s, one not yet reported stays', () => {
  const buffer = createEventBuffer();
  buffer.add(event('old'));
  buffer.report(4_000);
  buffer.add(event('new', 4_500));
  expect(buffer.report(5_000).recentEvents).toEqual(["[1s ago] Added: 'new'"]);
});

test('a mark tells what came after it', () => {
  const buffer = createEventBuffer();
  buffer.add(event('before'));
  const mark = buffer.mark();
  buffer.add(event('after'));
  expect(buffer.since(mark).map(({ text }) => text)).toEqual(['after']);
});

test('[INT-234] a success is written as the contract writes it, and counted', () => {
  const buffer = createEventBuffer();
  buffer.add(event('Success', 0, 'success'));
  expect(buffer.report(3_000)).toEqual({
    recentEvents: ["[3s ago] Added: 'Success'"],
    hasErrors: false,
    hasSuccess: true,
  });
});
