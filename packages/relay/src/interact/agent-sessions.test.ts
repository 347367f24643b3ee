import { TASK_SIGNATURE } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { CLICK, FIRST, startInteract } from '../../test/interact/interact-harness.ts';
import { BRAIN_DEVICE } from './agent-sessions.ts';

test('[INT-286] a person who interrupts a session ends its open task, and every later call says so', async () => {
  const { call, relay, brain, get } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const person = await relay.connect('person');
  const interrupt = async () => {
    person.send({ type: 'agent_interrupt', session_id: sessionId, request_id: `r${brain.inputs.length}` });
    return person.next('agent_control_result');
  };
  expect(await interrupt()).toMatchObject({ result: 'ok' });
  const { message } = await person.next('message_event');
  expect(message).toMatchObject({
    content: 'A person stopped the task.',
    metadata: { details: { kind: 'task_result', task_id: taskId, status: 'cancelled' } },
  });
  for (const _ of [1, 2]) {
    expect((await call({ ...FIRST, taskId })).body.data).toMatchObject({
      action: 'fail()',
      status: 'failed',
      taskId,
      sessionId,
    });
  }
  expect(brain.inputs).toHaveLength(1);
  expect(await relay.ledger.task(taskId)).toMatchObject({ state: 'cancelled' });
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(3);
  person.send({ type: 'agent_interrupt', session_id: sessionId, request_id: 'again' });
  expect(await person.next('agent_control_result')).toMatchObject({
    result: 'failed',
    error: { code: 'agent_not_active' },
  });
});

test('[INT-286] drops a pending decision when the person stops the task', async () => {
  let reached = () => {};
  const thinking = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const { call, relay } = await startInteract(({ memory }, { signal }) => {
    if (memory === undefined) return CLICK;
    reached();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('stopped')));
    });
  });
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const answer = call({ ...FIRST, taskId });
  await thinking;
  const person = await relay.connect('person');
  person.send({ type: 'agent_interrupt', session_id: sessionId, request_id: 'r1' });
  expect((await answer).body.data).toMatchObject({ action: 'fail()', status: 'failed', taskId });
  expect(await relay.ledger.task(taskId)).toMatchObject({ state: 'cancelled' });
});

test('[INT-286] closing a session ends its task; the next task opens it again', async () => {
  const { call, relay } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const person = await relay.connect('person');
  person.send({ type: 'close_session', session_id: sessionId, request_id: 'r1' });
  await person.next('session_closed');
  expect((await call({ ...FIRST, taskId })).body.data).toMatchObject({ action: 'fail()' });
  expect((await call({ ...FIRST, sessionId, query: 'Again' })).body.data.sessionId).toBe(sessionId);
  expect(await relay.ledger.session(sessionId)).toMatchObject({ closed_at: null });
});

test('a message written while the relay is down is delivered when its task resumes', async () => {
  const { call, relay, brain, device } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const again = await relay.restart();
  const person = await again.connect('person');
  person.send({
    type: 'send_message',
    session_id: sessionId,
    client_message_id: 'm1',
    content: 'Mind the cookie banner',
    created_at: '2026-01-30T10:00:00.000Z',
  });
  await person.next('message_accepted');
  await fetch(`${again.url}/api/agent/interact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}` },
    body: JSON.stringify({ ...FIRST, taskId }),
  });
  await person.next('message_delivered');
  expect(brain.inputs.at(-1)?.said).toEqual(['Mind the cookie banner']);
  // A person can also stop it after a restart.
  person.send({ type: 'agent_interrupt', session_id: sessionId, request_id: 'r1' });
  expect(await person.next('agent_control_result')).toMatchObject({ result: 'ok' });
});

