import { readFile } from 'node:fs/promises';
import { REJECTION_REASONS } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import {
  createReportLog,
  type Extension,
  startTaskRelay,
  type TaskRelay,
} from '../../test/task-clients/task-client-harness.ts';
import { NO_SCHEMA } from './task-clients.ts';

/** An example from the contract document. */
const example = async (name: string) =>
  JSON.parse(
    await readFile(new URL(import.meta.resolve(`@drawbridge/protocol/fixtures/tasks/${name}.json`)), 'utf8'),
  );

const TASK = { task_id: 'task-12345', prompt: 'Navigate to example.com and click the login button' };
const NOW = 1_697_097_600_000;
const accepted = (taskId = TASK.task_id) => ({ type: 'task_accepted', taskId, timestamp: NOW });
const rejected = (reason: string, taskId = TASK.task_id) => ({
  ...{ type: 'task_rejected', taskId, reason, timestamp: NOW },
});
const event = (state: string, details = state, taskId = TASK.task_id) => ({
  type: 'execution_event',
  taskId,
  timestamp: NOW,
  event: {
    ...{ actor: 'system', state, type: 'execution', timestamp: NOW },
    data: { taskId, step: 0, maxSteps: 5, details },
  },
});

/** A task that the extension has accepted. */
async function runTask({ relay }: TaskRelay, extension: Extension, metadata?: { timeout: number }) {
  const { reports, on } = createReportLog();
  const run = relay.taskClients.run({ ...TASK, metadata }, on);
  await extension.next();
  extension.send(accepted());
  expect(await run.accepted).toBe('accepted');
  return { ...run, reports };
}

describe('a task is sent, answered and reported', () => {
  test('every example of the contract crosses the wire unchanged', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { reports, on } = createReportLog();
    const run = harness.relay.taskClients.run(TASK, on);
    expect(await extension.next()).toEqual(await example('execute_task.basic'));
    const sent = [
      await example('task_accepted'),
      await example('execution_event.task_start'),
      await example('execution_event.navigation_action'),
      await example('execution_event.task_complete'),
    ];
    for (const message of sent) extension.send(message);
    expect(await run.accepted).toBe('accepted');
    expect(await run.ended).toEqual({ state: 'completed', details: 'Task completed successfully' });
    expect(reports).toEqual(sent);

    const second = await example('execute_task.with_metadata');
    const { taskId: task_id, prompt, metadata } = second;
    const refused = harness.relay.taskClients.run({ task_id, prompt, metadata }, on);
    expect(await extension.next()).toEqual(second);
    extension.send(await example('task_rejected.invalid_prompt'));
    expect(await refused.accepted).toEqual({ rejected: 'Invalid prompt - must be a non-empty string' });

    harness.clock.advance(20_000);
    expect(await extension.next()).toEqual({ ...(await example('ping')), timestamp: NOW + 20_000 });
    extension.send(await example('pong'));
    const third = harness.relay.taskClients.run(TASK, on);
    await extension.next();
    extension.send(await example('task_rejected.already_executing'));
    expect(await third.accepted).toBe('busy');
  });

  test('reports all thirteen states in order, and the three final ones end the task', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { reports, ended } = await runTask(harness, extension);
    const during = ['task.start', 'step.start', 'act.start', 'act.ok', 'act.fail', 'step.ok', 'step.fail'];
    const all = [...during, 'step.cancel', 'task.pause', 'task.resume', 'task.ok'];
    for (const state of all) extension.send(event(state));
    expect(await ended).toEqual({ state: 'completed', details: 'task.ok' });
    expect(reports).toEqual([accepted(), ...all.map((state) => event(state))]);
    const failing = await runTask(harness, extension);
    extension.send(event('task.fail', 'The page is gone'));
    expect(await failing.ended).toEqual({ state: 'failed', details: 'The page is gone' });
    const cancelled = await runTask(harness, extension);
    extension.send(event('task.cancel', 'Stopped by the person'));
    expect(await cancelled.ended).toEqual({ state: 'cancelled', details: 'Stopped by the person' });
  });

  test('a rejection with any other reason fails the task with that reason', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    for (const reason of [...REJECTION_REASONS.slice(1), 'net::ERR_ABORTED']) {
      const { reports, on } = createReportLog();
      const run = harness.relay.taskClients.run(TASK, on);
      await extension.next();
      extension.send(rejected(reason));
      expect(await run.accepted).toEqual({ rejected: reason });
      expect(await run.ended).toEqual({ state: 'failed', details: reason });
      expect(reports).toEqual([rejected(reason)]);
      expect(harness.relay.taskClients.clients()).toEqual([{ client_id: extension.client_id, busy: false }]);
    }
  });

  test('[TSK-62] a client busy with its own work is not asked again for 5 s', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const run = harness.relay.taskClients.run(TASK, () => {});
    await extension.next();
    extension.send(rejected('Already executing a task'));
    expect(await run.accepted).toBe('busy');
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: true }]);
    harness.clock.advance(4_999);
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: true }]);
    harness.clock.advance(1);
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: false }]);
  });

  test('[TSK-40] a rejection after the acceptance ends the task', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { ended } = await runTask(harness, extension);
    extension.send(rejected('Already executing a task'));
    expect(await ended).toEqual({ state: 'failed', details: 'Already executing a task' });
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: false }]);
  });
});

