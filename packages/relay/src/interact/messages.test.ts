import { newMessage, sessionMessages } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { CLICK, FINISH, FIRST, startInteract } from '../../test/interact/interact-harness.ts';

const PLAN = {
  steps: [
    { id: 'step_0', index: 0, description: 'Enter the query', status: 'completed', toolType: 'DOM' },
    { id: 'step_1', index: 1, description: 'Press the button', status: 'active', toolType: 'DOM' },
  ],
  currentStepIndex: 1,
  createdAt: '2026-01-30T10:00:00.000Z',
} as const;
const plan = { ...PLAN, steps: PLAN.steps.map((step) => ({ ...step })) };

test('[INT-159] [INT-161] [INT-162] [INT-163] [INT-58] [INT-59] a session has its messages in order, each once', async () => {
  const { call, get } = await startInteract(({ memory }) => (memory === undefined ? CLICK : FINISH));
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  await call({ ...FIRST, taskId, lastActionStatus: 'success' });
  const { status, body } = await get(`/api/session/${sessionId}/messages`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    sessionId,
    total: 3,
    sessionExists: true,
    messages: [
      { role: 'user', content: 'Search for SpaceX', sequenceNumber: 0 },
      {
        role: 'assistant',
        content: 'I press it.',
        actionString: 'click(42)',
        status: 'success',
        sequenceNumber: 1,
      },
      { role: 'assistant', content: 'Done.', actionString: 'finish()', status: 'success', sequenceNumber: 2 },
    ],
  });
  expect(sessionMessages.parse(JSON.stringify(body))).toEqual(body);
  const more = (await call({ ...FIRST, sessionId, query: 'Now for Mars' })).body.data;
  expect(more.sessionId).toBe(sessionId);
  const list = (await get(`/api/session/${sessionId}/messages`)).body.messages;
  expect(list.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)).toEqual([
    0, 1, 2, 3, 4,
  ]);
});

test('[INT-160] a missing session has no messages', async () => {
  const { get } = await startInteract();
  expect(await get('/api/session/nowhere/messages')).toMatchObject({
    status: 200,
    body: { sessionId: 'nowhere', messages: [], total: 0, sessionExists: false },
  });
});

test("[INT-89] the client's result of its last action is on the message that carried the action", async () => {
  const { call, get } = await startInteract();
  const { taskId, sessionId } = (await call({ ...FIRST, pageTitle: 'Google' })).body.data;
  const list = async () => (await get(`/api/session/${sessionId}/messages`)).body.messages;
  const [, pending] = await list();
  expect(pending).toMatchObject({
    status: 'pending',
    metadata: { details: { subject: 'Search', status: 'running' } },
  });
  await call({
    ...FIRST,
    taskId,
    url: 'https://www.google.com/sorry',
    lastActionStatus: 'failure',
    lastActionError: { message: 'It is covered.', code: 'covered', action: 'click(42)', elementId: 42 },
    recentEvents: ["[1s ago] Error: 'Try again'"],
  });
  const [, failed, next] = await list();
  expect(failed).toMatchObject({
    messageId: pending.messageId,
    timestamp: pending.timestamp,
    sequenceNumber: 1,
    status: 'failure',
    error: { code: 'covered', message: 'It is covered.' },
    metadata: {
      details: {
        status: 'failed',
        before: { url: FIRST.url, title: 'Google' },
        after: { url: 'https://www.google.com/sorry' },
        events: ["[1s ago] Error: 'Try again'"],
      },
    },
  });
  await call({ ...FIRST, taskId });
  expect((await list())[2]).toMatchObject({
    messageId: next.messageId,
    metadata: { details: { status: 'unknown' } },
  });
});

test('[INT-130] [INT-133] a plan is one message, sent again only when it advances', async () => {
  const done = { ...plan, steps: plan.steps.map((step) => ({ ...step, status: 'completed' as const })) };
  const { call, get, relay } = await startInteract(({ memory }) => ({
    ...CLICK,
    plan: memory === undefined ? plan : done,
    currentStep: 1,
    totalSteps: 2,
  }));
  const first = (await call(FIRST)).body.data;
  expect(first).toMatchObject({ plan: PLAN, currentStep: 1, totalSteps: 2 });
  await call({ ...FIRST, taskId: first.taskId });
  await call({ ...FIRST, taskId: first.taskId, pageTitle: 'Next' });
  const page = await relay.ledger.transcriptBefore(first.sessionId, 99, 99);
  const sent = page?.events.filter(({ message_id }) => message_id === `${first.taskId}_plan`);
  expect(sent).toHaveLength(2);
  const { messages, total } = (await get(`/api/session/${first.sessionId}/messages`)).body;
  expect(total).toBe(5);
  expect(messages[1]).toMatchObject({
    role: 'system',
    content: 'Plan:\n1. Enter the query (completed)\n2. Press the button (completed)',
    metadata: { details: { kind: 'plan', steps: [{ status: 'completed' }, { status: 'completed' }] } },
  });
});

