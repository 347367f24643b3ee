import { expect, test } from 'vitest';
import { startTestRelay, type TestPeer, type TestRelay } from '../../test/server/test-relay.ts';

const SESSION = { session_id: 'one', agent_type: 'claude', status: 'healthy' };

async function startSession(relay: TestRelay): Promise<TestPeer> {
  const proxy = await relay.connect('proxy');
  proxy.send({ type: 'proxy_session_snapshot', sessions: [SESSION] });
  await proxy.settled();
  return proxy;
}

test('[CHT-86] a stranger is greeted, and learns nothing', async () => {
  const relay = await startTestRelay();
  await startSession(relay);
  const unauthenticated = await relay.connect('stranger', { resume: { sessions: [] } });
  const person = await relay.connect('person');
  const proxy = await relay.connect('proxy');
  proxy.send({ type: 'proxy_session_snapshot', sessions: [{ ...SESSION, session_id: 'two' }] });
  await person.next('session_up');
  await unauthenticated.settled();
  const [ack, ...rest] = unauthenticated.frames;
  expect(Object.keys(ack ?? {}).toSorted()).not.toEqual(
    expect.arrayContaining(['open_prompts', 'session_configs', 'pending_launches']),
  );
  expect([ack, ...rest].map((frame) => frame?.type)).toEqual(['connection_ack', 'heartbeat_ack']);
});

test("[CHT-87] [CHT-88] refuses a stranger's commands, which reach nobody", async () => {
  const relay = await startTestRelay();
  const proxy = await startSession(relay);
  const unauthenticated = await relay.connect('stranger');
  const ids = { session_id: 'one', request_id: 'r' };
  const frames = [
    { type: 'close_session', ...ids },
    { type: 'permission_response', ...ids, prompt_id: 'p', choice_id: 'yes' },
    { type: 'agent_interrupt', ...ids },
    { type: 'agent_set_model', ...ids, model_id: 'm' },
    { type: 'agent_config_request', ...ids },
    { type: 'history_request', ...ids },
    {
      type: 'send_message',
      ...ids,
      client_message_id: 'c',
      content: 'hello',
      created_at: '2026-01-01T00:00:00.000Z',
    },
  ];
  for (const frame of frames) {
    unauthenticated.send(frame);
    expect(await unauthenticated.next('connection_error'), frame.type).toMatchObject({
      code: 'unauthorized',
      ...ids,
    });
  }
  await proxy.settled();
  const reached = proxy.frames.map(({ type }) => type);
  expect(reached.filter((type) => frames.some((frame) => frame.type === type))).toEqual([]);
});
