import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { call, scriptedBrain, startTaskRelay } from '../../test/tasks/relay-tasks.ts';
import { assign } from './task-queue.ts';

const POST = 'POST /api/tasks';
const order = { prompt: 'Fill the cart', metadata: { priority: 1_000_000 } };

test('limits an agent to 20 open tasks, also concurrently, and a person still gets in', async () => {
  const relay = await startTaskRelay(scriptedBrain());
  const [agent, person] = [await relay.mint('agent'), await relay.mint('person')];
  const answers = await Promise.all(Array.from({ length: 60 }, () => call(relay, agent, POST, order)));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.error).toMatchObject({
    code: 'rate_limited',
    limit: 'agent_open_tasks',
    retry_after: 10,
    message: expect.stringContaining('20 open tasks'),
  });
  expect((await call(relay, person, POST, { prompt: 'Mine' })).status).toBe(202);
});

test('limits an agent to 30 tasks a minute', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTaskRelay(scriptedBrain(), { clock, limits: { agent_open_tasks: 1_000 } });
  const agent = await relay.mint('agent');
  for (let at = 0; at < 30; at += 1) expect((await call(relay, agent, POST, order)).status).toBe(202);
  expect((await call(relay, agent, POST, order)).body.error).toMatchObject({
    limit: 'agent_tasks_per_minute',
    retry_after: 2,
  });
  clock.advance(2_000);
  expect((await call(relay, agent, POST, order)).status).toBe(202);
});

test('orders with a bad schema count, and beyond the limit no schema is read', async () => {
  const relay = await startTaskRelay(scriptedBrain(), { limits: { agent_tasks_per_minute: 2 } });
  const agent = await relay.mint('agent');
  const bad = { prompt: 'Fill the cart', schema: { pattern: '(' } };
  const statuses = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await call(relay, agent, POST, bad)).status);
  expect(statuses).toEqual([400, 400, 429, 429]);
});

test('the ledger grows by no more than the daily quota', async () => {
  const limits = { ledger_bytes_per_day: 500_000, agent_open_tasks: 1_000, agent_tasks_per_minute: 1_000 };
  const relay = await startTaskRelay(scriptedBrain(), { limits });
  const agent = await relay.mint('agent');
  const large = { prompt: 'Fill the cart', schema: { description: 'x'.repeat(50_000) } };
  const statuses = [];
  for (let at = 0; at < 10; at += 1) statuses.push((await call(relay, agent, POST, large)).status);
  expect(statuses).toEqual([202, 202, 202, ...Array.from({ length: 7 }, () => 429)]);
  expect((await call(relay, agent, POST, large)).body.error).toMatchObject({ limit: 'ledger_bytes_per_day' });
});

test("an agent's priority never outranks a person's task", () => {
  const waiting = [
    { task_id: 'agent', priority: 1e9, created_at: 1, isOfAgent: true },
    { task_id: 'person', priority: 0, created_at: 2, isOfAgent: false },
    { task_id: 'urgent', priority: 1, created_at: 3, isOfAgent: false },
  ].map((task) => ({ ...task, hasSchema: false, hasLimits: false }));
  const idle = ['a', 'b', 'c'].map((id) => ({ kind: 'runtime', id }) as const);
  expect(assign(waiting, idle).map(({ task_id }) => task_id)).toEqual(['urgent', 'person', 'agent']);
});
