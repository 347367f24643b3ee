import type { Ledger } from '@drawbridge/ledger';
import { expect, test } from 'vitest';
import { AT, createCoreHarness, type SentFrame } from '../../test/core/core-harness.ts';

const choices = [
  { choice_id: 'yes', label: 'Yes', is_default: false },
  { choice_id: 'no', label: 'No', is_default: true },
];
const prompt = (more: object = {}): SentFrame => ({
  type: 'permission_prompt',
  session_id: 's1',
  prompt_id: 'p1',
  prompt_text: 'Run it?',
  choices,
  ...more,
});
const response = (request_id: string, more: object = {}): SentFrame => ({
  type: 'permission_response',
  session_id: 's1',
  prompt_id: 'p1',
  choice_id: 'yes',
  request_id,
  ...more,
});
const control = (request_id: string, more: object = {}): SentFrame => ({
  type: 'agent_control_result',
  session_id: 's1',
  command: 'permission_response',
  result: 'ok',
  request_id,
  ...more,
});

test('[CHT-213] [CHT-214] [CHT-216] [CHT-217] [CHT-219] [CHT-221] [CHT-272] a prompt is asked once, answered once, and settled when the proxy confirms', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser('phone', { features: ['prompt_answered'] });
  const person = await browser('desk');
  laptop.send(prompt({ timeout_ms: 60_000 }));
  laptop.send(prompt());
  const asked = await phone.next('permission_prompt');
  expect(asked).toMatchObject({ prompt_text: 'Run it?', expires_at: '2026-01-01T00:01:00.000Z' });
  const late = await browser('late');
  expect(late.of('connection_ack')[0]?.open_prompts).toMatchObject([{ prompt_id: 'p1', choices }]);

  phone.send(response('r1'));
  person.send(response('r1b', { choice_id: 'no' }));
  expect(await laptop.next('permission_response')).toMatchObject({ request_id: 'r1', choice_id: 'yes' });
  expect(await person.next('agent_control_result')).toMatchObject({
    request_id: 'r1b',
    command: 'permission_response',
    error: { code: 'prompt_not_found', message: expect.stringContaining('Phone') },
    error_code: 'prompt_not_found',
  });
  const during = await browser('during');
  expect(during.of('connection_ack')[0]?.open_prompts).toEqual([]);
  laptop.send(control('r1'));
  const answered = await phone.next('permission_prompt_answered');
  expect(answered).toMatchObject({ choice_id: 'yes', answered_by: 'Phone', answered_at: AT });
  expect(await person.next('permission_prompt_expired')).toMatchObject({
    event_id: answered.event_id,
    sequence: answered.sequence,
    applied_choice: 'yes',
  });
  expect(await phone.next('agent_control_result')).toMatchObject({ request_id: 'r1', result: 'ok' });
  expect(phone.of('permission_prompt')).toHaveLength(1);
  expect(laptop.of('permission_response')).toHaveLength(1);
});

test('[CHT-220] [CHT-221] [CHT-223] a wrong choice and a failed answer leave the prompt open, and an answer to an earlier dialog is refused', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt({ detected_at: AT }));
  await phone.next('permission_prompt');
  phone.send(response('r1', { choice_id: 'maybe' }));
  expect(await phone.next('agent_control_result')).toMatchObject({ error_code: 'invalid_message' });
  phone.send(response('r2'));
  await laptop.next('permission_response');
  laptop.send(control('r2', { result: 'failed', error_code: 'selector_failure' }));
  expect(await phone.next('permission_prompt')).toMatchObject({ prompt_id: 'p1', detected_at: AT });
  expect(await phone.next('agent_control_result')).toMatchObject({
    error: { code: 'selector_failure' },
    error_code: 'selector_failure',
  });
  phone.send(response('r3'));
  laptop.send(control((await laptop.next('permission_response')).request_id ?? ''));
  await phone.next('permission_prompt_expired');
  laptop.send(prompt({ detected_at: '2026-01-01T00:00:09.000Z' }));
  await phone.next('permission_prompt');
  phone.send(response('r4', { detected_at: AT }));
  await phone.next('agent_control_result');
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r4',
    error_code: 'prompt_not_found',
  });
  expect(laptop.of('permission_response')).toHaveLength(2);
});