describe('several clients', () => {
  test('[TSK-28] each task goes to one client', async () => {
    const harness = await startTaskRelay();
    const { taskClients } = harness.relay;
    const [one, two] = [await harness.connect(), await harness.connect()];
    taskClients.run({ ...TASK, client_id: two.client_id }, () => {});
    expect(await two.next()).toMatchObject({ type: 'execute_task', taskId: TASK.task_id });
    taskClients.run({ ...TASK, task_id: 'other' }, () => {});
    expect(await one.next()).toMatchObject({ type: 'execute_task', taskId: 'other' });
    const third = taskClients.run({ ...TASK, task_id: 'third' }, () => {});
    expect(await third.accepted).toBe('busy');
    await Promise.all([one.settled(), two.settled()]);
    expect([one.came.length, two.came.length]).toEqual([1, 1]);
    expect(taskClients.clients().every(({ busy }) => busy)).toBe(true);
  });

  test('[TSK-49] drops an event of a task that was not sent to this client, or has ended', async () => {
    const harness = await startTaskRelay();
    const [one, two] = [await harness.connect(), await harness.connect()];
    const { ended, reports } = await runTask(harness, one);
    two.send(event('task.ok', 'said by another'));
    two.send(rejected('Task execution failed'));
    one.send(event('task.ok', 'of no task', 'no-such-task'));
    await Promise.all([one.settled(), two.settled()]);
    one.send(event('task.ok', 'said by its own'));
    one.send(event('task.fail', 'after the end'));
    expect(await ended).toEqual({ state: 'completed', details: 'said by its own' });
    await one.settled();
    expect(reports).toEqual([accepted(), event('task.ok', 'said by its own')]);
  });

  test('[TSK-49] the server uses the taskId of the message, not of its data', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { ended } = await runTask(harness, extension);
    const ok = event('task.ok');
    extension.send({ ...ok, event: { ...ok.event, data: { ...ok.event.data, taskId: 'other' } } });
    expect(await ended).toMatchObject({ state: 'completed' });
  });
});

describe('[TSK-29] a message that breaks a rule changes no task, and the connection stays open', () => {
  const BROKEN: readonly (readonly [what: string, message: object | string])[] = [
    ['no JSON', '{'],
    ['no object', '7'],
    ['an unknown type', { type: 'task_done', taskId: TASK.task_id }],
    ['a state that is none', event('task.done')],
    ['a missing timestamp', { type: 'task_rejected', taskId: TASK.task_id, reason: 'x' }],
    ['a message that only servers send', { type: 'execute_task', taskId: 'x', prompt: 'x' }],
    ['too much', `${JSON.stringify(event('task.ok'))}${' '.repeat(1_000_000)}`],
    ['a binary frame', Buffer.from(JSON.stringify(event('task.ok')))],
  ];

  test(`each of ${BROKEN.length} kinds`, async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { ended, reports } = await runTask(harness, extension);
    for (const [what, message] of BROKEN) {
      if (message instanceof Buffer) extension.socket.send(message);
      else extension.send(message);
      await extension.settled();
      expect(extension.came, what).toHaveLength(1);
      expect(reports, what).toHaveLength(1);
    }
    extension.send(event('task.ok', 'the true end'));
    expect(await ended).toEqual({ state: 'completed', details: 'the true end' });
  });

  test('an event before the acceptance', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { reports, on } = createReportLog();
    const run = harness.relay.taskClients.run(TASK, on);
    await extension.next();
    for (const message of [event('task.ok', 'too early'), accepted(), event('task.ok', 'in its time')]) {
      extension.send(message);
    }
    expect(await run.ended).toEqual({ state: 'completed', details: 'in its time' });
    expect(reports).toHaveLength(2);
  });
});