test("[INT-285] a person's message to the session is delivered, and reaches the next decision once", async () => {
  const { call, relay, brain, get } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  await call({ ...FIRST, sessionId: 'later', url: 'https://example.org/' });
  const person = await relay.connect('person');
  person.send({
    type: 'send_message',
    session_id: sessionId,
    client_message_id: 'm1',
    content: 'Not the first result',
    created_at: '2026-01-30T10:00:00.000Z',
  });
  await person.next('message_delivered');
  await call({ ...FIRST, taskId });
  await call({ ...FIRST, taskId, pageTitle: 'Next' });
  expect(brain.inputs.map(({ said }) => said)).toEqual([[], [], ['Not the first result'], []]);
  const { messages } = (await get(`/api/session/${sessionId}/messages`)).body;
  expect(messages.map(({ content }: { content: string }) => content)).toEqual([
    'Search for SpaceX',
    'I press it.',
    'Not the first result',
    'I press it.',
    'I press it.',
  ]);
});

test('[INT-157] a message makes its session the latest', async () => {
  const { call, relay, get } = await startInteract();
  await call({ ...FIRST, sessionId: 'one' });
  await call({ ...FIRST, sessionId: 'two' });
  const person = await relay.connect('person');
  const touched = new Promise<void>((resolve) => {
    relay.interactPort.sessions.onPersonMessage(async () => void resolve());
  });
  person.send({
    type: 'send_message',
    session_id: 'one',
    client_message_id: 'm1',
    content: 'hello',
    created_at: '2026-01-30T10:00:00.000Z',
  });
  await touched;
  // One thread reads and writes both in order, so the second read comes after the write.
  for (const _ of [1, 2, 3]) await relay.ledger.tabSession('one');
  expect((await get('/api/session/latest')).body).toMatchObject({
    ...{ sessionId: 'one', status: 'active', messageCount: expect.any(Number) },
  });
});

test('[INT-61] [INT-170] [INT-171] pushes each message and each round to the session', async () => {
  const pushed: { session_id: string; event: string; payload: object }[] = [];
  const waiting = new Set<() => void>();
  const { call, relay } = await startInteract(() => CLICK, {
    push: (session_id, event, payload) => {
      pushed.push({ session_id, event, payload });
      for (const look of [...waiting]) look();
    },
  });
  const messages = () => pushed.filter(({ event }) => event === 'new_message');
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => messages().length >= count && resolve();
      waiting.add(look);
      look();
    });
  const { sessionId, taskId } = (await call(FIRST)).body.data;
  await until(2);
  for (const { payload } of messages()) expect(newMessage.parse(JSON.stringify(payload))).toEqual(payload);
  expect(messages()).toMatchObject([
    {
      session_id: sessionId,
      payload: { type: 'new_message', sessionId, message: { role: 'user', sequenceNumber: 0 } },
    },
    {
      payload: {
        message: { role: 'assistant', sequenceNumber: 1, status: 'pending', actionString: 'click(42)' },
      },
    },
  ]);
  expect(pushed.filter(({ event }) => event === 'interact_response')).toMatchObject([
    { session_id: sessionId, payload: { type: 'interact_response', sessionId, taskId } },
  ]);
  // Messages of another agent are not for these channels.
  const proxy = await relay.connect('proxy');
  const theirs = { session_id: 'codex', agent_type: 'codex', status: 'healthy' };
  proxy.send({ type: 'proxy_session_snapshot', sessions: [theirs] });
  const message = { role: 'assistant', content: 'hi', created_at: '2026-01-30T10:00:00.000Z' };
  proxy.send({ type: 'proxy_message', session_id: 'codex', message });
  const person = await relay.connect('person');
  person.send({
    type: 'send_message',
    session_id: sessionId,
    client_message_id: 'm1',
    content: 'hello',
    created_at: '2026-01-30T10:00:00.000Z',
  });
  await until(3);
  expect(messages()[2]).toMatchObject({
    payload: { message: { messageId: 'm1', role: 'user', sequenceNumber: 2 } },
  });
});
