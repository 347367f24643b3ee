import type { Write } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { createFakeClock, type FakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { call } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay, type TestRelay } from '../../../test/server/test-relay.ts';
import { startRetention } from './retention.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-01T00:00:00Z');

const event = (session_id: string, index: number, at: number): Write => ({
  do: 'append_event',
  session_id,
  event_id: `${session_id}_${index}`,
  type: 'session_status',
  payload: { status: 'healthy' },
  at,
});

/** Writes a session with an event for each of these ages, in days. */
const sessionWrites = (session_id: string, ages: readonly number[], closed = false): readonly Write[] => [
  {
    do: 'create_session',
    session_id,
    proxy_device_id: 'p',
    metadata: { session_id, agent_type: 'codex', status: 'disconnected' },
    at: NOW,
  },
  ...ages.map((age, index) => event(session_id, index, NOW - age * DAY)),
  ...(closed
    ? [{ do: 'update_session' as const, session_id, closed_at: NOW - (ages.at(-1) ?? 0) * DAY }]
    : []),
];

/** Restarts a relay with this ledger: it sweeps at its start. */
async function swept(clock: FakeClock, retention_days: number | null, writes: readonly Write[]) {
  const before = await startTestRelay({ clock });
  await before.ledger.commit(writes);
  const owner = await before.mint('owner');
  const put = await call(before, owner, 'PUT /api/settings', { body: { retention_days } });
  expect(put).toMatchObject({ status: 200, body: { retention_days } });
  const relay = await before.restart();
  return { relay, owner };
}

/** Resolves when a sweep has written to the audit. */
const auditOf = async (relay: TestRelay, clock: FakeClock): Promise<unknown> => {
  await expect
    .poll(
      async () => {
        clock.advance(20);
        return (await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0]?.action;
      },
      { timeout: 60_000, interval: 5 },
    )
    .toBe('retention_swept');
  return (await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 1))[0];
};

const keptOf = async ({ ledger }: TestRelay, session_id: string) =>
  (await ledger.eventsAfter(session_id, 0, 10_000))?.events.map(({ sequence }) => sequence);

test('deletes old events in steps, and closed sessions whole when all of their events are old', async () => {
  const clock = createFakeClock(NOW);
  const { relay } = await swept(clock, 30, [
    ...sessionWrites('long', [...Array.from({ length: 450 }, () => 40), 31, 29, 1]),
    ...sessionWrites('over', [50, 40], true),
    ...sessionWrites('ended', [50, 3], true),
    ...sessionWrites('away', [50, 40]),
  ]);
  expect(await auditOf(relay, clock)).toMatchObject({
    device_id: null,
    detail: { retention_days: 30, events: 451 + 2 + 1 + 2, sessions: 1 },
  });
  expect(await keptOf(relay, 'long')).toEqual([452, 453]);
  expect(await keptOf(relay, 'over')).toBeUndefined();
  expect(await keptOf(relay, 'ended')).toEqual([2]);
  expect(await keptOf(relay, 'away')).toEqual([]);
  expect((await relay.ledger.verify()).damage).toBeUndefined();
});

test('rests between small steps, so that sends are not held up', async () => {
  const ledger = openMemoryLedger({ epoch: 'one', synced: [] });
  await ledger.commit([
    ...sessionWrites('long', [...Array.from({ length: 120 }, () => 40), 1]),
    { do: 'put_setting', key: 'retention_days', value: 30 },
  ]);
  const steps: (number | 'rest')[] = [];
  const swept = Promise.withResolvers<void>();
  const retention = startRetention({
    ledger: {
      ...ledger,
      commit: async (writes) => {
        const outcome = await ledger.commit(writes);
        for (const write of writes) if (write.do === 'prune_events') steps.push(write.limit);
        return outcome;
      },
    },
    clock: {
      now: () => NOW,
      after: (ms, run) => {
        if (ms < 1_000) {
          steps.push('rest');
          setImmediate(run);
        } else swept.resolve();
        return () => {};
      },
    },
    onError: swept.reject,
    removal: { ofSession: async () => {}, sweep: async () => {} },
  });
  await swept.promise;
  await retention.close();
  expect(steps).toEqual([25, 'rest', 25, 'rest', 25, 'rest', 25, 'rest', 20, 'rest']);
});

