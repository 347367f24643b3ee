import { expect, test } from 'vitest';
import { createCoreHarness, sendOf } from '../../test/core/core-harness.ts';

test('[CHT-136] [CHT-137] [CHT-147] [CHT-163] a send is accepted for everyone, forwarded once, and settled by the proxy', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  const person = await browser('desk');
  phone.send(sendOf('m1'));
  const accepted = await person.next('message_accepted');
  expect(accepted).toEqual(await phone.next('message_accepted'));
  expect(await person.next('message_event')).toMatchObject({
    sequence: accepted.sequence + 1,
    message: { message_id: 'm1', role: 'user', content: 'text of m1' },
  });
  expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'm1', attempt: 1 });
  laptop.send({
    type: 'proxy_send_result',
    session_id: 's1',
    client_message_id: 'm1',
    result: 'delivered',
    attempt: 1,
  });
  expect(await person.next('message_delivered')).toMatchObject({
    client_message_id: 'm1',
    status: 'delivered',
  });
});
