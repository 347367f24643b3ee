import { expect, test } from 'vitest';
import { CLICK, startTabTasksHarness, stateOf } from '../../test/interact/tab-tasks.ts';

const ORDER = { tabId: 3, query: 'Put a lamp into the cart', from: 'panel' } as const;
const QUESTION = { status: 'needs_user_input', userQuestion: 'Which lamp?' } as const;
const PLAN = {
  steps: [{ id: 'step_0', index: 0, description: 'Press it', status: 'active' as const }],
  currentStepIndex: 0,
};

test("[INT-174] shows a task's plan, steps and end without push", async () => {
  const harness = startTabTasksHarness([{ ...CLICK, plan: PLAN, thought: 'It is there.' }]);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'completed');
  expect(worker.tasks.tasks()[3]).toMatchObject({
    ...{ taskId: 'task-1', tabId: 3, from: 'panel', state: 'completed', takenOver: false },
    ...{ plan: PLAN, message: 'Done.', startedAt: 1_000, endedAt: 1_000 },
  });
  const shown = worker.tasks.tasks()[3]?.events ?? [];
  expect(shown.map(({ event }) => event.state)).toEqual([
    ...['task.start', 'step.start', 'act.start', 'act.ok', 'step.ok', 'step.start', 'step.ok', 'task.ok'],
  ]);
  expect(shown[3]).toMatchObject({ step: { status: 'ok', subject: 'Add to cart' }, thought: 'It is there.' });
  expect(worker.events.map(({ state }) => state)).toEqual(shown.map(({ event }) => event.state));
});

test("[INT-151] uses the server's session for the next task of the tab, and for no other tab", async () => {
  const harness = startTabTasksHarness([CLICK, { action: 'finish()' }, { action: 'finish()' }]);
  harness.lent.add(4);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'completed');
  expect(await worker.sessions.all()).toEqual({ 3: 'session-1' });
  await worker.tasks.start({ ...ORDER, query: 'And another' });
  await harness.until(() => stateOf(worker) === 'completed');
  await worker.tasks.start({ ...ORDER, tabId: 4 });
  await harness.until(() => worker.tasks.tasks()[4]?.state === 'completed');
  expect(harness.requests.map(({ sessionId, tabId }) => [tabId, sessionId])).toEqual([
    [3, undefined],
    [3, 'session-1'],
    [3, 'session-1'],
    [4, undefined],
  ]);
});

test('one task per tab, only in a lent one, and only with a prompt', async () => {
  const harness = startTabTasksHarness([QUESTION]);
  const { tasks } = harness.begin();
  await expect(tasks.start({ ...ORDER, tabId: 9 })).rejects.toMatchObject({ code: 'runtime_not_found' });
  await expect(tasks.start({ ...ORDER, query: '  ' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(tasks.start({ ...ORDER, query: 'x'.repeat(10_001) })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await tasks.start(ORDER);
  await expect(tasks.start(ORDER)).rejects.toMatchObject({ code: 'task_busy' });
  await tasks.stop(3);
  await expect(tasks.sendMessage(3, 'And?')).rejects.toMatchObject({ code: 'task_not_found' });
  await expect(tasks.pause(8)).rejects.toMatchObject({ code: 'task_not_found' });
});

test('a question waits visibly, and its answer is the next query', async () => {
  const harness = startTabTasksHarness([{ ...QUESTION, missingInformation: ['lamp'] }]);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'waiting');
  expect(worker.tasks.tasks()[3]?.question).toEqual({ text: 'Which lamp?', missing: ['lamp'] });
  await worker.tasks.sendMessage(3, 'The green one');
  await harness.until(() => stateOf(worker) === 'completed');
  expect(worker.tasks.tasks()[3]).not.toHaveProperty('question');
  expect(harness.requests[1]?.query).toBe('The green one');
});

test('stop interrupts an action', async () => {
  const harness = startTabTasksHarness([CLICK]);
  harness.holdClicks();
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => harness.clicks.length === 1);
  await worker.tasks.stop(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({
    state: 'cancelled',
    message: 'A person cancelled the task.',
  });
  expect(worker.events.at(-1)?.state).toBe('task.cancel');
});

test('pause and takeover show at once, and discard an earlier decision', async () => {
  const harness = startTabTasksHarness([
    async () => {
      await worker.tasks.takeOver(3);
      return CLICK;
    },
  ]);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => worker.events.some(({ state }) => state === 'task.pause'));
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'paused', takenOver: true });
  await worker.tasks.resumeAgent(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({ takenOver: false });
  await harness.until(() => stateOf(worker) === 'completed');
  expect(harness.clicks).toEqual([]);
});

test('a takeover lasts until the person hands back', async () => {
  const harness = startTabTasksHarness([QUESTION]);
  const worker = harness.begin();
  const shown = () => worker.tasks.tasks()[3];
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'waiting');
  await worker.tasks.takeOver(3);
  await worker.tasks.pause(3);
  expect(shown()).toMatchObject({ state: 'paused', takenOver: true });
  await worker.tasks.resumeAgent(3);
  expect(shown()).toMatchObject({ state: 'waiting', takenOver: false });
  await worker.tasks.pause(3);
  expect(shown()).toMatchObject({ state: 'paused', takenOver: false });
  await worker.tasks.resume(3);
  expect(shown()).toMatchObject({ state: 'waiting' });
});

