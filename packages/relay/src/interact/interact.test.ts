import type { StepAnswer } from '@drawbridge/brain';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { task as putTask } from '@drawbridge/ledger/test/samples';
import { interactResponse } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { anyUuid, CLICK, FINISH, FIRST, startInteract } from '../../test/interact/interact-harness.ts';

test('[INT-39] [INT-84] [INT-07] a first call starts a task in a new session and returns both ids', async () => {
  const { call, brain, relay, device } = await startInteract();
  const { status, body } = await call(FIRST);
  expect(status).toBe(200);
  const data = { ...CLICK, taskId: anyUuid, sessionId: anyUuid };
  expect(body).toEqual({ success: true, data, ...data });
  expect(interactResponse.parse(JSON.stringify(body))).toEqual(body);
  expect(brain.inputs).toMatchObject([{ request: FIRST, memory: undefined, said: [] }]);
  expect(await relay.ledger.task(body.data.taskId)).toMatchObject({
    session_id: body.data.sessionId,
    device_id: device.device_id,
    state: 'running',
    revision: 1,
  });
});

test("[INT-85] a later call is decided with the task's memory, also after a restart", async () => {
  const { call, brain, relay, device } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  await relay.restart().then(async (again) => {
    const answer = await fetch(`${again.url}/api/agent/interact`, {
      method: 'POST',
      headers: { authorization: `Bearer ${device.token}` },
      body: JSON.stringify({ ...FIRST, taskId, lastActionStatus: 'success' }),
    });
    expect(await answer.json()).toMatchObject({ data: { taskId, sessionId } });
  });
  expect(brain.inputs.map(({ memory }) => memory?.spent.steps)).toEqual([undefined, 1]);
});

test('[INT-95] an unknown task gets 404 and starts nothing; one that has ended answers the same again', async () => {
  const { call, brain, relay } = await startInteract(() => FINISH);
  const unknown = await call({ ...FIRST, taskId: 'abc-123' });
  expect(unknown).toMatchObject({
    status: 404,
    body: { success: false, code: 'task_not_found', path: 'taskId' },
  });
  expect(unknown.body.message).toContain('Leave taskId out');
  expect([brain.inputs.length, await relay.ledger.tasksBefore(null, 9)]).toEqual([0, []]);
  const { body } = await call(FIRST);
  expect(body.data).toMatchObject({ action: 'finish()', status: 'completed' });
  const again = await call({ ...FIRST, taskId: body.data.taskId, url: 'https://elsewhere.example/' });
  expect(again.body).toEqual(body);
  expect(brain.inputs).toHaveLength(1);
  expect(await relay.ledger.task(body.data.taskId)).toMatchObject({ state: 'completed', revision: 1 });
});

