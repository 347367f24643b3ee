import type { Ledger, Write } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { AT, createCoreHarness, sessionObject } from '../../test/core/core-harness.ts';

/** A ledger that answers late or fails at first. */

const RETRY_MS = 1_000;

/** A ledger whose disk fails the next so many commits. */
function failingLedger(onFailure = () => {}) {
  const disk = { epoch: 'e1', synced: [] };
  let failures = 0;
  const fault = () => {
    failures -= 1;
    if (failures < 0) return undefined;
    onFailure();
    return 'ledger_io' as const;
  };
  const ledger = openMemoryLedger(disk, { fault });
  const failNext = (count: number): void => {
    failures = count;
  };
  return { ledger, failNext };
}

test('[CHT-202] settles a prompt that opens again after its session has ended', async () => {
  const { ledger, failNext } = failingLedger();
  const { browser, proxy, clock, faults } = await createCoreHarness({ ledger });
  const laptop = await proxy();
  const phone = await browser();
  const choices = [{ choice_id: 'yes', label: 'Yes', is_default: true }];
  laptop.send({
    type: 'permission_prompt',
    session_id: 's1',
    prompt_id: 'p1',
    prompt_text: 'Run it?',
    choices,
  });
  await phone.next('permission_prompt');
  phone.send({ type: 'permission_response', session_id: 's1', prompt_id: 'p1', choice_id: 'yes' });
  const { request_id } = await laptop.next('permission_response');
  failNext(1);
  const result = { request_id, session_id: 's1', command: 'permission_response', result: 'failed' } as const;
  const error = { code: 'agent_not_active', message: 'It is gone.' };
  laptop.send({ type: 'agent_control_result', ...result, error });
  await expect.poll(() => faults).toHaveLength(1);
  laptop.send({ type: 'session_closed', session_id: 's1' });
  await phone.next('session_closed');
  clock.advance(RETRY_MS);
  await phone.next('permission_prompt_expired');
  expect(await ledger.openPrompts()).toEqual([]);
});

test('[CHT-157] [CHT-160] does not forward a send that expires while it is counted as forwarded', async () => {
  const queue_ms = 5_000;
  const clock = createFakeClock(Date.parse(AT));
  let isRunningOut = false;
  const onSync = (writes: readonly Write[]): void => {
    if (!writes.some((write) => write.do === 'forward_message')) return;
    isRunningOut = true;
    clock.advance(2 * queue_ms);
    isRunningOut = false;
  };
  const disk = openMemoryLedger({ epoch: 'e1', synced: [] }, { onSync });
  const ledger: Ledger = {
    ...disk,
    // The expiry reads the send after it was counted as forwarded, and before the delivery does.
    message: async (...args) => {
      const turns = isRunningOut ? 20 : 100;
      const found = await disk.message(...args);
      for (let turn = 0; turn < turns; turn += 1) await undefined;
      return found;
    },
  };
  const { browser, proxy } = await createCoreHarness({ ledger, clock, times: { queue_ms } });
  (await proxy()).hangUp();
  const phone = await browser();
  const message = { client_message_id: 'm1', content: 'Hello', created_at: AT };
  phone.send({ type: 'send_message', session_id: 's1', ...message });
  await phone.next('message_accepted');
  const laptop = await proxy();
  await phone.next('message_failed');
  // Every answer of the ledger was acted on.
  await new Promise((resolve) => setImmediate(resolve));
  expect(laptop.of('send_message')).toEqual([]);
});

test('[CHT-119] [CHT-263] stores a disconnected session with its last stored report, not with an unstored one', async () => {
  let leave = () => {};
  const { ledger, failNext } = failingLedger(() => leave());
  const { proxy, clock, faults } = await createCoreHarness({ ledger });
  const laptop = await proxy();
  leave = laptop.hangUp;
  failNext(2);
  const renamed = sessionObject('s1', { window_title: 'Another' });
  laptop.send({ type: 'proxy_session_snapshot', sessions: [renamed] });
  await expect.poll(() => faults).toHaveLength(2);
  clock.advance(RETRY_MS);
  await expect
    .poll(async () => (await ledger.session('s1'))?.metadata)
    .toMatchObject({ status: 'disconnected' });
  expect((await ledger.session('s1'))?.metadata).not.toMatchObject({ window_title: 'Another' });
});

/** A ledger in which another node acts on a send just before its outcome is stored. */
function contestedLedger(
  other: (session_id: string, client_message_id: string) => Write,
  times: number,
): Ledger {
  const disk = openMemoryLedger({ epoch: 'e1', synced: [] });
  let left = times;
  return {
    ...disk,
    commit: async (writes) => {
      const settling = writes.find((write) => write.do === 'settle_message');
      if (settling !== undefined && left > 0) {
        left -= 1;
        await disk.commit([other(settling.session_id, settling.client_message_id)]);
      }
      return disk.commit(writes);
    },
  };
}

const sendOf = (client_message_id: string) =>
  ({ type: 'send_message', session_id: 's1', client_message_id, content: 'Hello', created_at: AT }) as const;

test('[CHT-154] [CHT-277] a send whose outcome another node stored first leaves the queue', async () => {
  const outcome = { do: 'settle_message', attempt: 1, at: Date.parse(AT), state: 'delivered' } as const;
  const other = (session_id: string, client_message_id: string) =>
    ({ ...outcome, session_id, client_message_id }) as const;
  const { browser, proxy } = await createCoreHarness({ ledger: contestedLedger(other, 1_000) });
  const laptop = await proxy();
  const phone = await browser();
  for (let n = 0; n < 1_000; n += 1) {
    phone.send(sendOf(`m${n}`));
    const { client_message_id, attempt } = await laptop.next('send_message');
    expect(client_message_id).toBe(`m${n}`);
    laptop.send({
      ...{ type: 'proxy_send_result', session_id: 's1', client_message_id, attempt },
      ...{ result: 'delivered', delivered_at: AT },
    });
    await laptop.settled();
  }
  laptop.hangUp();
  phone.send(sendOf('m1000'));
  const answers = () => [...phone.of('message_accepted'), ...phone.of('connection_error')];
  await expect.poll(() => answers().length).toBe(1_001);
  expect(phone.of('connection_error')).toEqual([]);
});

test('[CHT-300] [CHT-301] a result of an earlier attempt than the ledger has is asked for again', async () => {
  const other = (session_id: string, client_message_id: string) =>
    ({ do: 'forward_message', session_id, client_message_id }) as const;
  const { browser, proxy, ledger } = await createCoreHarness({ ledger: contestedLedger(other, 1) });
  const laptop = await proxy(['s1'], 'laptop', { features: ['resend'] });
  const phone = await browser();
  phone.send(sendOf('m1'));
  for (const attempt of [1, 3]) {
    expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt });
    laptop.send({
      ...{ type: 'proxy_send_result', session_id: 's1', client_message_id: 'm1', attempt },
      ...{ result: 'delivered', delivered_at: AT },
    });
  }
  expect(await phone.next('message_delivered')).toMatchObject({ client_message_id: 'm1' });
  expect(await ledger.message('s1', 'm1')).toMatchObject({ state: 'delivered', attempt: 3 });
});
