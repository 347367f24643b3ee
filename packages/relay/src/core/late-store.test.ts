import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { AT, createCoreHarness, sessionObject } from '../../test/core/core-harness.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openMemoryLedger } from '../ledger/memory/memory-ledger.ts';
import type { Write } from '../ledger/writes.ts';

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