test('[INT-286] after a restart every open task of the session is known, not only the one that resumes', async () => {
  const { call, relay, device } = await startInteract();
  const { taskId: forgotten, sessionId } = (await call(FIRST)).body.data;
  const { taskId } = (await call({ ...FIRST, sessionId, query: 'Another' })).body.data;
  const again = await relay.restart();
  await fetch(`${again.url}/api/agent/interact`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}` },
    body: JSON.stringify({ ...FIRST, taskId }),
  });
  const person = await again.connect('person');
  person.send({ type: 'agent_interrupt', session_id: sessionId, request_id: 'r1' });
  await person.next('message_event');
  await person.next('message_event');
  for (const each of [forgotten, taskId]) {
    expect(await again.ledger.task(each)).toMatchObject({ state: 'cancelled' });
  }
});

test('[TSK-65] shows an activity to people and marks a task; adding a session keeps those of others', async () => {
  const { relay } = await startInteract();
  const { sessions } = relay.interactPort;
  const person = await relay.connect('person');
  await sessions.open({ session_id: 'a', title: 'One' });
  sessions.status('a', { kind: 'waiting_for_user' });
  expect(await person.next('session_status')).toMatchObject({
    session_id: 'a',
    activity: { kind: 'waiting_for_user' },
  });
  const before = await relay.ledger.session('a');
  await sessions.open({ session_id: 'b', title: 'Two' });
  expect(await relay.ledger.session('a')).toEqual(before);
  await sessions.open({ session_id: 'task', title: 'Three', isTask: true });
  await sessions.open({ session_id: 'task', title: 'Renamed' });
  const other = await relay.connect('person');
  const { sessions: shown } = await other.next('session_snapshot');
  expect(shown).toMatchObject([
    { session_id: 'a', display_name: 'One', activity: { kind: 'waiting_for_user' } },
    { session_id: 'b', display_name: 'Two' },
    { session_id: 'task', display_name: 'Renamed', target_signature: TASK_SIGNATURE },
  ]);
  expect(shown[1]).not.toHaveProperty('target_signature');
});

test("refuses to open another device's session, and stores messages and writes together or not at all", async () => {
  const { relay } = await startInteract();
  const { sessions } = relay.interactPort;
  const proxy = await relay.connect('proxy');
  proxy.send({
    type: 'proxy_session_snapshot',
    sessions: [{ session_id: 'codex', agent_type: 'codex', status: 'healthy' }],
  });
  await proxy.settled();
  await expect(sessions.open({ session_id: 'codex', title: 'Mine' })).rejects.toThrow('another proxy');
  await sessions.open({ session_id: 'a', title: 'One' });
  const message = { message_id: 'm1', role: 'assistant', content: 'Hello' } as const;
  const refused = await sessions.appendMessages(
    'a',
    [message],
    [
      { do: 'delete_file', file_id: 'f' },
      { do: 'drop_session', session_id: 'nowhere' },
    ],
  );
  expect(refused).toMatchObject({ committed: false, refusal: { reason: 'session_unknown' } });
  expect((await relay.ledger.transcriptBefore('a', 99, 9))?.events).toEqual([]);
  await sessions.appendMessages('a', [message]);
  await sessions.appendMessages('a', [{ ...message, content: 'Hello again' }]);
  const page = await relay.ledger.transcriptBefore('a', 99, 9);
  expect(page?.events.map(({ payload }) => payload)).toMatchObject([
    { message: { content: 'Hello' } },
    { message: { content: 'Hello again', message_id: 'm1' } },
  ]);
});

test('our agent reconnects with its sessions after the core dropped it', async () => {
  const { call, relay } = await startInteract();
  await call({ ...FIRST, sessionId: 'one' });
  const person = await relay.connect('person');
  relay.core.dismiss(BRAIN_DEVICE);
  expect((await call({ ...FIRST, sessionId: 'two' })).status).toBe(200);
  const created_at = new Date().toISOString();
  for (const session_id of ['one', 'two']) {
    const client_message_id = `to-${session_id}`;
    person.send({ type: 'send_message', session_id, client_message_id, content: 'Hello', created_at });
    expect(await person.next('message_delivered')).toMatchObject({ session_id, client_message_id });
  }
});
