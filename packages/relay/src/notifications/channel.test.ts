import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { coreClock } from '../../test/server/test-relay.ts';
import { type ChannelMessage, createChannel } from './channel.ts';
import type { Notice } from './notice.ts';
import { openNoticeRecord } from './notice-record.ts';
import type { Reply } from './outbound.ts';

const notice = (notice_id: string, fields: Partial<Notice> = {}): Notice => ({
  ...{ notice_id, kind: 'prompt', tag: `tag of ${notice_id}`, session_id: 'one', who: 'Agent' },
  ...{ title: 'Agent needs you', body: 'Go on?', at: 0, ...fields },
});

async function openChannel(...replies: readonly (Reply | Error)[]) {
  const clock = createFakeClock();
  const ledger = openMemoryLedger({ epoch: 'one', synced: [] });
  const onError = (error: unknown) => {
    throw error;
  };
  const record = await openNoticeRecord({ ledger, key: 'notices:x', onError });
  const posted: ChannelMessage[] = [];
  const left = [...replies];
  const channel = createChannel({
    ...{ record, clock: coreClock(clock), retryMs: [1_000, 2_000], onGone: () => {} },
    async post(message) {
      posted.push(message);
      const reply = left.shift() ?? { status: 201 };
      if (reply instanceof Error) throw reply;
      return reply;
    },
  });
  return { clock, record, posted, channel };
}

test('an event received twice is sent once', async () => {
  const { channel, posted, record } = await openChannel();
  await Promise.all([channel.notify(notice('a')), channel.notify(notice('a'))]);
  await channel.notify(notice('a'));
  expect(posted).toHaveLength(1);
  expect(record.rows()).toMatchObject([{ notice_id: 'a', state: 'sent', attempts: 1 }]);
});

test('retries after a delay, honours Retry-After, and gives up at last', async () => {
  const { channel, posted, clock } = await openChannel(
    { status: 503, retry_after_ms: 5_000 },
    new Error('unreachable'),
    { status: 500 },
  );
  const delivered = channel.notify(notice('a'));
  await clock.advanceAsync(4_999);
  expect(posted).toHaveLength(1);
  await clock.advanceAsync(1);
  expect(posted).toHaveLength(2);
  await clock.advanceAsync(2_000);
  expect(await delivered).toMatchObject({ state: 'failed', reason: 'unreachable', status: 500, attempts: 3 });
});

test('a notification answered before it is sent is never sent', async () => {
  const { channel, posted, clock } = await openChannel({ status: 503 });
  const delivered = channel.notify(notice('a'));
  await clock.advanceAsync(500);
  channel.revoke('tag of a');
  expect(await delivered).toMatchObject({ state: 'suppressed', reason: 'answered' });
  await clock.advanceAsync(10_000);
  expect(posted).toMatchObject([{ type: 'notice' }]);
});

test('a notification answered during its send is closed right after it', async () => {
  const { channel, posted, record } = await openChannel();
  const delivered = channel.notify(notice('a'));
  channel.revoke('tag of a');
  await delivered;
  expect(posted).toMatchObject([{ type: 'notice' }, { type: 'close', notice: { tag: 'tag of a' } }]);
  expect(record.rows()).toMatchObject([{ state: 'sent', closed_at: 0 }]);
});

test('limits an agent that asks endlessly to thirty notifications a minute', async () => {
  const { channel, posted } = await openChannel();
  for (let count = 0; count < 40; count += 1) await channel.notify(notice(`${count}`));
  expect(posted).toHaveLength(30);
  expect(await channel.notify(notice('one more'))).toMatchObject({ state: 'suppressed', reason: 'too_many' });
  await channel.notify(notice('later', { at: 60_000 }));
  expect(posted).toHaveLength(31);
});

test('after a restart old notifications are not sent, and answered ones are closed', async () => {
  const { channel, posted, clock, record } = await openChannel();
  clock.jump(3_600_001);
  const queued = { state: 'queued', attempts: 0 } as const;
  record.put({ ...notice('old'), ...queued });
  record.put({ ...notice('over', { at: 3_600_000 }), ...queued });
  record.put({ ...notice('shown', { at: 3_600_000 }), state: 'sent', attempts: 1 });
  record.put({ ...notice('new', { at: 3_600_000 }), ...queued });
  channel.resume(({ notice_id }) => notice_id === 'over' || notice_id === 'shown');
  await clock.advanceAsync(0);
  expect(posted.map(({ type, notice: { notice_id } }) => `${type} ${notice_id}`).sort()).toEqual([
    ...['close shown', 'notice new'],
  ]);
  expect(record.find('old')).toMatchObject({ state: 'failed', reason: 'stopped' });
  expect(record.find('over')).toMatchObject({ state: 'suppressed', reason: 'answered' });
});
