import { tasks } from '@drawbridge/protocol';
import { createGate } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { example } from '../../test/interact/contract-examples.ts';
import { EXAMPLE_TIME, startClient, startTaskHost } from '../../test/task-server/task-host.ts';
import { TaskRefusal } from './task-order.ts';
import { createTaskServerClient } from './task-server-client.ts';
import { DEFAULT_TASK_SERVER, taskServerProblem } from './task-server-settings.ts';

const BASIC = example('tasks/execute_task.basic');
const WITH_METADATA = example('tasks/execute_task.with_metadata');
const PING = example('tasks/ping');
const TOLD = ['task_start', 'navigation_action', 'task_complete'].map((name) =>
  example(`tasks/execution_event.${name}`),
);
const [START, ACT, OK] = TOLD.map(({ event }) => event);

async function connected(more: Parameters<typeof startClient>[1] = {}) {
  const host = await startTaskHost();
  const client = startClient(host.url, more);
  const connection = await host.connection();
  expect(await client.state()).toEqual({ kind: 'connecting', url: host.url });
  expect(await client.state()).toEqual({ kind: 'online', url: host.url });
  return { host, ...client, ...connection };
}

/** All messages until the answer to a ping: frames keep their order. */
async function settled({ send, next }: Pick<Awaited<ReturnType<typeof connected>>, 'send' | 'next'>) {
  send(PING);
  const before = [];
  for (;;) {
    const message = await next();
    if (message.type === 'pong') return before;
    before.push(message);
  }
}

test('[TSK-31] [TSK-32] [TSK-47] every example of the contract, in its flow and literally', async () => {
  const { send, next, client, clock, started, free } = await connected();
  send(PING);
  expect(await next()).toEqual(example('tasks/pong'));
  send(BASIC);
  expect(await next()).toEqual(example('tasks/task_accepted'));
  send(BASIC);
  expect(await next()).toEqual(example('tasks/task_rejected.already_executing'));
  send({ ...WITH_METADATA, prompt: '' });
  expect(await next()).toEqual(example('tasks/task_rejected.invalid_prompt'));
  for (const delivered of TOLD) {
    clock.advance(delivered.timestamp - clock.now());
    client.report(delivered.taskId, delivered.event);
    expect(await next()).toEqual(delivered);
  }
  free();
  send(WITH_METADATA);
  expect(await next()).toMatchObject({ type: 'task_accepted', taskId: 'task-67890' });
  expect(started).toEqual([
    { taskId: 'task-12345', prompt: BASIC.prompt },
    { taskId: 'task-67890', prompt: WITH_METADATA.prompt, timeoutMs: 30_000 },
  ]);
});

const TASK_ID = 'Invalid taskId - must be a non-empty string';
const PROMPT = 'Invalid prompt - must be a non-empty string';
const FAILED = 'Task execution failed';
const LONG = { id: 'x'.repeat(1_001), prompt: 'x'.repeat(100_001) };

test.each([
  ['[TSK-34] no taskId', { prompt: 'Do it' }, TASK_ID, ''],
  ['[TSK-34] an empty taskId', { taskId: '', prompt: 'Do it' }, TASK_ID, ''],
  ['[TSK-34] [TSK-35] a number as taskId', { taskId: 7, prompt: 'Do it' }, TASK_ID, ''],
  ['[TSK-35] a long taskId', { taskId: LONG.id, prompt: 'Do it' }, TASK_ID, LONG.id],
  ['[TSK-36] no prompt', { taskId: 't' }, PROMPT, 't'],
  ['[TSK-36] an empty prompt', { taskId: 't', prompt: '' }, PROMPT, 't'],
  ['[TSK-36] a list as prompt', { taskId: 't', prompt: ['Do it'] }, PROMPT, 't'],
  ['[TSK-35] a long prompt', { taskId: 't', prompt: LONG.prompt }, PROMPT, 't'],
  ['[TSK-35] metadata null', { taskId: 't', prompt: 'Do it', metadata: null }, FAILED, 't'],
  ['[TSK-35] metadata a list', { taskId: 't', prompt: 'Do it', metadata: [] }, FAILED, 't'],
  [
    '[TSK-35] a word as timeout',
    { taskId: 't', prompt: 'Do it', metadata: { timeout: 'soon' } },
    FAILED,
    't',
  ],
  ['[TSK-39] no taskId before no prompt', {}, TASK_ID, ''],
])('[TSK-12] %s is rejected with its reason', async (_name, order, reason, taskId) => {
  const { send, next, started } = await connected();
  send({ type: 'execute_task', ...order });
  expect(await next()).toEqual({ type: 'task_rejected', taskId, reason, timestamp: EXAMPLE_TIME });
  expect(started).toEqual([]);
});