test('[INT-151] a session chosen during a task applies to the next one', async () => {
  const harness = startTabTasksHarness([{ ...QUESTION, sessionId: 'session-1' }]);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'waiting');
  expect(await worker.sessions.of(3)).toBe('session-1');
  await worker.sessions.use(3, 'session-2');
  await worker.tasks.sendMessage(3, 'The green one');
  await harness.until(() => stateOf(worker) === 'completed');
  expect(await worker.sessions.of(3)).toBe('session-2');
});

test('[TSK-42] a task fails at its deadline', async () => {
  const harness = startTabTasksHarness([QUESTION]);
  const worker = harness.begin();
  await worker.tasks.start({ ...ORDER, from: 'server', taskId: 'task-67890', timeoutMs: 30_000 });
  await harness.until(() => stateOf(worker) === 'waiting');
  await harness.clock.advanceAsync(30_000);
  await harness.until(() => stateOf(worker) === 'failed');
  expect(worker.events.at(-1)).toMatchObject({ state: 'task.fail', data: { taskId: 'task-67890' } });
});

test('releasing a tab ends its task; closing it forgets the task', async () => {
  const harness = startTabTasksHarness([{ ...QUESTION, sessionId: 'session-1' }]);
  const worker = harness.begin();
  await worker.tasks.start(ORDER);
  await harness.until(() => stateOf(worker) === 'waiting');
  harness.lent.delete(3);
  await worker.tasks.released(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'cancelled', message: 'The tab was taken back.' });
  await worker.tasks.closed(3);
  expect(worker.tasks.tasks()).toEqual({});
  expect(harness.kept.all()).toEqual({ tab_tasks: [], tab_sessions: {} });
});

test('a worker killed during an action perceives first, and does not repeat the action', async () => {
  const harness = startTabTasksHarness([CLICK, { action: 'finish()', thought: 'It is in the cart.' }]);
  harness.holdClicks();
  const first = harness.begin();
  await first.tasks.start(ORDER);
  await harness.until(() => harness.clicks.length === 1);
  first.kill();
  harness.letClicks();
  const second = harness.begin();
  await second.tasks.restore();
  await harness.until(() => stateOf(second) === 'completed');
  expect(harness.clicks).toHaveLength(1);
  expect(harness.requests[1]).toMatchObject({
    ...{ taskId: 'mind-1', sessionId: 'session-1', lastActionStatus: 'pending' },
    verification_message: expect.stringContaining('not known whether'),
  });
  const states = second.tasks.tasks()[3]?.events.map(({ event }) => event.state);
  expect(states?.slice(0, 6)).toEqual([
    ...['task.start', 'step.start', 'act.start', 'task.resume', 'act.fail', 'step.fail'],
  ]);
});

test('one task survives five kills, with its messages and holds', async () => {
  const harness = startTabTasksHarness([QUESTION, CLICK, { action: 'finish()' }]);
  const start = harness.begin();
  await start.tasks.start(ORDER);
  await harness.until(() => stateOf(start) === 'waiting');
  start.kill();
  let worker = harness.begin();
  await worker.tasks.restore();
  await harness.until(() => worker.events.some(({ state }) => state === 'task.pause'));
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'waiting', question: { text: 'Which lamp?' } });
  await worker.tasks.takeOver(3);
  worker.kill();
  for (const _ of [1, 2, 3]) {
    worker = harness.begin();
    await worker.tasks.restore();
    expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'paused', takenOver: true });
    await harness.until(() => worker.events.some(({ state }) => state === 'task.pause'));
    worker.kill();
  }
  worker = harness.begin();
  await worker.tasks.restore();
  await worker.tasks.sendMessage(3, 'The green one');
  await worker.tasks.resumeAgent(3);
  await harness.until(() => stateOf(worker) === 'completed');
  expect(harness.requests.map(({ query }) => query)).toEqual([ORDER.query, 'The green one', ORDER.query]);
  expect(harness.clicks).toHaveLength(1);
  expect(worker.tasks.tasks()[3]?.taskId).toBe('task-1');
});

test('a task ends with a reason when its tab is no longer lent after a restart', async () => {
  const harness = startTabTasksHarness([QUESTION]);
  const first = harness.begin();
  await first.tasks.start(ORDER);
  await harness.until(() => stateOf(first) === 'waiting');
  first.kill();
  harness.lent.clear();
  const second = harness.begin();
  await second.tasks.restore();
  await harness.until(() => stateOf(second) === 'cancelled');
  expect(second.tasks.tasks()[3]?.message).toContain('not lent');
  // The next worker keeps it so.
  second.kill();
  const third = harness.begin();
  await third.tasks.restore();
  expect(stateOf(third)).toBe('cancelled');
  expect(third.events).toEqual([]);
});

test('does nothing that could not be stored', async () => {
  const harness = startTabTasksHarness([CLICK]);
  const full = new Error('QUOTA_BYTES quota exceeded');
  let isFull = false;
  const worker = startTabTasksHarness([CLICK], {
    storage: {
      ...harness.kept,
      set: (key, value) =>
        isFull && key.startsWith('tab_task_') ? Promise.reject(full) : harness.kept.set(key, value),
    },
    onEvent: (_task, { state }) => {
      isFull = state === 'step.start';
    },
  });
  const { tasks } = worker.begin();
  await tasks.start(ORDER);
  await worker.until(() => tasks.tasks()[3]?.state === 'failed');
  expect(tasks.tasks()[3]?.message).toContain('QUOTA');
  expect(worker.clicks).toEqual([]);
});