test('[TSK-30] disconnects a client that sends more than 100 frames a second after a burst of 200', async () => {
  const harness = await startTaskRelay();
  const [flooding, fast] = [await harness.connect(), await harness.connect()];
  for (let frame = 0; frame < 150; frame += 1) fast.send({ type: 'pong', timestamp: 1 });
  await fast.settled();
  for (let frame = 0; frame < 201; frame += 1) flooding.send({ type: 'pong', timestamp: 1 });
  expect(await flooding.closed).toBe(1008);
  harness.clock.advance(1_000);
  for (let frame = 0; frame < 100; frame += 1) fast.send({ type: 'pong', timestamp: 1 });
  await fast.settled();
  expect(harness.relay.taskClients.clients()).toHaveLength(1);
});

describe('heartbeat', () => {
  test('[TSK-51] the server pings every 20 s', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    for (const round of [1, 2, 3, 4]) {
      harness.clock.advance(20_000);
      expect(await extension.next()).toEqual({ type: 'ping', timestamp: NOW + round * 20_000 });
      extension.send({ type: 'pong', timestamp: NOW });
      await extension.settled();
    }
    expect(harness.relay.taskClients.clients()).toHaveLength(1);
  });

  test('[TSK-52] disconnects a client that answers neither of two pings, and its task is lost', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { ended } = await runTask(harness, extension);
    harness.clock.advance(59_999);
    await extension.settled();
    expect(extension.came.slice(1).map(({ type }) => type)).toEqual(['ping', 'ping']);
    harness.clock.advance(1);
    await extension.closed;
    expect(await ended).toMatchObject({ state: 'unknown' });
    expect(harness.relay.taskClients.clients()).toEqual([]);
  });
});

describe('a task that does not end well', () => {
  test('[TSK-55] a task unanswered for 10 s fails', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const run = harness.relay.taskClients.run(TASK, () => {});
    await extension.next();
    harness.clock.advance(9_999);
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: true }]);
    harness.clock.advance(1);
    expect(await run.accepted).toBe('unanswered');
    expect(await run.ended).toMatchObject({ state: 'failed', details: expect.stringContaining('10 s') });
    expect(harness.relay.taskClients.clients()).toMatchObject([{ busy: false }]);
    // Accepted late, but running all the same.
    extension.send(accepted());
    await harness.until(([client]) => client?.busy === true);
    extension.send(event('task.ok'));
    await harness.until(([client]) => client?.busy === false);
  });

  test('[TSK-56] [TSK-57] a task fails at its time limit, and its client gets no other until it has ended there', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const { ended, reports } = await runTask(harness, extension, { timeout: 30_000 });
    harness.clock.advance(30_000);
    expect(await ended).toEqual({
      state: 'failed',
      details: 'The task reached its time limit of 30000 ms. The client may still be working on it.',
    });
    const next = harness.relay.taskClients.run({ ...TASK, task_id: 'next' }, () => {});
    expect(await next.accepted).toBe('busy');
    extension.send(event('step.ok'));
    extension.send(event('task.ok'));
    await harness.until(([client]) => client?.busy === false);
    expect(reports).toEqual([accepted()]);
    harness.relay.taskClients.run({ ...TASK, task_id: 'next' }, () => {});
    await extension.settled();
    expect(extension.came.at(-1)).toMatchObject({ type: 'execute_task', taskId: 'next' });
  });

  test('[TSK-58] a task whose connection is lost has an unknown outcome and is not sent again', async () => {
    const harness = await startTaskRelay();
    const { path } = await harness.mint();
    const extension = await harness.connect(path);
    const { ended } = await runTask(harness, extension);
    extension.socket.terminate();
    expect(await ended).toMatchObject({ state: 'unknown', details: expect.stringContaining('was lost') });
    const again = await harness.connect(path);
    expect(again.client_id).toBe(extension.client_id);
    await again.settled();
    expect(again.came).toEqual([]);
  });

  test('[TSK-58] a task lost before its answer also has an unknown outcome', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const run = harness.relay.taskClients.run(TASK, () => {});
    await extension.next();
    extension.socket.terminate();
    expect(await run.accepted).toBe('unanswered');
    expect(await run.ended).toMatchObject({ state: 'unknown' });
  });

  test('[TSK-60] refuses a task with a result schema and sends nothing', async () => {
    const harness = await startTaskRelay();
    const extension = await harness.connect();
    const run = harness.relay.taskClients.run({ ...TASK, schema: { type: 'object' } }, () => {});
    expect(await run.accepted).toEqual({ rejected: NO_SCHEMA });
    await extension.settled();
    expect(extension.came).toEqual([]);
  });
});
