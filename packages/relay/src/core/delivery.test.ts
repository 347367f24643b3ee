import { join } from 'node:path';
import type { Ledger, Write } from '@drawbridge/ledger';
import { ledgerFolder, openForTest } from '@drawbridge/ledger/test/sqlite/sqlite-harness';
import { expect, test, vi } from 'vitest';
import { AT, createCoreHarness, sendOf, sessionObject } from '../../test/core/core-harness.ts';

const result = (client_message_id: string, more: object = {}) =>
  ({ type: 'proxy_send_result', session_id: 's1', client_message_id, result: 'delivered', ...more }) as const;

test('[CHT-142] [CHT-143] [CHT-144] a retry gets the first acceptance again, also after a restart; another text does not', async () => {
  const harness = await createCoreHarness();
  await harness.proxy();
  const phone = await harness.browser();
  phone.send(sendOf('m1'));
  const first = await phone.next('message_accepted');
  phone.send(sendOf('m1'));
  expect(await phone.next('message_accepted')).toEqual({ ...first, replayed: true });
  const { browser, ledger } = await harness.restart();
  const again = await browser();
  again.send(sendOf('m1'));
  expect(await again.next('message_accepted')).toEqual({ ...first, replayed: true });
  again.send(sendOf('m1', { content: 'other' }));
  expect(await again.next('connection_error')).toMatchObject({
    code: 'send_rejected',
    client_message_id: 'm1',
  });
  const transcript = await ledger.transcriptBefore('s1', 100, 10);
  expect(transcript?.events).toHaveLength(1);
});

test('[CHT-353] a report of a start settles nothing, and the result has its full time again', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  /** Both peers stay connected by their heartbeats. */
  const pass = async (): Promise<void> => {
    for (const peer of [laptop, phone, laptop, phone]) {
      clock.advance(10_000);
      await peer.settled();
    }
  };
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  await pass();
  laptop.send(result('m1', { result: 'launch_accepted' }));
  await pass();
  laptop.send(result('m1'));
  expect(await phone.next('message_delivered')).toMatchObject({ client_message_id: 'm1' });
  // A repeat after the outcome changes nothing.
  laptop.send(result('m1', { result: 'launch_accepted' }));
  await pass();
  await pass();
  expect(phone.of('message_failed')).toEqual([]);
});

test('measures the time from acceptance to delivery, with the wait for a proxy, but not over a restart', async () => {
  const { browser, proxy, clock, delivered, restart } = await createCoreHarness();
  const laptop = await proxy();
  laptop.hangUp();
  const phone = await browser();
  phone.send(sendOf('m1'));
  await phone.next('message_accepted');
  clock.advance(2_500);
  const back = await proxy();
  await back.next('send_message');
  clock.advance(500);
  back.send(result('m1'));
  await phone.next('message_delivered');
  phone.send(sendOf('m2'));
  await back.next('send_message');
  back.send(result('m2', { result: 'failed' }));
  await phone.next('message_failed');
  expect(delivered).toEqual([3]);
  back.hangUp();
  phone.send(sendOf('m3'));
  await phone.next('message_accepted');
  const second = await restart();
  const again = await second.proxy();
  const other = await second.browser();
  await again.next('send_message');
  again.send(result('m3'));
  await other.next('message_delivered');
  expect(second.delivered).toEqual([]);
});

test('[CHT-149] [CHT-150] [CHT-154] [CHT-155] [CHT-257] the latest attempt decides, once, with the code that the proxy gave', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  for (const id of ['m1', 'm2']) {
    phone.send(sendOf(id));
    await laptop.next('send_message');
  }
  laptop.send(result('m1', { result: 'failed', attempt: 7 }));
  const error = { code: 'send_button_not_found', message: 'No button' };
  laptop.send(result('m1', { result: 'failed', error, attempt: 1 }));
  laptop.send(result('m2', { result: 'failed' }));
  expect(await phone.next('message_failed')).toMatchObject({ client_message_id: 'm1', error });
  expect(await phone.next('message_failed')).toMatchObject({
    client_message_id: 'm2',
    error: { code: 'send_injection_failed' },
  });
  laptop.send(result('m1'));
  laptop.send({ type: 'proxy_status', session_id: 's1', status: 'degraded' });
  await phone.next('session_status');
  expect(phone.of('message_delivered')).toEqual([]);
});

