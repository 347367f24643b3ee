import { expect, test } from 'vitest';
import { call, click, ended, events, scriptedBrain, startTaskRelay } from '../../test/tasks/relay-tasks.ts';
import { lendTab } from '../../test/tasks/scripted-tab.ts';
import type { Role } from '../core/ports.ts';

const POST = 'POST /api/tasks';

test('a program starts a task with one call, follows it, and resumes the stream', async () => {
  const schema = { type: 'object', properties: { items: { type: 'integer' } }, required: ['items'] };
  const done = { thought: 'It is there.', action: 'finish()', result: { items: 1 } };
  const brain = scriptedBrain(click, done);
  const relay = await startTaskRelay(brain);
  const agent = await relay.mint('agent');
  const posted = await call(relay, agent, POST, { prompt: 'Fill the cart', schema });
  expect(posted).toMatchObject({
    status: 202,
    body: { state: 'queued', note: expect.stringContaining('drawbridge up') },
  });
  const { task_id } = posted.body;

  const following = events(relay, agent, task_id);
  lendTab(relay.bridge, 'tab_1');
  const all = await following;
  expect(all.map(({ event }) => event).filter((event) => event !== 'state')).toEqual([
    ...['message', 'message', 'step', 'step', 'task_result', 'end'],
  ]);
  expect(all.at(-1)).toMatchObject({
    id: undefined,
    data: { state: 'completed', result: { items: 1 }, steps: 1 },
  });
  expect(brain.inputs[0]).toMatchObject({ schema, request: { query: 'Fill the cart', taskId: task_id } });

  const ids = all.flatMap(({ id }) => id ?? []);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  const rest = await events(relay, agent, task_id, { after: ids[2] ?? 0 });
  expect(rest.map(({ id }) => id)).toEqual([...ids.slice(3), undefined]);
  expect((await call(relay, agent, `GET /api/tasks/${task_id}/trace`)).body).toMatchObject({
    steps: [{ action: 'click(7)', status: 'ok', subject: { name: 'Add to cart' } }],
  });
  expect((await call(relay, agent, 'GET /api/tasks')).body.tasks).toMatchObject([
    { task_id, state: 'completed' },
  ]);
});

test("streams the decider's thought at once to the stream and the session, and stores nothing", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const long = `I look at the cart. ${'x'.repeat(300)}`;
  const relay = await startTaskRelay(
    scriptedBrain(async (_, { onThought }) => {
      onThought?.(long);
      await seen;
      return click;
    }),
  );
  const phone = await relay.connect('person');
  const agent = await relay.mint('agent');
  lendTab(relay.bridge, 'tab_1');
  const { task_id } = (await call(relay, agent, POST, { prompt: 'Fill the cart' })).body;
  const delivered = await events(relay, agent, task_id, { until: ({ event }) => event === 'thought' });
  expect(delivered.at(-1)).toEqual({ id: undefined, event: 'thought', data: { text: long } });
  const labels = async (): Promise<string> => {
    const { activity } = await phone.next('session_status');
    return activity?.label ?? labels();
  };
  expect(await labels()).toBe(long.slice(0, 200));
  resolve();
  expect(await ended(relay, agent, task_id)).toMatchObject({ state: 'completed', steps: 1 });
  expect((await events(relay, agent, task_id)).map(({ event }) => event)).not.toContain('thought');
});

const WRONG: readonly (readonly [unknown, string])[] = [
  [{}, 'prompt'],
  [{ prompt: ' ' }, 'prompt'],
  [{ prompt: 'x'.repeat(10_001) }, 'prompt'],
  [{ prompt: 'x', url: 'file:///etc/passwd' }, 'url'],
  [{ prompt: 'x', url: 'shop' }, 'url'],
  [{ prompt: 'x', schema: 'object' }, 'schema'],
  [{ prompt: 'x', schema: { $ref: '#' } }, 'schema'],
  [{ prompt: 'x', runtime: '' }, 'runtime'],
  [{ prompt: 'x', metadata: null }, 'metadata'],
  [{ prompt: 'x', metadata: { timeout: 0 } }, 'metadata.timeout'],
  [{ prompt: 'x', metadata: { priority: 'high' } }, 'metadata.priority'],
  [{ prompt: 'x', metadata: { max_steps: 0 } }, 'metadata.max_steps'],
  [{ prompt: 'x', metadata: { max_steps: 1.5 } }, 'metadata.max_steps'],
  [{ prompt: 'x', metadata: { max_tokens: 'many' } }, 'metadata.max_tokens'],
  [{ prompt: 'x', metadata: { max_cost: -1 } }, 'metadata.max_cost'],
  [{ prompt: 'x', promt: 'y' }, 'promt'],
  ['[]', ''],
  ['{', ''],
];

