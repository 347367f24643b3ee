import { expect, test } from 'vitest';
import { CLICK, ground, stateOf } from './tab-tasks.suite.ts';

const ORDER = { tabId: 3, query: 'Put a lamp into the cart', from: 'panel' } as const;
const QUESTION = { status: 'needs_user_input', userQuestion: 'Which lamp?' } as const;
const PLAN = {
  steps: [{ id: 'step_0', index: 0, description: 'Press it', status: 'active' as const }],
  currentStepIndex: 0,
};

test('[INT-174] a task in a tab shows its plan, its steps and its end, though nothing is pushed', async () => {
  const house = ground([{ ...CLICK, plan: PLAN, thought: 'It is there.' }]);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'completed');
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

test('[INT-151] the session that the server gave goes with the next task of the tab, and with no other tab', async () => {
  const house = ground([CLICK, { action: 'finish()' }, { action: 'finish()' }]);
  house.lent.add(4);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'completed');
  expect(await worker.sessions.all()).toEqual({ 3: 'session-1' });
  await worker.tasks.start({ ...ORDER, query: 'And another' });
  await house.until(() => stateOf(worker) === 'completed');
  await worker.tasks.start({ ...ORDER, tabId: 4 });
  await house.until(() => worker.tasks.tasks()[4]?.state === 'completed');
  expect(house.requests.map(({ sessionId, tabId }) => [tabId, sessionId])).toEqual([
    [3, undefined],
    [3, 'session-1'],
    [3, 'session-1'],
    [4, undefined],
  ]);
});

test('one task in a tab, only in a lent one, and only one that says what to do', async () => {
  const house = ground([QUESTION]);
  const { tasks } = house.begin();
  await expect(tasks.start({ ...ORDER, tabId: 9 })).rejects.toMatchObject({ code: 'runtime_not_found' });
  await expect(tasks.start({ ...ORDER, query: '  ' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(tasks.start({ ...ORDER, query: 'x'.repeat(10_001) })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await tasks.start(ORDER);
  await expect(tasks.start(ORDER)).rejects.toMatchObject({ code: 'task_busy' });
  await tasks.stop(3);
  await expect(tasks.say(3, 'And?')).rejects.toMatchObject({ code: 'task_not_found' });
  await expect(tasks.pause(8)).rejects.toMatchObject({ code: 'task_not_found' });
});

test('a question waits, shows, and its answer is the next query', async () => {
  const house = ground([{ ...QUESTION, missingInformation: ['lamp'] }]);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'waiting');
  expect(worker.tasks.tasks()[3]?.question).toEqual({ text: 'Which lamp?', missing: ['lamp'] });
  await worker.tasks.say(3, 'The green one');
  await house.until(() => stateOf(worker) === 'completed');
  expect(worker.tasks.tasks()[3]).not.toHaveProperty('question');
  expect(house.requests[1]?.query).toBe('The green one');
});

test('stop ends it in the middle of an act', async () => {
  const house = ground([CLICK]);
  house.holdClicks();
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => house.clicks.length === 1);
  await worker.tasks.stop(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({
    state: 'cancelled',
    message: 'A person cancelled the task.',
  });
  expect(worker.events.at(-1)?.state).toBe('task.cancel');
});

test('a person who pauses or takes over is seen at once, and what was decided before is not done', async () => {
  const house = ground([
    async () => {
      await worker.tasks.takeOver(3);
      return CLICK;
    },
  ]);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => worker.events.some(({ state }) => state === 'task.pause'));
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'paused', takenOver: true });
  await worker.tasks.handBack(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({ takenOver: false });
  await house.until(() => stateOf(worker) === 'completed');
  expect(house.clicks).toEqual([]);
});

test('who has taken over has it until they hand it back', async () => {
  const house = ground([QUESTION]);
  const worker = house.begin();
  const shown = () => worker.tasks.tasks()[3];
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'waiting');
  await worker.tasks.takeOver(3);
  await worker.tasks.pause(3);
  expect(shown()).toMatchObject({ state: 'paused', takenOver: true });
  await worker.tasks.handBack(3);
  expect(shown()).toMatchObject({ state: 'waiting', takenOver: false });
  await worker.tasks.pause(3);
  expect(shown()).toMatchObject({ state: 'paused', takenOver: false });
  await worker.tasks.resume(3);
  expect(shown()).toMatchObject({ state: 'waiting' });
});

test('[INT-151] a session that the person chooses while a task runs is the next one’s', async () => {
  const house = ground([{ ...QUESTION, sessionId: 'session-1' }]);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'waiting');
  expect(await worker.sessions.of(3)).toBe('session-1');
  await worker.sessions.use(3, 'session-2');
  await worker.tasks.say(3, 'The green one');
  await house.until(() => stateOf(worker) === 'completed');
  expect(await worker.sessions.of(3)).toBe('session-2');
});