test('[CHT-156] [CHT-147] queues sends to a disconnected session, and delivers them in order and as edited when it is back', async () => {
  const harness = await createCoreHarness();
  const first = await harness.proxy();
  const phone = await harness.browser('phone', { features: ['queue'] });
  const plain = await harness.browser('plain');
  first.hangUp();
  await phone.next('session_down');
  const ids = Array.from({ length: 70 }, (_, index) => `m${index}`);
  for (const id of ids) phone.send(sendOf(id));
  for (const _ of ids) await phone.next('message_event');
  phone.send({
    type: 'edit_message',
    request_id: 'r1',
    session_id: 's1',
    client_message_id: 'm1',
    content: 'better',
  });
  phone.send({ type: 'cancel_message', request_id: 'r2', session_id: 's1', client_message_id: 'm2' });
  expect(await phone.next('message_edited')).toMatchObject({ content: 'better' });
  expect(await phone.next('message_cancelled')).toMatchObject({ client_message_id: 'm2' });
  const cancelled = await plain.next('message_failed');
  expect(cancelled).toMatchObject({ client_message_id: 'm2', error: { code: 'cancelled' } });
  expect(plain.of('message_event').at(-1)).toMatchObject({
    message: { message_id: 'm1', content: 'better' },
  });
  expect(cancelled.sequence).toBe(phone.of('message_cancelled')[0]?.sequence);

  const second = await harness.proxy();
  const left = ids.filter((id) => id !== 'm2');
  for (const _ of left) await second.next('send_message');
  expect(second.of('send_message').map(({ client_message_id }) => client_message_id)).toEqual(left);
  expect(second.of('send_message')[1]).toMatchObject({ content: 'better', attempt: 1 });
  phone.send({ type: 'cancel_message', request_id: 'r3', session_id: 's1', client_message_id: 'm3' });
  expect(await phone.next('connection_error')).toMatchObject({ code: 'send_rejected', request_id: 'r3' });
});

test('[CHT-156] [CHT-147] delivers the queues of several sessions whole and in order when they exceed one batch', async () => {
  const harness = await createCoreHarness();
  const sessions = ['s1', 's2', 's3'];
  const laptop = await harness.proxy(sessions);
  const phone = await harness.browser();
  laptop.hangUp();
  for (const _ of sessions) await phone.next('session_down');
  const ids = Array.from({ length: 120 }, (_, n) => `m${n}`);
  for (const id of ids) for (const session_id of sessions) phone.send(sendOf(id, { session_id }));
  await expect.poll(() => phone.of('message_accepted').length, { timeout: 30_000 }).toBe(3 * ids.length);
  const back = await harness.proxy(sessions);
  await expect.poll(() => back.of('send_message').length, { timeout: 30_000 }).toBe(3 * ids.length);
  for (const session_id of sessions) {
    const came = back.of('send_message').filter((frame) => frame.session_id === session_id);
    expect(came.map(({ client_message_id, attempt }) => [client_message_id, attempt])).toEqual(
      ids.map((id) => [id, 1]),
    );
  }
  expect(harness.faults).toEqual([]);
});

test('[CHT-158] fails a send with queue false at once when the proxy is away', async () => {
  const { browser, proxy } = await createCoreHarness();
  (await proxy()).hangUp();
  const phone = await browser();
  phone.send(sendOf('m1', { queue: false }));
  expect(await phone.next('message_failed')).toMatchObject({ error: { code: 'session_not_connected' } });
  const laptop = await proxy();
  phone.send(sendOf('m2', { queue: false }));
  expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'm2' });
});

