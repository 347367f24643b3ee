import { expect, test } from 'vitest';
import { createCoreHarness, type SentFrame } from '../../test/core/core-harness.ts';

const interrupt = (session_id: string, request_id = 'r1'): SentFrame => ({
  type: 'agent_interrupt',
  session_id,
  request_id,
});
const done = (session_id: string): SentFrame => ({
  type: 'agent_control_result',
  session_id,
  command: 'agent_interrupt',
  result: 'ok',
  request_id: 'r1',
});

test('[CHT-191] [CHT-193] a client that reconnects may retry its request_id; another device may not take the answer', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser('phone', { client_id: 'tab' });
  phone.send(interrupt('s1'));
  await laptop.next('agent_interrupt');
  phone.hangUp();
  const person = await browser('desk');
  person.send(interrupt('s1'));
  expect(await person.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  const back = await browser('phone', { client_id: 'tab' });
  back.send(interrupt('s1'));
  await laptop.next('agent_interrupt');
  laptop.send(done('s1'));
  expect(await back.next('agent_control_result')).toMatchObject({ request_id: 'r1', result: 'ok' });
  expect(person.of('agent_control_result')).toEqual([]);
});

test('[CHT-193] [CHT-237] [CHT-238] a request_id belongs to one proxy: another has its own, and each answer reaches its requester', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1', 's3']);
  const tower = await proxy(['s2'], 'tower');
  const phone = await browser();
  const person = await browser('desk');
  phone.send(interrupt('s1'));
  person.send(interrupt('s2'));
  expect(await laptop.next('agent_interrupt')).toMatchObject({ session_id: 's1', request_id: 'r1' });
  expect(await tower.next('agent_interrupt')).toMatchObject({ session_id: 's2', request_id: 'r1' });
  person.send(interrupt('s3'));
  expect(await person.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  phone.send(interrupt('s1'));
  expect(await phone.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id: 'r1' });
  tower.send(done('s2'));
  expect(await person.next('agent_control_result')).toMatchObject({ session_id: 's2', result: 'ok' });
  laptop.send(done('s1'));
  expect(await phone.next('agent_control_result')).toMatchObject({ session_id: 's1', result: 'ok' });
  expect(laptop.of('agent_interrupt')).toHaveLength(1);
  phone.send(interrupt('s1'));
  await laptop.next('agent_interrupt');
  await person.settled();
  expect(person.of('agent_control_result')).toHaveLength(1);
});