test('[TSK-42] a task whose time is over has failed', async () => {
  const house = ground([QUESTION]);
  const worker = house.begin();
  await worker.tasks.start({ ...ORDER, from: 'server', taskId: 'task-67890', timeoutMs: 30_000 });
  await house.until(() => stateOf(worker) === 'waiting');
  await house.clock.advanceAsync(30_000);
  await house.until(() => stateOf(worker) === 'failed');
  expect(worker.events.at(-1)).toMatchObject({ state: 'task.fail', data: { taskId: 'task-67890' } });
});

test('a tab that is taken back ends its task; one that is closed is forgotten', async () => {
  const house = ground([{ ...QUESTION, sessionId: 'session-1' }]);
  const worker = house.begin();
  await worker.tasks.start(ORDER);
  await house.until(() => stateOf(worker) === 'waiting');
  house.lent.delete(3);
  await worker.tasks.released(3);
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'cancelled', message: 'The tab was taken back.' });
  await worker.tasks.closed(3);
  expect(worker.tasks.tasks()).toEqual({});
  expect(house.kept.all()).toEqual({ tab_tasks: [], tab_sessions: {} });
});

test('a worker killed in the middle of an act looks, and does not act again by itself', async () => {
  const house = ground([CLICK, { action: 'finish()', thought: 'It is in the cart.' }]);
  house.holdClicks();
  const first = house.begin();
  await first.tasks.start(ORDER);
  await house.until(() => house.clicks.length === 1);
  first.kill();
  house.letClicks();
  const second = house.begin();
  await second.tasks.restore();
  await house.until(() => stateOf(second) === 'completed');
  expect(house.clicks).toHaveLength(1);
  expect(house.requests[1]).toMatchObject({
    ...{ taskId: 'mind-1', sessionId: 'session-1', lastActionStatus: 'pending' },
    verification_message: expect.stringContaining('not known whether'),
  });
  const states = second.tasks.tasks()[3]?.events.map(({ event }) => event.state);
  expect(states?.slice(0, 6)).toEqual([
    ...['task.start', 'step.start', 'act.start', 'task.resume', 'act.fail', 'step.fail'],
  ]);
});

test('killed five times it is one task: what was said is heard, and what was held stays held', async () => {
  const house = ground([QUESTION, CLICK, { action: 'finish()' }]);
  const start = house.begin();
  await start.tasks.start(ORDER);
  await house.until(() => stateOf(start) === 'waiting');
  start.kill();
  let worker = house.begin();
  await worker.tasks.restore();
  await house.until(() => worker.events.some(({ state }) => state === 'task.pause'));
  expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'waiting', question: { text: 'Which lamp?' } });
  await worker.tasks.takeOver(3);
  worker.kill();
  for (const _ of [1, 2, 3]) {
    worker = house.begin();
    await worker.tasks.restore();
    expect(worker.tasks.tasks()[3]).toMatchObject({ state: 'paused', takenOver: true });
    await house.until(() => worker.events.some(({ state }) => state === 'task.pause'));
    worker.kill();
  }
  worker = house.begin();
  await worker.tasks.restore();
  await worker.tasks.say(3, 'The green one');
  await worker.tasks.handBack(3);
  await house.until(() => stateOf(worker) === 'completed');
  expect(house.requests.map(({ query }) => query)).toEqual([ORDER.query, 'The green one', ORDER.query]);
  expect(house.clicks).toHaveLength(1);
  expect(worker.tasks.tasks()[3]?.taskId).toBe('task-1');
});

test('a tab that is no longer lent when the worker is back: the task ends, and says so', async () => {
  const house = ground([QUESTION]);
  const first = house.begin();
  await first.tasks.start(ORDER);
  await house.until(() => stateOf(first) === 'waiting');
  first.kill();
  house.lent.clear();
  const second = house.begin();
  await second.tasks.restore();
  await house.until(() => stateOf(second) === 'cancelled');
  expect(second.tasks.tasks()[3]?.message).toContain('not lent');
  // And the next worker leaves it so.
  second.kill();
  const third = house.begin();
  await third.tasks.restore();
  expect(stateOf(third)).toBe('cancelled');
  expect(third.events).toEqual([]);
});

test('what cannot be stored is not done', async () => {
  const house = ground([CLICK]);
  const full = new Error('QUOTA_BYTES quota exceeded');
  let isFull = false;
  const worker = ground([CLICK], {
    storage: {
      ...house.kept,
      set: (key, value) =>
        isFull && key.startsWith('tab_task_') ? Promise.reject(full) : house.kept.set(key, value),
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