test('[CHT-157] fails a queued send at its expiry and never forwards it, also across a restart', async () => {
  const harness = await createCoreHarness();
  (await harness.proxy()).hangUp();
  const phone = await harness.browser();
  phone.send(sendOf('m1'));
  await phone.next('message_event');
  harness.clock.advance(60_000);
  const { clock, browser, proxy } = await harness.restart();
  const watcher = await browser();
  watcher.send(sendOf('m2'));
  await watcher.next('message_event');
  await harness.core.stop();
  // Heartbeats continue while the day passes.
  for (let hour = 0; hour < 24; hour++) {
    for (let beat = 0; beat < 180; beat++) {
      clock.advance(20_000);
      watcher.send({ type: 'heartbeat' });
    }
  }
  expect(await watcher.next('message_failed')).toMatchObject({
    client_message_id: 'm1',
    error: { code: 'session_not_connected' },
  });
  await vi.waitFor(() => {
    clock.advance(1_000);
    watcher.send({ type: 'heartbeat' });
    expect(watcher.of('message_failed')).toHaveLength(2);
  });
  expect(await watcher.next('message_failed')).toMatchObject({ client_message_id: 'm2' });
  const laptop = await proxy();
  await laptop.settled();
  expect(laptop.of('send_message')).toEqual([]);
});

test('[CHT-160] reports delivery unknown when the proxy dies or times out under way, and does not retry', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  phone.send(sendOf('silent'));
  await laptop.next('send_message');
  for (let each = 0; each < 3; each++) {
    clock.advance(20_000);
    laptop.send({ type: 'heartbeat' });
    phone.send({ type: 'heartbeat' });
  }
  const unknown = { error: { code: 'delivery_unknown' }, indeterminate: true };
  expect(await phone.next('message_failed')).toMatchObject({ client_message_id: 'silent', ...unknown });
  phone.send(sendOf('cut'));
  await laptop.next('send_message');
  laptop.hangUp();
  expect(await phone.next('message_failed')).toMatchObject({ client_message_id: 'cut', ...unknown });
  const back = await proxy();
  back.send(result('cut'));
  await back.settled();
  expect(back.of('send_message')).toEqual([]);
  expect(phone.of('message_delivered')).toEqual([]);
});

const RECORD = { features: ['resend'], client_id: 'first life' };

test('[CHT-300] [CHT-147] after a crash forwards sends under way again, before the queued ones, to a proxy with a record', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy(['s1'], 'laptop', RECORD);
  const phone = await harness.browser();
  for (const id of ['m1', 'm2']) {
    phone.send(sendOf(id));
    await laptop.next('send_message');
  }
  const { browser, proxy } = await harness.restart();
  const watcher = await browser();
  watcher.send(sendOf('m3'));
  await watcher.next('message_event');
  const back = await proxy(['s1'], 'laptop', RECORD);
  for (const _ of ['m1', 'm2', 'm3']) await back.next('send_message');
  expect(back.of('send_message').map((each) => [each.client_message_id, each.attempt])).toEqual([
    ['m1', 2],
    ['m2', 2],
    ['m3', 1],
  ]);
  back.send(result('m1', { attempt: 2 }));
  expect(await watcher.next('message_delivered')).toMatchObject({ client_message_id: 'm1' });
  const error = { code: 'delivery_unknown', message: 'Nobody can tell.' };
  back.send(result('m2', { attempt: 2, result: 'failed', error }));
  expect(await watcher.next('message_failed')).toMatchObject({ error, indeterminate: true });
});

test('[CHT-300] a connection that ends leaves its sends in doubt, and the next one of the proxy gets them again', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1'], 'laptop', RECORD);
  const phone = await browser('phone', { features: ['queue'] });
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  laptop.hangUp();
  await phone.next('session_down');
  phone.send({ type: 'cancel_message', request_id: 'r1', session_id: 's1', client_message_id: 'm1' });
  expect(await phone.next('connection_error')).toMatchObject({ request_id: 'r1', code: 'send_rejected' });
  const back = await proxy(['s1'], 'laptop', RECORD);
  expect(await back.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 2 });
  back.send(result('m1', { attempt: 1 }));
  back.send(result('m1', { attempt: 2 }));
  await phone.next('message_delivered');
  expect(phone.of('message_failed')).toEqual([]);
});