test('names the problem of a body and what to do about it, and stores nothing', async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const agent = await relay.mint('agent');
  for (const [body, field] of WRONG) {
    const { status, body: answer } = await call(relay, agent, POST, body);
    expect({ status, ...answer.error }, JSON.stringify(body)).toMatchObject({
      ...{ status: 400, code: 'invalid_request', field, message: expect.stringMatching(/[.]$/) },
    });
  }
  expect((await call(relay, agent, 'GET /api/tasks')).body).toEqual({ tasks: [] });
  const { body } = await call(relay, agent, POST, { prompt: 'Wait' });
  const path = `/api/tasks/${body.task_id}`;
  expect(await call(relay, agent, `POST ${path}/answer`, { answer: '' })).toMatchObject({
    ...{ status: 400, body: { error: { field: 'answer' } } },
  });
  for (const verb of ['pause', 'resume', 'takeover', 'handback']) {
    expect(await call(relay, agent, `POST ${path}/${verb}`), verb).toMatchObject({
      status: 409,
      body: { error: { code: 'not_running' } },
    });
  }
  expect(await call(relay, agent, `POST ${path}/retry`)).toMatchObject({
    status: 409,
    body: { error: { code: 'not_over' } },
  });
  expect(await call(relay, agent, `DELETE ${path}`)).toMatchObject({
    status: 200,
    body: { state: 'cancelled' },
  });
  expect(await call(relay, agent, `DELETE ${path}`)).toMatchObject({
    status: 409,
    body: { error: { code: 'task_over' } },
  });
  expect(await call(relay, agent, `POST ${path}/retry`)).toMatchObject({
    status: 202,
    body: { retry_of: body.task_id },
  });
});

test('an order with a key is accepted once, also when the answer is lost', async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const agent = await relay.mint('agent');
  const post = (prompt: string) => call(relay, agent, POST, { prompt }, { 'idempotency-key': 'order-1' });
  const [one, two] = await Promise.all([post('Buy tea'), post('Buy tea')]);
  expect(two.body.task_id).toBe(one.body.task_id);
  expect((await post('Buy tea')).body.task_id).toBe(one.body.task_id);
  expect(await post('Buy coffee')).toMatchObject({
    status: 409,
    body: { error: { field: 'Idempotency-Key' } },
  });
  expect((await call(relay, agent, 'GET /api/tasks')).body.tasks).toHaveLength(1);
  const owner = await relay.mint('owner');
  expect((await call(relay, owner, 'GET /api/sessions')).body.sessions).toHaveLength(1);
});

test('people see every task, an agent its own, and nobody else may ask', async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const agent = await relay.mint('agent');
  const { body } = await call(relay, agent, POST, { prompt: 'Wait' });
  const path = `GET /api/tasks/${body.task_id}`;
  const seen: Partial<Record<Role, number>> = {
    owner: 200,
    person: 200,
    agent: 404,
    proxy: 403,
    runtime: 403,
  };
  for (const role of ['owner', 'person', 'agent', 'proxy', 'runtime'] as const) {
    const device = await relay.mint(role);
    expect((await call(relay, device, path)).status, role).toBe(seen[role]);
    const listed = await call(relay, device, 'GET /api/tasks');
    expect(listed.body.tasks?.length, role).toBe({ 200: 1, 404: 0 }[seen[role] ?? 0]);
  }
  expect((await call(relay, await relay.mint('person', ['session:one']), path)).status).toBe(403);
  expect((await call(relay, { token: 'none' }, path)).status).toBe(401);
});

test('a person answers and steers in the task’s session; interrupting it cancels the task', async () => {
  const question = { status: 'needs_user_input', userQuestion: 'Which size?' } as const;
  const brain = scriptedBrain(question, click);
  const relay = await startTaskRelay(brain);
  const phone = await relay.connect('person');
  const agent = await relay.mint('agent');
  const tab = lendTab(relay.bridge, 'tab_1');
  tab.hold();
  const { task_id, session_id } = (await call(relay, agent, POST, { prompt: 'Fill the cart' })).body;
  await events(relay, agent, task_id, { until: ({ data }) => data['question'] === 'Which size?' });
  const created_at = new Date().toISOString();
  phone.send({ type: 'send_message', session_id, client_message_id: 'm1', content: 'Large', created_at });
  await tab.begun(1);
  expect(brain.inputs.at(-1)).toMatchObject({ said: ['Large'] });
  phone.send({ type: 'agent_interrupt', session_id, request_id: 'r1' });
  expect(await ended(relay, agent, task_id)).toMatchObject({ state: 'cancelled' });
  expect(await phone.next('agent_control_result')).toMatchObject({ request_id: 'r1', result: 'ok' });
  phone.send({ type: 'send_message', session_id, client_message_id: 'm2', content: 'Hello?', created_at });
  while (!(await phone.next('message_event')).message.content.startsWith('This task is over'));
});