test('[CHT-221] [CHT-273] a prompt withdrawn while it was being answered is over when the answer fails, and not asked again', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt());
  await phone.next('permission_prompt');
  phone.send(response('r1'));
  await laptop.next('permission_response');
  laptop.send({ type: 'permission_prompt_withdrawn', session_id: 's1', prompt_id: 'p1' });
  laptop.send(control('r1', { result: 'failed', error_code: 'prompt_not_found' }));
  expect(await phone.next('permission_prompt_expired')).not.toHaveProperty('applied_choice');
  expect(await phone.next('agent_control_result')).toMatchObject({ error_code: 'prompt_not_found' });
  expect(phone.of('permission_prompt')).toHaveLength(1);
  expect((await browser('late')).of('connection_ack')[0]?.open_prompts).toEqual([]);
});

test('[CHT-222] closes a prompt as unknown when the proxy does not confirm its answer within 10 s', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt());
  await phone.next('permission_prompt');
  phone.send(response('r1'));
  await laptop.next('permission_response');
  clock.advance(10_000);
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r1',
    error_code: 'delivery_unknown',
  });
  expect(await phone.next('permission_prompt_expired')).not.toHaveProperty('applied_choice');
  laptop.send(control('r1'));
  await laptop.settled();
  expect(phone.of('agent_control_result')).toHaveLength(1);
});

test('[CHT-114] [CHT-224] [CHT-225] [CHT-226] a timeout applies only a denial, ignores the wall clock, and runs from the prompt’s arrival', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  const detected_at = '2025-01-01T00:00:00.000Z';
  laptop.send(prompt({ timeout_ms: 20_000, default_choice: 'no', detected_at }));
  laptop.send(prompt({ timeout_ms: 20_000, default_choice: 'yes', prompt_id: 'grants' }));
  laptop.send(prompt({ default_choice: 'no', prompt_id: 'untimed' }));
  for (let each = 0; each < 3; each++) await phone.next('permission_prompt');
  clock.jump(3_600_000);
  clock.advance(19_999);
  await phone.settled();
  expect(phone.of('permission_prompt_expired')).toEqual([]);
  clock.advance(1);
  const expired = [
    await phone.next('permission_prompt_expired'),
    await phone.next('permission_prompt_expired'),
  ];
  expect(expired[0]).toMatchObject({ prompt_id: 'p1', applied_choice: 'no' });
  expect(expired[1]).toMatchObject({ prompt_id: 'grants' });
  expect(expired[1]).not.toHaveProperty('applied_choice');
  expect(laptop.of('permission_response')).toMatchObject([{ prompt_id: 'p1', choice_id: 'no' }]);
  const late = await browser('late');
  expect(late.of('connection_ack')[0]?.open_prompts).toMatchObject([{ prompt_id: 'untimed' }]);
});

test.each([
  ['forwards', 5_000, 5_000],
  ['back', -3_600_000, 20_000],
])(
  '[CHT-114] [CHT-215] after a restart a prompt has its remaining time, at most the full time, when the wall clock went %s',
  async (_, jump, rest) => {
    const harness = await createCoreHarness();
    const laptop = await harness.proxy();
    const phone = await harness.browser();
    laptop.send(prompt({ timeout_ms: 20_000, default_choice: 'no' }));
    await phone.next('permission_prompt');
    harness.clock.advance(10_000);
    await harness.core.stop();
    harness.clock.jump(jump);
    const { proxy, browser, clock } = await harness.restart();
    const back = await proxy();
    const watcher = await browser();
    expect(watcher.of('connection_ack')[0]?.open_prompts).toMatchObject([{ prompt_id: 'p1' }]);
    clock.advance(rest - 1);
    await watcher.settled();
    expect(watcher.of('permission_prompt_expired')).toEqual([]);
    clock.advance(1);
    expect(await watcher.next('permission_prompt_expired')).toMatchObject({ applied_choice: 'no' });
    expect(back.of('permission_response')).toHaveLength(1);
  },
);