test('[CHT-349] tells screens that know the frame of a send in doubt, also later ones, also after a restart', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy(['s1'], 'laptop', RECORD);
  const phone = await harness.browser('phone', { features: ['checking'] });
  const plain = await harness.browser('plain');
  const isChecked = { session_id: 's1', message_id: 'm1', client_message_id: 'm1' };
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  laptop.hangUp();
  expect(await phone.next('message_checking')).toMatchObject(isChecked);
  const late = await harness.browser('late', { features: ['checking'] });
  expect(await late.next('message_checking')).toMatchObject(isChecked);
  const { browser, proxy } = await harness.restart();
  const after = await browser('phone', { features: ['checking'] });
  expect(await after.next('message_checking')).toMatchObject(isChecked);
  const back = await proxy(['s1'], 'laptop', RECORD);
  await back.next('send_message');
  back.send(result('m1', { attempt: 2 }));
  await after.next('message_delivered');
  const done = await browser('done', { features: ['checking'] });
  await done.settled();
  for (const peer of [plain, done]) expect(peer.of('message_checking')).toEqual([]);
  // Once for each screen, although the send was forwarded again.
  for (const peer of [phone, late, after]) expect(peer.of('message_checking')).toHaveLength(1);
});

test('[CHT-301] a result that comes after the restart of the relay counts, without another forward', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy(['s1'], 'laptop', RECORD);
  (await harness.browser()).send(sendOf('m1'));
  await laptop.next('send_message');
  const { browser, proxy } = await harness.restart();
  const watcher = await browser();
  const back = await proxy([], 'laptop', RECORD);
  back.send(result('m1', { attempt: 7 }));
  back.send(result('m1', { attempt: 1 }));
  expect(await watcher.next('message_delivered')).toMatchObject({ client_message_id: 'm1' });
  back.send({ type: 'proxy_session_snapshot', sessions: [sessionObject('s1')] });
  watcher.send(sendOf('m2'));
  expect(await back.next('send_message')).toMatchObject({ client_message_id: 'm2' });
});

test('[CHT-301] late results of a proxy that is back read its queue once', async () => {
  const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
  const reads: (() => void)[] = [];
  let holding = false;
  const queuedMessages: Ledger['queuedMessages'] = async (device_id) => {
    if (holding) await new Promise<void>((resolve) => reads.push(resolve));
    return ledger.queuedMessages(device_id);
  };
  const { proxy, browser } = await createCoreHarness({ ledger: { ...ledger, queuedMessages } });
  const first = await proxy(['s1'], 'laptop', RECORD);
  const phone = await browser();
  const ids = ['m1', 'm2', 'm3'];
  for (const id of ids) {
    phone.send(sendOf(id));
    await first.next('send_message');
  }
  first.hangUp();
  holding = true;
  const back = await proxy(['s1'], 'laptop', RECORD);
  for (const id of ids) back.send(result(id, { attempt: 1 }));
  for (const id of ids)
    expect(await phone.next('message_delivered')).toMatchObject({ client_message_id: id });
  for (const release of reads) release();
  expect(reads).toHaveLength(1);
});

test('[CHT-300] asks a silent proxy again, and gives up at the expiry', async () => {
  const { browser, proxy, clock } = await createCoreHarness({ times: { queue_ms: 200_000 } });
  const laptop = await proxy(['s1'], 'laptop', RECORD);
  const phone = await browser();
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  const pass = async () => {
    clock.advance(20_000);
    laptop.send({ type: 'heartbeat' });
    phone.send({ type: 'heartbeat' });
    await phone.settled();
  };
  for (let each = 0; each < 3; each++) await pass();
  expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 2 });
  expect(phone.of('message_failed')).toEqual([]);
  await vi.waitFor(async () => {
    await pass();
    expect(phone.of('message_failed')).toHaveLength(1);
  });
  expect(phone.of('message_failed')[0]).toMatchObject({ error: { code: 'delivery_unknown' } });
  expect(phone.of('message_delivered')).toEqual([]);
});