test("a waiting message or an open prompt keeps later events; an answered prompt's question is deleted", async () => {
  const old = NOW - 40 * DAY;
  const clock = createFakeClock(NOW);
  const { relay } = await swept(clock, 30, [
    ...sessionWrites('waits', [50]),
    {
      do: 'accept_message',
      session_id: 'waits',
      client_message_id: 'm1',
      device_id: 'd',
      payload: { content: 'hello' },
      identity: { content: 'hello' },
      event: { event_id: 'accepted', payload: { client_message_id: 'm1', status: 'accepted' } },
      at: old,
      expires_at: null,
    },
    event('waits', 9, old),
    ...sessionWrites('asks', [50]),
    { do: 'open_prompt', session_id: 'asks', prompt_id: 'q1', body: {}, at: old, expires_at: null },
    event('asks', 9, old),
    ...sessionWrites('asked', [50]),
    {
      do: 'open_prompt',
      session_id: 'asked',
      prompt_id: 'q2',
      body: { prompt_text: 'my secret' },
      at: old,
      expires_at: null,
    },
    { do: 'move_prompt', session_id: 'asked', prompt_id: 'q2', from: ['open'], to: 'expired', at: old },
  ]);
  await auditOf(relay, clock);
  expect(await relay.ledger.prompt('asked', 'q2')).toBeUndefined();
  expect(await relay.ledger.prompt('asks', 'q1')).toMatchObject({ state: 'open' });
  expect(await keptOf(relay, 'waits')).toEqual([2, 3]);
  expect(await keptOf(relay, 'asks')).toEqual([2]);
});

test('deletes the text of old messages and their files; a waiting send keeps its own', async () => {
  const clock = createFakeClock(NOW);
  const old = NOW - 40 * DAY;
  const send = (session_id: string, client_message_id: string): Write => ({
    do: 'accept_message',
    ...{ session_id, client_message_id, device_id: 'd', at: old, expires_at: null },
    payload: { content: 'my secret' },
    identity: { content: 'my secret' },
    event: { event_id: `${session_id}_${client_message_id}`, payload: { client_message_id } },
  });
  const file = (file_id: string, session_id: string, created_at: number): Write => ({
    do: 'put_file',
    file: {
      ...{ file_id, session_id, device_id: 'd', name: 'a', media_type: 'text/plain', bytes: 400 },
      ...{ sha256: file_id.repeat(64), created_at },
    },
  });
  const { relay } = await swept(clock, 30, [
    ...sessionWrites('done', [50]),
    send('done', 'm1'),
    { do: 'settle_message', session_id: 'done', client_message_id: 'm1', state: 'delivered', at: old },
    ...sessionWrites('waits', [50]),
    send('waits', 'm2'),
    ...[file('a', 'done', old), file('b', 'done', NOW - DAY), file('c', 'waits', old)],
    { do: 'put_setting', key: 'files.bytes.d', value: 1_200 },
  ]);
  await auditOf(relay, clock);
  expect((await relay.ledger.message('done', 'm1'))?.payload).toEqual({});
  expect((await relay.ledger.message('waits', 'm2'))?.payload).toEqual({ content: 'my secret' });
  const left = await Promise.all(['a', 'b', 'c'].map((id) => relay.ledger.file(id)));
  expect(left.map((found) => found?.file_id)).toEqual([undefined, 'b', 'c']);
  expect(await relay.ledger.setting('files.bytes.d')).toBe(800);
});

test('deletes nothing by default; once set, deletes within six hours', async () => {
  const clock = createFakeClock(NOW);
  const { relay, owner } = await swept(clock, null, sessionWrites('one', [5_000, 1]));
  expect((await call(relay, owner, 'GET /api/settings')).body).toEqual({ retention_days: null });
  expect(await keptOf(relay, 'one')).toEqual([1, 2]);
  await call(relay, owner, 'PUT /api/settings', { body: { retention_days: 7 } });
  expect(await keptOf(relay, 'one')).toEqual([1, 2]);
  clock.advance(6 * 60 * 60 * 1_000);
  await auditOf(relay, clock);
  expect(await keptOf(relay, 'one')).toEqual([2]);
  const [, changed] = await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 2);
  expect(changed).toMatchObject({ action: 'settings_changed', device_id: owner.device_id });
});

test('refuses an invalid number of days and changes nothing', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  for (const retention_days of [0, -1, 1.5, '7', 36_501, true, undefined]) {
    const { status, body } = await call(relay, owner, 'PUT /api/settings', { body: { retention_days } });
    expect(status, String(retention_days)).toBe(400);
    expect(body.error.message).toContain('null to keep everything');
  }
  expect((await call(relay, owner, 'GET /api/settings')).body).toEqual({ retention_days: null });
});