test('[CHT-191] [CHT-215] [CHT-222] an answer that a restart interrupted is confirmed to the same client, or closed after 10 s', async () => {
  const harness = await createCoreHarness();
  const laptop = await harness.proxy();
  const phone = await harness.browser('phone', { client_id: 'tab' });
  laptop.send(prompt());
  laptop.send(prompt({ prompt_id: 'p2' }));
  await phone.next('permission_prompt');
  await phone.next('permission_prompt');
  phone.send(response('r1'));
  phone.send(response('r2', { prompt_id: 'p2' }));
  await laptop.next('permission_response');
  await laptop.next('permission_response');
  const { proxy, browser, clock } = await harness.restart();
  const back = await proxy();
  const other = await browser('phone', { client_id: 'other' });
  const same = await browser('phone', { client_id: 'tab' });
  expect(same.of('connection_ack')[0]?.open_prompts).toEqual([]);
  back.send(control('r1'));
  expect(await same.next('agent_control_result')).toMatchObject({ request_id: 'r1', result: 'ok' });
  clock.advance(10_000);
  expect(await same.next('agent_control_result')).toMatchObject({
    request_id: 'r2',
    error_code: 'delivery_unknown',
  });
  expect(other.of('agent_control_result')).toEqual([]);
});

test('[CHT-202] closing a session fails its queued sends and withdraws its prompts', async () => {
  const { browser, proxy, ledger } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt({ timeout_ms: 1_000, default_choice: 'no' }));
  await phone.next('permission_prompt');
  phone.send({ type: 'close_session', session_id: 's1', request_id: 'c1' });
  await laptop.next('close_session');
  laptop.send({ type: 'session_closed', session_id: 's1', request_id: 'c1', reason: 'user_requested' });
  expect(await phone.next('session_closed')).toMatchObject({ request_id: 'c1', reason: 'user_requested' });
  expect(await phone.next('permission_prompt_expired')).not.toHaveProperty('applied_choice');
  phone.send({
    type: 'send_message',
    session_id: 's1',
    client_message_id: 'm1',
    content: 'x',
    created_at: AT,
  });
  expect(await phone.next('message_failed')).toMatchObject({ error: { code: 'session_not_connected' } });
  phone.send({ type: 'close_session', session_id: 's1', request_id: 'c2' });
  expect(await phone.next('connection_error')).toMatchObject({ code: 'session_unknown', request_id: 'c2' });
  expect(laptop.of('permission_response')).toEqual([]);
  expect(await ledger.liveSessions()).toEqual([]);
  phone.send({ type: 'history_request', session_id: 's1' });
  expect(await phone.next('history_snapshot')).toMatchObject({
    messages: [{ message_id: 'm1', status: 'failed' }],
  });
});

test('[CHT-223] refuses an answer that names no dialog when a new prompt of its id is too recent to have been read', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt());
  await phone.next('permission_prompt');
  phone.send(response('r1'));
  laptop.send(control((await laptop.next('permission_response')).request_id ?? ''));
  await phone.next('permission_prompt_expired');
  laptop.send(prompt({ detected_at: '2026-01-01T00:00:09.000Z' }));
  await phone.next('permission_prompt');
  await phone.next('agent_control_result');
  phone.send(response('r2'));
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r2',
    error_code: 'prompt_not_found',
  });
  clock.advance(1_500);
  phone.send(response('r3'));
  expect(await laptop.next('permission_response')).toMatchObject({ request_id: 'r3' });
});

test('[CHT-219] [CHT-223] an answer that comes while its prompt’s end is being stored does not count for the next prompt of that id', async () => {
  const { ledger: store } = await createCoreHarness();
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const commit: Ledger['commit'] = async (writes) => {
    if (writes.some((write) => write.do === 'move_prompt' && write.to === 'expired')) {
      reached.resolve();
      await held.promise;
    }
    return store.commit(writes);
  };
  const { browser, proxy, clock } = await createCoreHarness({ ledger: { ...store, commit } });
  const laptop = await proxy();
  const phone = await browser();
  laptop.send(prompt({ timeout_ms: 1_000, detected_at: AT }));
  await phone.next('permission_prompt');
  clock.advance(1_000);
  await reached.promise;
  phone.send(response('r1', { detected_at: AT }));
  expect(await phone.next('agent_control_result')).toMatchObject({
    request_id: 'r1',
    error: { code: 'prompt_not_found' },
  });
  held.resolve();
  await phone.next('permission_prompt_expired');
  laptop.send(prompt({ detected_at: AT }));
  await phone.next('permission_prompt');
  phone.send(response('r2', { detected_at: AT }));
  expect(await laptop.next('permission_response')).toMatchObject({ request_id: 'r2' });
  laptop.send(control('r2'));
  await phone.next('permission_prompt_expired');
  const { frames } = await browser('desk');
  expect(frames.find(({ type }) => type === 'connection_ack')).toMatchObject({ open_prompts: [] });
});