test('refuses a task of another session and names sessionId', async () => {
  const { call } = await startInteract();
  const { taskId } = (await call(FIRST)).body.data;
  expect(await call({ ...FIRST, taskId, sessionId: 'another' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', path: 'sessionId' },
  });
});

test('[INT-102] [INT-101] an ask stores nothing; the repeated call counts as the first one, and the brain knows that it asked', async () => {
  const asked = {
    status: 'needs_context',
    requestedDomMode: 'hybrid',
    needsScreenshot: true,
    needsSkeletonDom: true,
    reason: 'The tree does not say which button is blue.',
  } as const;
  const { call, brain, relay, get } = await startInteract(({ memory }) =>
    memory?.spent.steps === 1 || memory?.spent.steps === 3 ? CLICK : asked,
  );
  const first = await call(FIRST);
  expect(first.body).toEqual({ success: true, data: asked, ...asked });
  expect(await relay.ledger.tasksBefore(null, 9)).toEqual([]);
  expect((await get('/api/session/latest')).status).toBe(404);
  const retry = { ...FIRST, screenshot: 'AAAA', skeletonDom: '<button id="42">' };
  const { taskId, sessionId } = (await call(retry)).body.data;
  expect(taskId).toEqual(anyUuid);
  const before = (await get(`/api/session/${sessionId}/messages`)).body;
  const second = { ...FIRST, taskId };
  expect((await call(second)).body.data).toEqual({ ...asked, taskId, sessionId });
  expect((await get(`/api/session/${sessionId}/messages`)).body).toEqual(before);
  expect((await call({ ...second, screenshot: 'AAAA' })).body.data.action).toBe('click(42)');
  expect(brain.inputs.map(({ memory }) => memory?.spent.steps)).toEqual([undefined, 1, 2, 3]);
});

test('[INT-137] [INT-138] a question waits for the person, and the answer comes as the next query', async () => {
  const question: StepAnswer = {
    status: 'needs_user_input',
    userQuestion: 'Which account?',
    missingInformation: ['account'],
  };
  const { call, brain, relay, get } = await startInteract(({ memory }) =>
    memory === undefined ? question : FINISH,
  );
  const { taskId, sessionId, ...data } = (await call(FIRST)).body.data;
  expect(data).toMatchObject(question);
  expect(await relay.ledger.task(taskId)).toMatchObject({ state: 'waiting' });
  await call({ ...FIRST, taskId, query: 'The savings account' });
  expect(brain.inputs[1]).toMatchObject({
    said: ['The savings account'],
    request: { query: 'The savings account' },
  });
  const { messages } = (await get(`/api/session/${sessionId}/messages`)).body;
  expect(messages.map(({ role, content }: Record<string, string>) => [role, content])).toEqual([
    ['user', 'Search for SpaceX'],
    ['assistant', 'Which account?'],
    ['user', 'The savings account'],
    ['assistant', 'Done.'],
  ]);
});

test('[INT-290] a failing or missing brain stores nothing, and the call can be repeated', async () => {
  let fails = true;
  const { call, relay } = await startInteract(() => {
    if (fails) throw new Error('The model is overloaded. Try again later.');
    return CLICK;
  });
  const failed = await call(FIRST);
  expect(failed).toMatchObject({ status: 502, body: { success: false, code: 'brain_failed' } });
  expect(failed.body.message).toContain('overloaded');
  expect(await relay.ledger.tasksBefore(null, 9)).toEqual([]);
  fails = false;
  expect((await call(FIRST)).status).toBe(200);
  const none = await startInteract(undefined, { brain: () => undefined });
  expect(await none.call(FIRST)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
});

test('[INT-287] when the store refuses, there is no answer, no task and no message', async () => {
  const { call, relay, get } = await startInteract(async ({ memory }) => {
    if (memory !== undefined) await relay.ledger.deleteSession(sessionId);
    return CLICK;
  });
  let sessionId = '';
  const { taskId, sessionId: made } = (await call(FIRST)).body.data;
  sessionId = made;
  const refused = await call({ ...FIRST, taskId });
  expect(refused).toMatchObject({ status: 404, body: { success: false, code: 'session_not_found' } });
  expect(await relay.ledger.task(taskId)).toBeUndefined();
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(0);
});

test('[INT-287] [INT-40] reports a failing disk, and the same call succeeds when the disk is back', async () => {
  let isFull = false;
  const ledger = openMemoryLedger(
    { epoch: 'e', synced: [] },
    { fault: () => (isFull ? 'ledger_full' : undefined) },
  );
  const { call, relay, brain } = await startInteract(undefined, { ledger });
  const { taskId } = (await call(FIRST)).body.data;
  isFull = true;
  const second = { ...FIRST, taskId };
  expect(await call(second)).toMatchObject({ status: 503, body: { success: false, code: 'unavailable' } });
  expect(await relay.ledger.task(taskId)).toMatchObject({ revision: 1 });
  isFull = false;
  expect((await call(second)).status).toBe(200);
  expect(brain.inputs.map(({ memory }) => memory?.spent.steps)).toEqual([undefined, 1, 1]);
  expect(await relay.ledger.task(taskId)).toMatchObject({ revision: 2 });
});

test('a deleted session starts again with the same id', async () => {
  const { call, relay, get } = await startInteract();
  const { sessionId } = (await call(FIRST)).body.data;
  const owner = await relay.mint('owner');
  const person = await relay.connect('person');
  person.send({ type: 'close_session', session_id: sessionId, request_id: 'r1' });
  await person.next('session_closed');
  const deleted = await fetch(`${relay.url}/api/sessions/${sessionId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(deleted.status).toBe(204);
  expect((await call({ ...FIRST, sessionId })).body.data.sessionId).toBe(sessionId);
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(2);
});

test("stores a step on top of a concurrent change by the task's owner", async () => {
  let thinking = () => {};
  const begun = new Promise<void>((resolve) => {
    thinking = resolve;
  });
  let go = () => {};
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { relay, device, brain } = await startInteract(async () => {
    thinking();
    await released;
    return CLICK;
  });
  const identity = { device_id: device.device_id, roles: ['runtime'], label: '', scopes: [] } as const;
  const { interact, sessions } = relay.interactPort;
  await sessions.open({ session_id: 's1', title: 'A task of somebody else' });
  const { task } = putTask('s1', 't1', 0, { device_id: device.device_id, priority: 3 });
  await relay.ledger.commit([{ do: 'put_task', task, if_revision: 0 }]);
  const request = {
    url: FIRST.url,
    query: FIRST.query,
    interactiveTree: FIRST.interactiveTree,
    taskId: 't1',
  };
  const answer = interact(identity, request, { schema: { type: 'object' } });
  await begun;
  const paused = { ...task, state: 'paused', body: { ...task.body, paused_by: 'phone' } } as const;
  await relay.ledger.commit([{ do: 'put_task', task: paused, if_revision: 1 }]);
  go();
  expect(await answer).toMatchObject({ success: true, data: { taskId: 't1', sessionId: 's1' } });
  expect(brain.inputs[0]).toMatchObject({ schema: { type: 'object' } });
  expect(await relay.ledger.task('t1')).toMatchObject({
    state: 'paused',
    priority: 3,
    settled_at: null,
    body: { paused_by: 'phone', interact: { messages: 1 } },
  });
});

test("an ask on the first call of another owner's task makes neither its query nor earlier messages answers", async () => {
  const asked = { status: 'needs_context', requestedDomMode: 'full', reason: 'Too little.' } as const;
  const { relay, device, brain } = await startInteract(({ memory }) =>
    memory === undefined ? asked : CLICK,
  );
  const identity = { device_id: device.device_id, roles: ['runtime'], label: '', scopes: [] } as const;
  const { interact, sessions } = relay.interactPort;
  await sessions.open({ session_id: 's1', title: 'A task of somebody else' });
  // Part of the prompt, as a person's message before the start is.
  const message = {
    message_id: 'm',
    client_message_id: 'c',
    role: 'user',
    content: 'Hurry.',
    created_at: '',
  };
  const said = {
    session_id: 's1',
    event_id: 'e',
    type: 'message_event',
    payload: { message },
    at: 1,
  } as const;
  await relay.ledger.commit([{ do: 'append_event', ...said, message_id: 'm' }]);
  await sessions.appendMessages('s1', [], [putTask('s1', 't1', 0, { device_id: device.device_id })]);
  const request = {
    url: FIRST.url,
    query: FIRST.query,
    interactiveTree: FIRST.interactiveTree,
    taskId: 't1',
  };
  expect(await interact(identity, request)).toMatchObject({ data: { ...asked, taskId: 't1' } });
  expect(await interact(identity, { ...request, dom: '<p>' })).toMatchObject({
    data: { action: 'click(42)' },
  });
  expect(brain.inputs.map(({ said, memory }) => [said, memory?.spent.steps])).toEqual([
    [[], undefined],
    [[], 1],
  ]);
});