test.each([
  ['[TSK-37] no tab', new TaskRefusal('No active tab found'), 'No active tab found'],
  ['[TSK-38] anything else', new Error('The page crashed with a secret in it'), FAILED],
])(
  '[TSK-12] [TSK-32] %s: the task is rejected, and nothing else is said of it',
  async (_name, error, reason) => {
    const joined = await connected({
      startTask: async ({ taskId }) => {
        joined.client.report(taskId, START);
        throw error;
      },
    });
    joined.send(BASIC);
    expect(await joined.next()).toEqual({
      ...{ type: 'task_rejected', taskId: 'task-12345' },
      ...{ reason, timestamp: EXAMPLE_TIME },
    });
    expect(await settled(joined)).toEqual([]);
  },
);

test('[TSK-39] a bad prompt outranks busy, and busy outranks a missing tab', async () => {
  const joined = await connected({
    isBusy: () => true,
    startTask: async () => {
      throw new TaskRefusal('No active tab found');
    },
  });
  joined.send({ ...BASIC, prompt: '' });
  joined.send(BASIC);
  expect((await settled(joined)).map(({ reason }) => reason)).toEqual([PROMPT, 'Already executing a task']);
});

test('[TSK-31] [TSK-33] rejects a second task while one starts, and holds its events until acceptance', async () => {
  const gate = createGate();
  const joined = await connected({
    startTask: async ({ taskId }) => {
      joined.client.report(taskId, START);
      await gate.passed();
    },
  });
  joined.send(BASIC);
  joined.send({ ...BASIC, taskId: 'other' });
  expect(await settled(joined)).toMatchObject([
    { type: 'task_rejected', taskId: 'other', reason: 'Already executing a task' },
  ]);
  gate.open();
  expect(await joined.next()).toMatchObject({ type: 'task_accepted', taskId: 'task-12345' });
  expect(await joined.next()).toMatchObject({ type: 'execution_event', event: START });
});

test('[TSK-50] answers each ping with one pong and its timestamp, also during a task', async () => {
  const { send, next, clock, client } = await connected();
  send(BASIC);
  await next();
  for (const later of [0, 20_000, 20_000]) {
    clock.advance(later);
    client.report('task-12345', ACT);
    send({ ...PING, note: 'more is allowed' });
    expect(await next()).toMatchObject({ type: 'execution_event' });
    expect(await next()).toEqual({ type: 'pong', timestamp: clock.now() });
  }
});

test('drops messages outside the contract, and stays connected', async () => {
  const joined = await connected();
  for (const nonsense of [
    ...['{', '[]', '"ping"', 'null', { type: 'pong', timestamp: 1 }, { type: 'cancel_task' }],
    ...[{ timestamp: 1 }, { type: 'ping' }, { type: 'ping', timestamp: 'now' }],
    `{"type":"ping","timestamp":1,"pad":"${'x'.repeat(1_000_000)}"}`,
  ]) {
    joined.send(nonsense);
  }
  expect(await settled(joined)).toEqual([]);
});

test('[TSK-24] retries a lost server after 1, 2, 4, 8, 16 and every 30 s, and resets the backoff after a connection', async () => {
  const { host, state, clock, closed, close } = await connected();
  await host.close();
  const waited = [];
  for (let tries = 0; tries < 8; tries++) {
    const waiting = await state();
    if (waiting.kind !== 'waiting') throw new Error(`It is ${waiting.kind}.`);
    waited.push((waiting.nextTryAt - clock.now()) / 1000);
    expect(waiting.why).not.toBe('');
    if (tries === 7) break;
    // Not a moment earlier.
    clock.advance(waiting.nextTryAt - clock.now() - 1);
    clock.advance(1);
    expect(await state()).toMatchObject({ kind: 'connecting' });
  }
  expect(waited).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  close();
  await closed;
  const back = await startTaskHost(host.port);
  clock.advance(30_000);
  expect(await state()).toMatchObject({ kind: 'connecting' });
  expect(await state()).toMatchObject({ kind: 'online' });
  (await back.connection()).close();
  expect(await state()).toMatchObject({ kind: 'waiting', nextTryAt: clock.now() + 1_000 });
});

