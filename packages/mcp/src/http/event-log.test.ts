import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { createEventLog, type EventLogLimits } from './event-log.ts';

const message = (method: string): JSONRPCMessage => ({ jsonrpc: '2.0', method });

async function logOf(limits: EventLogLimits, events: readonly [string, string][]) {
  const { store: log } = createEventLog(limits).open();
  for (const [stream, method] of events) await log.storeEvent(stream, message(method));
  return {
    log,
    async after(id: string) {
      const delivered: unknown[] = [];
      const stream = await log.replayEventsAfter(id, {
        send: async (eventId, sent) => {
          delivered.push([eventId, 'method' in sent ? sent.method : undefined]);
        },
      });
      return { stream, delivered };
    },
  };
}

test('replays later events of the same stream', async () => {
  const { log, after } = await logOf({ events: 10, bytes: 1000 }, [
    ['a', 'one'],
    ['b', 'two'],
    ['a', 'three'],
  ]);
  expect(await after('1')).toEqual({ stream: 'a', delivered: [['3', 'three']] });
  expect(await log.getStreamIdForEventId?.('2')).toBe('b');
});

test.each([
  { events: 2, bytes: 1000 },
  { events: 10, bytes: 80 },
])('the oldest go first: %o', async (limits) => {
  const { log, after } = await logOf(limits, [
    ['a', 'one'],
    ['a', 'two'],
    ['a', 'three'],
  ]);
  expect(await log.getStreamIdForEventId?.('1')).toBeUndefined();
  await expect(after('1')).rejects.toThrow('no longer stored');
  expect((await after('2')).delivered).toEqual([['3', 'three']]);
});

test('sessions share the limits, and see only their own events', async () => {
  const log = createEventLog({ events: 10, bytes: 100 });
  const [first, second] = [log.open(), log.open()];
  const own = await first.store.storeEvent('get', message('one'));
  expect(await second.store.getStreamIdForEventId?.(own)).toBeUndefined();
  const later = await second.store.storeEvent('get', message('x'.repeat(90)));
  expect(await first.store.getStreamIdForEventId?.(own)).toBeUndefined();
  expect(await second.store.getStreamIdForEventId?.(later)).toBe('get');
  second.forget();
  expect(await second.store.getStreamIdForEventId?.(later)).toBeUndefined();
});
