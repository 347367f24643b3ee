import { expect, test } from 'vitest';
import { AT, createCoreHarness, type SentFrame, sendOf } from '../../test/core/core-harness.ts';

const typed = (content: string): SentFrame => ({
  type: 'proxy_message',
  session_id: 's1',
  message: { role: 'user', content, created_at: AT },
});
const result = (client_message_id: string, how: 'delivered' | 'failed'): SentFrame => ({
  type: 'proxy_send_result',
  session_id: 's1',
  client_message_id,
  result: how,
});

test('[CHT-165] expects no echo of a failed or cancelled send: the same text in the agent is a person’s own', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  const texts = () => phone.of('message_event').map(({ message }) => message.content);
  phone.send(sendOf('m1', { content: 'failed' }));
  phone.send(sendOf('m2', { content: 'arrived' }));
  await laptop.next('send_message');
  await laptop.next('send_message');
  laptop.send(result('m1', 'failed'));
  laptop.send(result('m2', 'delivered'));
  await phone.next('message_failed');
  await phone.next('message_delivered');
  laptop.send(typed('arrived'));
  laptop.send(typed('failed'));
  for (let each = 0; each < 3; each += 1) await phone.next('message_event');
  expect(texts()).toEqual(['failed', 'arrived', 'failed']);

  laptop.hangUp();
  await phone.next('session_down');
  phone.send(sendOf('m3', { content: 'taken back' }));
  await phone.next('message_event');
  phone.send({ type: 'cancel_message', session_id: 's1', client_message_id: 'm3', request_id: 'r1' });
  await phone.next('message_failed');
  const back = await proxy();
  back.send(typed('taken back'));
  expect(await phone.next('message_event')).toMatchObject({ message: { content: 'taken back' } });
});

test.each([
  ['while the relay runs', false],
  ['over a restart', true],
])('[CHT-165] awaits an echo for minutes after the delivery, not forever, %s', async (_, isRestarted) => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy();
  const phone = await harness.browser();
  for (const id of ['m1', 'm2']) {
    phone.send(sendOf(id, { content: id }));
    await laptop.next('send_message');
    laptop.send(result(id, 'delivered'));
    await phone.next('message_delivered');
  }
  // Both connections have timed out by now.
  harness.clock.advance(9 * 60_000);
  const later = isRestarted ? await harness.restart() : harness;
  const first = await later.proxy();
  const watcher = await later.browser('watcher');
  first.send(typed('m1'));
  await first.settled();
  harness.clock.advance(10 * 60_000);
  const second = await later.proxy();
  const last = await later.browser('last');
  second.send(typed('m2'));
  expect(await last.next('message_event')).toMatchObject({ message: { role: 'user', content: 'm2' } });
  expect(watcher.of('message_event')).toEqual([]);
});

test.each([
  ['while the relay runs', false],
  ['over a restart', true],
])('[CHT-165] the echo of an edited send has the final text, %s', async (_, isRestarted) => {
  const harness = await createCoreHarness();
  const away = await harness.proxy();
  const phone = await harness.browser();
  away.hangUp();
  await phone.next('session_down');
  phone.send(sendOf('m1', { content: 'first draft' }));
  await phone.next('message_event');
  const change = { session_id: 's1', client_message_id: 'm1', request_id: 'r1', content: 'last draft' };
  phone.send({ type: 'edit_message', ...change });
  await phone.next('message_event');
  const laptop = await harness.proxy();
  expect(await laptop.next('send_message')).toMatchObject({ content: 'last draft' });
  laptop.send(result('m1', 'delivered'));
  await phone.next('message_delivered');

  const later = isRestarted ? await harness.restart() : harness;
  const back = isRestarted ? await later.proxy() : laptop;
  const watcher = await later.browser('watcher');
  back.send(typed('last draft'));
  back.send(typed('first draft'));
  expect(await watcher.next('message_event')).toMatchObject({ message: { content: 'first draft' } });
});