test('[TSK-23] times out a server that does not answer, and retries', async () => {
  const silent = { send: () => {}, close: () => {}, addEventListener: () => {} };
  const { state, clock } = startClient('ws://192.0.2.1', { open: () => silent, connectSeconds: 3 });
  expect(await state()).toMatchObject({ kind: 'connecting' });
  clock.advance(2_999);
  clock.advance(1);
  expect(await state()).toMatchObject({ kind: 'waiting', why: 'server_late' });
  const usual = startClient('ws://192.0.2.1', { open: () => silent });
  await usual.state();
  usual.clock.advance(10_000);
  expect(await usual.state()).toMatchObject({ kind: 'waiting', why: 'server_late' });
});

test('[TSK-24] retries an address that cannot be opened', async () => {
  const { state, clock } = startClient('ws://192.0.2.1', {
    open: () => {
      throw new Error('SecurityError');
    },
  });
  expect(await state()).toMatchObject({ kind: 'connecting' });
  expect(await state()).toMatchObject({ kind: 'waiting', nextTryAt: clock.now() + 1_000 });
  clock.advance(1_000);
  expect(await state()).toMatchObject({ kind: 'connecting' });
  expect(await state()).toMatchObject({ kind: 'waiting', nextTryAt: clock.now() + 2_000 });
});

test('[TSK-22] [TSK-23] accepts the default and other addresses, and refuses malformed ones', async () => {
  const opened: string[] = [];
  const open = (url: string) => {
    opened.push(url);
    return { send: () => {}, close: () => {}, addEventListener: () => {} };
  };
  const clock = { now: () => 0, after: () => () => {} };
  const rest = { clock, isBusy: () => false, startTask: async () => {}, onState: () => {} };
  createTaskServerClient({ open, ...rest });
  expect(opened).toEqual(['ws://localhost:8080']);
  expect(DEFAULT_TASK_SERVER).toEqual({ url: 'ws://localhost:8080', connectSeconds: 10 });
  const host = await startTaskHost();
  startClient(`${host.url}/any/path?token=abc`);
  expect((await host.connection()).path).toBe('/any/path?token=abc');
  for (const url of ['http://localhost:8080', 'localhost:8080', '', 'javascript:1', 'ws://a/#b']) {
    expect(taskServerProblem(url, 10), url).toMatch(/address/);
    expect(() => createTaskServerClient({ url, open, ...rest }), url).toThrow(/address/);
  }
  for (const seconds of [0, 0.5, 31, Number.NaN]) {
    expect(taskServerProblem('wss://host.test', seconds)).toMatch(/1 to 30 seconds/);
  }
  for (const seconds of [1, 10, 30]) expect(taskServerProblem('wss://host.test', seconds)).toBeUndefined();
});

test('[TSK-27] hides the token in the shown address', async () => {
  const host = await startTaskHost();
  const { state } = startClient(`${host.url}/?token=secret`);
  expect(JSON.stringify([await state(), await state()])).not.toContain('secret');
});

test('[TSK-47] [TSK-48] reports events during an outage in order, with both times', async () => {
  const { host, send, next, client, clock, state, close } = await connected();
  send(BASIC);
  await next();
  close();
  expect(await state()).toMatchObject({ kind: 'waiting' });
  client.report('task-12345', START);
  client.report('task-12345', ACT);
  clock.advance(1_000);
  const again = await host.connection();
  expect([await again.next(), await again.next()]).toEqual(
    [START, ACT].map((delivered) => ({
      type: 'execution_event',
      taskId: 'task-12345',
      event: delivered,
      timestamp: EXAMPLE_TIME + 1_000,
    })),
  );
});

test('[TSK-32] everything sent fits its schema', async () => {
  const { send, next, client, came } = await connected();
  send(BASIC);
  await next();
  client.report('task-12345', OK);
  send({ type: 'execute_task' });
  send(PING);
  while ((await next()).type !== 'pong');
  for (const message of came) expect(tasks.read(message)).toEqual(message);
  expect(came).toHaveLength(4);
});

test('after close, neither retries nor reports', async () => {
  const { client, closed, state, clock } = await connected();
  client.close();
  client.close();
  await closed;
  expect(await state()).toEqual({ kind: 'off' });
  client.report('task-12345', OK);
  expect(clock.pending()).toBe(0);
});