test('[CHT-300] another process gets sends in flight only when the connection of the first has ended', async () => {
  const { browser, proxy } = await createCoreHarness();
  const first = await proxy(['s1'], 'laptop', RECORD);
  const phone = await browser();
  phone.send(sendOf('m1'));
  await first.next('send_message');
  const copy = await proxy(['s1'], 'laptop', { ...RECORD, client_id: 'another life' });
  phone.send(sendOf('m2'));
  await phone.next('message_event');
  await phone.next('message_event');
  await copy.settled();
  expect(copy.of('send_message')).toEqual([]);
  first.hangUp();
  expect(await copy.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 2 });
  expect(await copy.next('send_message')).toMatchObject({ client_message_id: 'm2', attempt: 1 });
  const same = await proxy(['s1'], 'laptop', { ...RECORD, client_id: 'another life' });
  expect(await same.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 3 });
});

test('[CHT-281] reports delivery unknown when the proxy cannot tell', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  phone.send(sendOf('torn'));
  await laptop.next('send_message');
  const error = { code: 'delivery_unknown', message: 'The agent fell silent.' };
  laptop.send({ ...result('torn'), result: 'failed', error });
  expect(await phone.next('message_failed')).toMatchObject({ error, indeterminate: true });
});

test('[CHT-117] [CHT-130] [CHT-160] [CHT-215] after a crash sessions are disconnected, sends under way are unknown to a proxy without a record, and queued ones wait', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy(['s1', 's2']);
  const phone = await harness.browser();
  phone.send(sendOf('forwarded'));
  await laptop.next('send_message');
  laptop.send({ type: 'proxy_session_snapshot', sessions: [sessionObject('s1')] });
  expect(await phone.next('session_down')).toMatchObject({ session_id: 's2', reason: 'target_closed' });
  phone.send(sendOf('waiting', { session_id: 's2' }));
  await phone.next('message_event');
  await phone.next('message_event');

  const { browser, proxy, ledger } = await harness.restart();
  const resume = { sessions: [{ session_id: 's1', last_sequence: 3 }] };
  const watcher = await browser('watcher', { resume });
  expect(watcher.of('session_snapshot')[0]?.sessions.map(({ status }) => status)).toEqual([
    'disconnected',
    'disconnected',
  ]);
  const { events } = await watcher.next('history_delta');
  expect(events.map(({ type }) => type)).toEqual(['session_down']);
  const back = await proxy(['s1', 's2']);
  expect(await watcher.next('message_failed')).toMatchObject({
    client_message_id: 'forwarded',
    error: { code: 'delivery_unknown' },
    indeterminate: true,
  });
  expect(await back.next('send_message')).toMatchObject({ client_message_id: 'waiting', attempt: 1 });
  expect(back.of('send_message')).toHaveLength(1);
  expect((await ledger.verify()).damage).toBeUndefined();
});

test('[CHT-140] rejects a send that the ledger cannot store, and the relay continues', async () => {
  const harness = await createCoreHarness();
  await harness.proxy();
  const phone = await harness.browser();
  phone.send(sendOf('m\u0000'));
  expect(await phone.next('connection_error')).toMatchObject({ code: 'send_rejected' });
  phone.send(sendOf('m1'));
  await phone.next('message_accepted');
});