test('input of a secret field appears on no screen, in no push, and is not stored after the end', async () => {
  const pushed: unknown[] = [];
  const typed = { thought: 'I sign in.', action: 'setValue("7", "hunter2")' };
  const push = (...all: readonly unknown[]) => void pushed.push(all);
  const relay = await startTaskRelay(scriptedBrain(typed), { push });
  const phone = await relay.connect('person');
  const agent = await relay.mint('agent');
  lendTab(relay.bridge, 'tab_1');
  const { task_id } = (await call(relay, agent, POST, { prompt: 'Sign in' })).body;
  const delivered = await events(relay, agent, task_id);
  await phone.settled();
  const trace = await call(relay, agent, `GET /api/tasks/${task_id}/trace`);
  expect(trace.body.steps).toMatchObject([{ action: expect.stringContaining('•••') }]);
  const task = await relay.ledger.task(task_id);
  expect(pushed.length).toBeGreaterThan(0);
  expect(phone.frames.length).toBeGreaterThan(0);
  expect(JSON.stringify([delivered, phone.frames, pushed, trace, task])).not.toContain('hunter2');
});

test('the same answer to two questions is delivered twice', async () => {
  const ask = (userQuestion: string) => ({ status: 'needs_user_input', userQuestion }) as const;
  const brain = scriptedBrain(ask('May I pay?'), ask('May I send it?'));
  const relay = await startTaskRelay(brain);
  const agent = await relay.mint('agent');
  lendTab(relay.bridge, 'tab_1');
  const { task_id } = (await call(relay, agent, POST, { prompt: 'Buy tea' })).body;
  for (const question of ['May I pay?', 'May I send it?']) {
    await events(relay, agent, task_id, { until: ({ data }) => data['question'] === question });
    await call(relay, agent, `POST /api/tasks/${task_id}/answer`, { answer: 'Yes' });
  }
  expect(await ended(relay, agent, task_id)).toMatchObject({ state: 'completed' });
  expect(brain.inputs.map(({ said }) => said)).toEqual([[], ['Yes'], ['Yes']]);
});

test("[CHT-93] a revoked device's tasks are cancelled", async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const [agent, person] = [await relay.mint('agent'), await relay.mint('person')];
  const theirs = (await call(relay, agent, POST, { prompt: 'One' })).body;
  const other = (await call(relay, person, POST, { prompt: 'Two' })).body;
  await relay.devices.revoke(agent.device_id, 'machine');
  expect(await ended(relay, person, theirs.task_id)).toMatchObject({
    ...{ state: 'cancelled', message: expect.stringContaining('revoked') },
  });
  expect((await call(relay, person, `GET /api/tasks/${other.task_id}`)).body).toMatchObject({
    state: 'queued',
  });
});

test('the halt cancels every task', async () => {
  const relay = await startTaskRelay(scriptedBrain(click));
  const owner = await relay.mint('owner');
  const tab = lendTab(relay.bridge, 'tab_1');
  tab.hold();
  const running = (await call(relay, owner, POST, { prompt: 'One' })).body;
  const waiting = (await call(relay, owner, POST, { prompt: 'Two' })).body;
  await tab.begun(1);
  await call(relay, owner, 'POST /api/halt');
  for (const { task_id } of [running, waiting]) {
    expect(await ended(relay, owner, task_id)).toMatchObject({ state: 'cancelled' });
  }
  expect(tab.acts).toHaveLength(1);
});

test("refuses a schema of thousands of patterns without delaying a person's request", async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const agent = await relay.mint('agent');
  const person = await relay.connect('person');
  // Each compiles to 1,000 instructions: together they blocked the relay for half a minute.
  const patterns = Array.from({ length: 1_500 }, (_, at) => [`\\pL{1000}${at}`, true]);
  const schema = { type: 'object', patternProperties: Object.fromEntries(patterns) };
  const order = { prompt: 'Fill the cart', schema };
  expect(JSON.stringify(order).length).toBeLessThan(38_000);
  const answers: string[] = [];
  const posted = call(relay, agent, POST, order).then((answer) => {
    answers.push('task');
    return answer;
  });
  await person.settled();
  answers.push('person');
  expect(await posted).toMatchObject({ status: 400, body: { error: { field: 'schema' } } });
  expect(answers).toEqual(['person', 'task']);
});
