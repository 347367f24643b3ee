import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@drawbridge/link';
import { type Relay, startRelay } from '@drawbridge/relay';
import { expect, onTestFinished, test } from 'vitest';
import { CLICK, type Line, startTabTasksHarness } from '../../test/interact/tab-tasks.ts';
import { startTaskHost } from '../../test/task-server/task-host.ts';
import { createTaskServerClient, type TaskServerClient } from './task-server-client.ts';
import { tasksInTabs } from './tasks-in-tabs.ts';

const QUESTION: Line = { status: 'needs_user_input', userQuestion: 'Which lamp?' };
const FINISH: Line = { action: 'finish()', thought: 'Done.' };
const ORDER = { type: 'execute_task', taskId: 'task-12345', prompt: 'Put a lamp into the cart' };

/** The extension's tasks with a task server, composed as in the worker. */
function extension(url: string, lines: readonly Line[], lent: () => number | undefined = () => 3) {
  let client: TaskServerClient | undefined;
  const harness = startTabTasksHarness(lines, {
    onEvent: (task, event) => {
      if (task.from === 'server') client?.report(task.taskId, event);
    },
  });
  const begin = () => {
    const worker = harness.begin();
    client = createTaskServerClient({
      ...{ url, clock: systemClock, open: (at) => new WebSocket(at), onState: () => {} },
      ...tasksInTabs(worker.tasks, lent),
    });
    onTestFinished(client.close);
    const kill = () => {
      worker.kill();
      client?.close();
    };
    return { ...worker, kill };
  };
  return { ...harness, begin };
}

test('[TSK-31] [TSK-32] [TSK-33] a host gives a task to a lent tab and follows it to its end', async () => {
  const host = await startTaskHost();
  const { begin } = extension(host.url, [QUESTION, CLICK]);
  const { tasks } = begin();
  const { send, next, came } = await host.connection();
  send(ORDER);
  expect(await next()).toMatchObject({ type: 'task_accepted', taskId: 'task-12345' });
  const states: string[] = [];
  while (states.at(-1) !== 'task.pause') states.push((await next()).event.state);
  send({ ...ORDER, taskId: 'other' });
  expect(await next()).toMatchObject({ taskId: 'other', reason: 'Already executing a task' });
  // The person can steer it.
  await tasks.sendMessage(3, 'The green one');
  while (states.at(-1) !== 'task.ok') states.push((await next()).event.state);
  expect(states).toEqual([
    ...['task.start', 'step.start', 'task.pause', 'task.resume'],
    ...['act.start', 'act.ok', 'step.ok', 'step.start', 'step.ok', 'task.ok'],
  ]);
  const times = came.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

test("[TSK-37] [TSK-33] refuses without a lent tab, and in a tab with the person's task", async () => {
  const host = await startTaskHost();
  let lent: number | undefined;
  const { begin, until } = extension(host.url, [QUESTION], () => lent);
  const { tasks } = begin();
  const { send, next } = await host.connection();
  send(ORDER);
  expect(await next()).toMatchObject({ type: 'task_rejected', reason: 'No active tab found' });
  lent = 3;
  await tasks.start({ tabId: 3, query: 'My own', from: 'panel' });
  await until(() => tasks.tasks()[3]?.state === 'waiting');
  send(ORDER);
  expect(await next()).toMatchObject({ type: 'task_rejected', reason: 'Already executing a task' });
  await tasks.stop(3);
  lent = 9;
  send(ORDER);
  expect(await next()).toMatchObject({ type: 'task_rejected', reason: 'Task execution failed' });
});

test('[TSK-33] a killed worker continues the task, and still accepts no other', async () => {
  const host = await startTaskHost();
  const { begin, until } = extension(host.url, [QUESTION]);
  const first = begin();
  const before = await host.connection();
  before.send(ORDER);
  await until(() => first.tasks.tasks()[3]?.state === 'waiting');
  first.kill();
  const second = begin();
  await second.tasks.restore();
  const { send, next } = await host.connection();
  const states: string[] = [];
  while (states.at(-1) !== 'task.pause') states.push((await next()).event.state);
  send({ ...ORDER, taskId: 'other' });
  expect(await next()).toMatchObject({ reason: 'Already executing a task' });
  await second.tasks.sendMessage(3, 'The green one');
  while (states.at(-1) !== 'task.ok') states.push((await next()).event.state);
  expect(states.slice(0, 2)).toEqual(['task.resume', 'task.pause']);
});

async function startTasksRelay(): Promise<Relay> {
  const data = await mkdtemp(join(tmpdir(), 'extension-'));
  const relay = await startRelay({ data, port: 0, env: {}, taskClients: true });
  onTestFinished(async () => {
    await relay.close();
    await rm(data, { recursive: true, force: true });
  });
  return relay;
}

test('[TSK-22] [TSK-26] [TSK-42] at the relay, with the token in its address', async () => {
  const relay = await startTasksRelay();
  const minted = await fetch(`${relay.url}/api/task-clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${relay.devices.owner?.token}` },
  });
  const { path } = await minted.json();
  const arrived = new Promise<void>((resolve) => {
    const stop = relay.taskClients.onChange(() => {
      if (relay.taskClients.clients().length === 0) return;
      stop();
      resolve();
    });
  });
  const { begin, until } = extension(relay.url.replace('http', 'ws') + path, [
    CLICK,
    QUESTION,
    FINISH,
    QUESTION,
  ]);
  const { tasks } = begin();
  await arrived;
  const reports: string[] = [];
  const done = relay.taskClients.run({ task_id: 'task-1', prompt: ORDER.prompt }, (report) =>
    reports.push(report.type === 'execution_event' ? report.event.state : report.type),
  );
  expect(await done.accepted).toBe('accepted');
  await until(() => tasks.tasks()[3]?.state === 'waiting');
  await tasks.sendMessage(3, 'The green one');
  expect(await done.ended).toEqual({ state: 'completed', details: 'Done.' });
  expect(reports).toEqual([
    ...['task_accepted', 'task.start', 'step.start', 'act.start', 'act.ok', 'step.ok'],
    ...['step.start', 'task.pause', 'task.resume', 'step.ok', 'task.ok'],
  ]);
  // A task stopped in the panel ends at the relay.
  const stopped = relay.taskClients.run({ task_id: 'task-2', prompt: 'Again' }, () => {});
  await until(() => tasks.tasks()[3]?.state === 'waiting');
  await tasks.stop(3);
  expect(await stopped.ended).toMatchObject({ state: 'cancelled' });
});