test('[CHT-146] refuses an unknown attachment, and no later send overtakes one with attachments', async () => {
  const { browser, proxy, ledger } = await createCoreHarness();
  await proxy();
  const phone = await browser();
  const file = {
    session_id: 's1',
    device_id: 'phone',
    name: 'a',
    media_type: 'text/plain',
    bytes: 1,
    sha256: 'a',
  };
  await ledger.commit([{ do: 'put_file', file: { ...file, file_id: 'held', created_at: 1 } }]);
  phone.send(sendOf('m1', { attachments: [{ attachment_id: 'held', name: 'a' }] }));
  phone.send(sendOf('m2'));
  phone.send(sendOf('m3', { attachments: [{ attachment_id: 'missing' }] }));
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'send_rejected',
    client_message_id: 'm3',
  });
  await phone.next('message_event');
  await phone.next('message_event');
  expect(phone.of('message_event').map(({ message }) => message.message_id)).toEqual(['m1', 'm2']);
  expect(phone.of('message_event')[0]?.message.attachments).toEqual([{ attachment_id: 'held', name: 'a' }]);
});

test('[CHT-152] [CHT-163] [CHT-164] [CHT-165] stores what a proxy observes once, and an echo adds nothing, also after a restart', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy();
  const phone = await harness.browser();
  const observe = (message: object) =>
    ({ type: 'proxy_message', session_id: 's1', message: { created_at: AT, ...message } }) as const;
  for (const id of ['m1', 'm2', 'm3']) phone.send(sendOf(id, { content: id === 'm3' ? 'third' : 'same' }));
  for (const _ of ['m1', 'm2', 'm3']) {
    await phone.next('message_event');
    await laptop.next('send_message');
  }
  laptop.send(observe({ role: 'user', content: 'trimmed', message_id: 'm1' }));
  laptop.send(observe({ role: 'user', content: 'same' }));
  laptop.send(observe({ role: 'user', content: 'same' }));
  laptop.send(observe({ role: 'assistant', content: 'Hi', message_id: 'a1' }));
  laptop.send(observe({ role: 'assistant', content: 'Hi', message_id: 'a1' }));
  laptop.send(observe({ role: 'assistant', content: 'Hi there', message_id: 'a1' }));
  laptop.send(observe({ role: 'assistant', content: 'Hi there' }));
  const added = [await phone.next('message_event'), await phone.next('message_event')];
  added.push(await phone.next('message_event'), await phone.next('message_event'));
  expect(added.map(({ message }) => message.content)).toEqual(['same', 'Hi', 'Hi there', 'Hi there']);
  expect(phone.of('message_delivered')).toEqual([]);

  const { proxy, browser } = await harness.restart();
  const back = await proxy();
  const watcher = await browser();
  back.send(observe({ role: 'user', content: 'third' }));
  back.send(observe({ role: 'assistant', content: 'Hi there', message_id: 'a1' }));
  back.send(observe({ role: 'assistant', content: 'Bye' }));
  expect(await watcher.next('message_event')).toMatchObject({ message: { content: 'Bye' } });
});

test('[CHT-147] a send that was accepted for a replaced connection is delivered before later ones', async () => {
  const ledger = await openForTest({ path: join(await ledgerFolder(), 'ledger.db') });
  const held: (() => void)[] = [];
  const isDeparture = (writes: readonly Write[]) => writes.some(({ do: what }) => what === 'forward_message');
  let holding = false;
  /** The ledger has stored it, and the relay has no answer yet. */
  const commit: Ledger['commit'] = async (writes) => {
    const outcome = await ledger.commit(writes);
    if (holding && isDeparture(writes)) await new Promise<void>((resolve) => held.push(resolve));
    return outcome;
  };
  const { proxy, browser } = await createCoreHarness({ ledger: { ...ledger, commit } });
  await proxy();
  const phone = await browser();
  holding = true;
  phone.send(sendOf('m1'));
  await expect.poll(() => held.length).toBe(1);
  const second = await proxy();
  phone.send(sendOf('m2'));
  await second.settled();
  holding = false;
  for (const release of held) release();
  expect(await second.next('send_message')).toMatchObject({ client_message_id: 'm1' });
  expect(await second.next('send_message')).toMatchObject({ client_message_id: 'm2' });
});
