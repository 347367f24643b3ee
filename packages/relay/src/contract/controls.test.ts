import { describe, expect, test } from 'vitest';
import { fresh, marked, useRelay } from '../../test/contract/contract-harness.ts';
import { AT, answerOf, configOf, interruptOf, promptOf, resultOf } from '../../test/contract/frames.ts';
import type { Loose } from '../../test/contract/peer.ts';

const harness = useRelay();

type Command = (session_id: string, request_id?: string) => Loose;

const COMMANDS: readonly (readonly [string, Command])[] = [
  ['agent_interrupt', (session_id, request_id) => interruptOf(session_id, request_id ?? fresh('r'))],
  [
    'agent_set_model',
    (session_id, request_id) => ({ type: 'agent_set_model', session_id, request_id, model_id: 'm2' }),
  ],
  [
    'agent_config_request',
    (session_id, request_id) => ({ type: 'agent_config_request', session_id, request_id }),
  ],
  [
    'agent_set_mode',
    (session_id, request_id) => ({ type: 'agent_set_mode', session_id, request_id, mode_id: 'plan' }),
  ],
  ['permission_response', (session_id, request_id) => answerOf(session_id, 'p1', { request_id })],
];

/** A session with an open prompt, so that every command has a target. */
async function asking() {
  const openSession = await harness.session({
    person: { client_id: 'one tab' },
    proxy: { features: ['modes'] },
  });
  openSession.proxy.send(promptOf(openSession.session_id, 'p1'));
  await openSession.person.next('permission_prompt');
  return openSession;
}

const forwarded = (texts: readonly string[], type: string) =>
  texts.map((text) => JSON.parse(text)).filter((frame) => frame.type === type);

describe.each(COMMANDS)('%s', (type, frameFor) => {
  test('[CHT-234] [CHT-237] [CHT-283] goes to the proxy of its session, with its request_id, and to no other', async () => {
    const openSession = await asking();
    const other = await harness.session();
    const request_id = fresh('r');
    openSession.person.send(frameFor(openSession.session_id, request_id));
    await marked(openSession);
    expect(forwarded(openSession.proxy.texts, type)).toMatchObject([
      frameFor(openSession.session_id, request_id),
    ]);
    await other.proxy.settled();
    expect(forwarded(other.proxy.texts, type)).toEqual([]);
  });

  test('[CHT-235] fails with only other proxies connected', async () => {
    const { session_id, person, proxy } = await asking();
    const other = await harness.session();
    await proxy.cut();
    await person.next('session_down', { session_id });
    const request_id = fresh('r');
    person.send(frameFor(session_id, request_id));
    expect(await person.next('agent_control_result')).toMatchObject({
      request_id,
      session_id,
      command: type,
      result: 'failed',
      error: { code: 'no_proxy_connected' },
      error_code: 'no_proxy_connected',
    });
    await other.proxy.settled();
    expect(forwarded(other.proxy.texts, type)).toEqual([]);
  });

  test('[CHT-236] [CHT-255] fails for an unknown session', async () => {
    const person = await harness.connect('person');
    const request_id = fresh('r');
    person.send(frameFor('nobody', request_id));
    expect(await person.next('agent_control_result')).toMatchObject({
      request_id,
      session_id: 'nobody',
      command: type,
      result: 'failed',
      error: { code: 'session_unknown' },
      error_code: 'session_unknown',
    });
  });

  test('[CHT-238] the result goes to the sender, with its request_id and type, and to no one else', async () => {
    const openSession = await asking();
    const { session_id, proxy } = openSession;
    const person = await harness.connect('person', { client_id: 'one tab' });
    const other = await harness.connect('owner');
    const same = await harness.connect(person.device ?? 'person', { client_id: 'another tab' });
    const request_id = fresh('r');
    person.send(frameFor(session_id, request_id));
    await marked(openSession);
    proxy.send(resultOf(session_id, request_id, { command: type }));
    expect(await person.next('agent_control_result')).toMatchObject({
      request_id,
      session_id,
      command: type,
      result: 'ok',
    });
    await marked(openSession);
    for (const peer of [other, same]) {
      await peer.settled();
      expect(peer.all('agent_control_result')).toEqual([]);
    }
  });

  test.each([
    ['error', { error: { code: 'agent_not_active', message: 'Nothing runs' } }],
    ['error_code', { error_code: 'agent_not_active' }],
  ])('[CHT-239] a failure that the proxy reports in %s is in both', async (_, failure) => {
    const openSession = await asking();
    const { session_id, person, proxy } = openSession;
    const request_id = fresh('r');
    person.send(frameFor(session_id, request_id));
    await marked(openSession);
    proxy.send(resultOf(session_id, request_id, { command: type, result: 'failed', ...failure }));
    expect(await person.next('agent_control_result')).toMatchObject({
      error: { code: 'agent_not_active' },
      error_code: 'agent_not_active',
    });
  });

  test('[CHT-191] the result follows the client to another connection', async () => {
    const openSession = await asking();
    const { session_id, proxy } = openSession;
    const device = await harness.device('person');
    const before = await harness.connect(device, { client_id: 'tab 1' });
    const request_id = fresh('r');
    before.send(frameFor(session_id, request_id));
    await before.settled();
    await marked(openSession);
    await before.cut();
    const other = await harness.connect(device, { client_id: 'tab 2' });
    const again = await harness.connect(device, { client_id: 'tab 1' });
    proxy.send(resultOf(session_id, request_id, { command: type }));
    await again.next('agent_control_result', { request_id });
    await other.settled();
    expect(other.all('agent_control_result')).toEqual([]);
  });
});

