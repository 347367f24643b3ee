import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import {
  call,
  connectExtension,
  ended,
  events,
  scriptedBrain,
  startTaskRelay,
} from '../../test/tasks/relay-tasks.ts';

const POST = 'POST /api/tasks';

test('[TSK-61] [TSK-60] stores and streams every answer and event in order; the last message is the result', async () => {
  const relay = await startTaskRelay(scriptedBrain(), { taskClients: true });
  const person = await relay.mint('person');
  const extension = await connectExtension(relay);
  const body = {
    prompt: 'Buy tea',
    url: 'https://shop.example/',
    metadata: { priority: 2, timeout: 60_000 },
  };
  const { task_id } = (await call(relay, person, POST, body)).body;
  const live = events(relay, person, task_id);
  const order = await extension.order();
  expect(order).toMatchObject({ taskId: task_id, metadata: { priority: 2, timeout: 60_000 } });
  expect(order.prompt).toContain('https://shop.example/');
  extension.send({ type: 'task_accepted', taskId: task_id });
  extension.tell(task_id, 'task.start', 'Begins', 0);
  extension.tell(task_id, 'step.start', 'Looks', 1);
  extension.tell(task_id, 'step.ok', 'Looks', 1);
  extension.tell(task_id, 'task.ok', 'The tea is bought.', 2);
  const all = await live;
  expect(all.at(-1)).toMatchObject({
    event: 'end',
    data: { state: 'completed', result: 'The tea is bought.', runs_on: extension.client_id },
  });
  const delivered = all.flatMap(({ data }) => (data['role'] === 'assistant' ? [data['text']] : []));
  expect(delivered).toEqual([
    ...['The extension has accepted the task.', 'Begins', 'Looks', 'Looks', 'The tea is bought.'],
    'The tea is bought.',
  ]);
  const states = all.flatMap(({ data }) => data['execution_event'] ?? []);
  expect(states).toMatchObject(
    ['task.start', 'step.start', 'step.ok', 'task.ok'].map((state) => ({ state })),
  );
  expect(await events(relay, person, task_id)).toEqual(all.filter(({ event }) => event !== 'state'));
});

test('[TSK-53] [TSK-59] [TSK-60] runs one task at a time, which cannot be cancelled, and none with a schema', async () => {
  const relay = await startTaskRelay(scriptedBrain(), { taskClients: true });
  const person = await relay.mint('person');
  const extension = await connectExtension(relay);
  const first = (await call(relay, person, POST, { prompt: 'One' })).body;
  extension.send({ type: 'task_accepted', taskId: (await extension.order()).taskId });
  await events(relay, person, first.task_id, {
    until: ({ data }) => String(data['text']).includes('accepted'),
  });
  const low = (await call(relay, person, POST, { prompt: 'Low' })).body;
  const high = (await call(relay, person, POST, { prompt: 'High', metadata: { priority: 9 } })).body;
  expect(low).toMatchObject({ state: 'queued', note: expect.stringContaining('busy') });
  expect(await call(relay, person, `DELETE /api/tasks/${first.task_id}`)).toMatchObject({
    ...{ status: 409, body: { error: { code: 'unsupported', message: expect.stringContaining('goes on') } } },
  });
  const schema = { type: 'object' };
  expect(
    await call(relay, person, POST, { prompt: 'x', schema, runtime: extension.client_id }),
  ).toMatchObject({
    ...{ status: 409, body: { error: { code: 'unsupported', field: 'schema' } } },
  });
  const strict = (await call(relay, person, POST, { prompt: 'Strict', schema, metadata: { priority: 99 } }))
    .body;
  expect(strict.note).toContain('schema');
  const metadata = { max_tokens: 1_000 };
  expect(
    await call(relay, person, POST, { prompt: 'x', metadata, runtime: extension.client_id }),
  ).toMatchObject({ status: 409, body: { error: { code: 'unsupported', field: 'metadata' } } });
  const thrifty = (await call(relay, person, POST, { prompt: 'Thrifty', metadata })).body;
  expect(thrifty.note).toContain('counts its usage');

  extension.tell(first.task_id, 'task.ok', 'Done');
  expect(await ended(relay, person, first.task_id)).toMatchObject({ state: 'completed' });
  for (const task of [high, low]) {
    const { taskId } = await extension.order();
    expect(taskId).toBe(task.task_id);
    extension.send({ type: 'task_accepted', taskId });
    extension.tell(taskId, 'task.fail', 'Sold out.');
    expect(await ended(relay, person, taskId)).toMatchObject({
      state: 'failed',
      error: { message: 'Sold out.' },
    });
  }
});

test('[TSK-54] a busy extension sends the task back to the queue; any other rejection ends it', async () => {
  const clock = createFakeClock(Date.parse('2026-06-01T00:00:00Z'));
  const relay = await startTaskRelay(scriptedBrain(), { taskClients: true, clock });
  const person = await relay.mint('person');
  const extension = await connectExtension(relay);
  const { task_id } = (await call(relay, person, POST, { prompt: 'One' })).body;
  await extension.order();
  extension.send({ type: 'task_rejected', taskId: task_id, reason: 'Already executing a task' });
  await events(relay, person, task_id, { until: ({ data }) => data['state'] === 'queued' });
  clock.advance(5_000);
  expect((await extension.order()).taskId).toBe(task_id);
  extension.send({ type: 'task_rejected', taskId: task_id, reason: 'No active tab found' });
  expect(await ended(relay, person, task_id)).toMatchObject({
    state: 'failed',
    error: { message: 'No active tab found' },
  });
});

test('[TSK-57] an extension may still work on a timed-out task, so it gets no other', async () => {
  const clock = createFakeClock(Date.parse('2026-06-01T00:00:00Z'));
  const relay = await startTaskRelay(scriptedBrain(), { taskClients: true, clock });
  const person = await relay.mint('person');
  const extension = await connectExtension(relay);
  const slow = (await call(relay, person, POST, { prompt: 'Slow', metadata: { timeout: 9_000 } })).body;
  await extension.order();
  extension.send({ type: 'task_accepted', taskId: slow.task_id });
  await events(relay, person, slow.task_id, {
    until: ({ data }) => String(data['text']).includes('accepted'),
  });
  clock.advance(9_000);
  const { state, error } = await ended(relay, person, slow.task_id);
  expect({ state, error }).toMatchObject({
    ...{ state: 'failed', error: { message: expect.stringContaining('may still be working on it') } },
  });
  const next = (await call(relay, person, POST, { prompt: 'Next' })).body;
  expect(next).toMatchObject({ state: 'queued', note: expect.stringContaining('busy') });
  extension.tell(slow.task_id, 'task.ok', 'Done after all');
  expect((await extension.order()).taskId).toBe(next.task_id);
});

test('refuses a message to a task that an extension runs, and says why', async () => {
  const relay = await startTaskRelay(scriptedBrain(), { taskClients: true });
  const phone = await relay.connect('person');
  const person = await relay.mint('person');
  const extension = await connectExtension(relay);
  const { session_id } = (await call(relay, person, POST, { prompt: 'One' })).body;
  await extension.order();
  const created_at = new Date().toISOString();
  phone.send({ type: 'send_message', session_id, client_message_id: 'm1', content: 'Faster', created_at });
  expect(await phone.next('message_failed')).toMatchObject({
    ...{ client_message_id: 'm1', error: { message: expect.stringContaining('takes no messages') } },
  });
});