describe.each(COMMANDS.filter(([type]) => type !== 'agent_interrupt'))('%s', (type, frameFor) => {
  test('[CHT-237] gets a request_id if it has none, for the forward and the answer', async () => {
    const openSession = await asking();
    const { session_id, person, proxy } = openSession;
    person.send(frameFor(session_id));
    await marked(openSession);
    const [frame] = forwarded(proxy.texts, type);
    expect(frame.request_id).toEqual(expect.any(String));
    proxy.send(resultOf(session_id, frame.request_id, { command: type }));
    expect(await person.next('agent_control_result')).toMatchObject({ request_id: frame.request_id });
  });
});

test('[CHT-235] fails with no proxy connected', async () => {
  const { session_id, person } = await harness.session();
  await harness.restart();
  const again = await harness.connect(person.device ?? 'person');
  again.send(interruptOf(session_id, 'r1'));
  expect(await again.next('agent_control_result')).toMatchObject({ error: { code: 'no_proxy_connected' } });
});

test('[CHT-193] refuses a request_id that is pending from another connection, and the pending one continues', async () => {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  const other = await harness.connect('person');
  const request_id = fresh('r');
  person.send(interruptOf(session_id, request_id));
  await proxy.next('agent_interrupt');
  other.send(interruptOf(session_id, request_id));
  expect(await other.next('connection_error')).toMatchObject({ code: 'invalid_message', request_id });
  proxy.send(resultOf(session_id, request_id, { command: 'agent_interrupt' }));
  await person.next('agent_control_result');
  expect(proxy.all('agent_interrupt')).toHaveLength(1);
});

test('[CHT-257] a proxy’s own error code reaches the browser', async () => {
  const { session_id, person, proxy } = await harness.session();
  const request_id = fresh('r');
  person.send(interruptOf(session_id, request_id));
  await proxy.next('agent_interrupt');
  const error = { code: 'stop_button_hidden', message: 'The stop button is hidden' };
  proxy.send(resultOf(session_id, request_id, { command: 'agent_interrupt', result: 'failed', error }));
  expect(await person.next('agent_control_result')).toMatchObject({ error, error_code: error.code });
});

test('[CHT-238] a result without a request reaches nobody', async () => {
  const openSession = await harness.session();
  const { session_id, person, proxy } = openSession;
  proxy.send(resultOf(session_id, 'nothing'));
  await proxy.settled();
  await marked(openSession);
  expect(person.all('agent_control_result')).toEqual([]);
});

describe('configuration', () => {
  const CONFIG = {
    model_id: 'm1',
    permission_mode: 'unknown',
    permission_mode_name: 'plan',
    file_access_scope: 'workspace',
    available_models: ['m1', 'm2'],
    mode_id: 'plan',
    available_modes: [{ mode_id: 'plan', name: 'plan', description: 'Changes nothing' }],
    capabilities: { interrupt: true, set_model: false },
    read_at: AT,
  };

  test('[CHT-250] [CHT-282] every agent_config is broadcast', async () => {
    const { session_id, person, proxy } = await harness.session();
    const other = await harness.connect('owner');
    for (const model_id of ['m1', 'm2', 'm2']) {
      proxy.send(configOf(session_id, model_id, { ...CONFIG, model_id }));
      for (const peer of [person, other]) {
        expect(await peer.next('agent_config')).toMatchObject({ session_id, ...CONFIG, model_id });
      }
    }
  });

  test('[CHT-251] a new connection gets the latest configuration', async () => {
    const { session_id, person, proxy } = await harness.session();
    proxy.send(configOf(session_id, 'm1', CONFIG));
    proxy.send(configOf(session_id, 'm2'));
    await person.next('agent_config', { model_id: 'm2' });
    const [ack] = (await harness.connect('person')).all('connection_ack');
    expect(ack?.session_configs?.[session_id]).toEqual({ model_id: 'm2' });
  });

  test('[CHT-244] a request gets the cached configuration at once, unnumbered, and the fresh one after it', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    const other = await harness.connect('person');
    proxy.send(configOf(session_id, 'm1', CONFIG));
    await person.next('agent_config');
    await other.next('agent_config');
    person.send({ type: 'agent_config_request', session_id });
    const cached = await person.next('agent_config');
    expect(cached).toMatchObject({ session_id, ...CONFIG });
    expect(cached).not.toHaveProperty('sequence');
    await proxy.next('agent_config_request');
    proxy.send(configOf(session_id, 'm2'));
    expect(await person.next('agent_config')).toMatchObject({ model_id: 'm2' });
    expect(await other.next('agent_config')).toMatchObject({ model_id: 'm2' });
  });

  test('[CHT-244] a request gets only the fresh configuration when none is cached', async () => {
    const { session_id, person, proxy } = await harness.session();
    person.send({ type: 'agent_config_request', session_id });
    await proxy.next('agent_config_request');
    proxy.send(configOf(session_id, 'm1'));
    await person.next('agent_config');
    await person.settled();
    expect(person.all('agent_config')).toHaveLength(1);
  });

  test('[CHT-238] a result after the configuration still reaches its requester', async () => {
    const { session_id, person, proxy } = await harness.session();
    const request_id = fresh('r');
    person.send({ type: 'agent_config_request', session_id, request_id });
    await proxy.next('agent_config_request');
    proxy.send(configOf(session_id, 'm1'));
    proxy.send(resultOf(session_id, request_id, { command: 'agent_config_request' }));
    await person.next('agent_control_result', { request_id });
  });
});
