import { expect, test } from 'vitest';
import { lendTab, scriptTab } from '../../test/tasks/scripted-tab.ts';
import {
  asking,
  becomes,
  doing,
  ends,
  openTaskService,
  orderOf,
  PROGRAM,
} from '../../test/tasks/tasks-harness.ts';
import { REJOIN_MS } from './task-ends.ts';

const FILL = 'Fill the cart';

test('a task runs in the connected tab, streams each step, and ends with its result', async () => {
  const plan = {
    steps: [{ id: 's1', index: 0, description: 'Add it', status: 'active' as const }],
    currentStepIndex: 0,
  };
  const { taskService, bridge, updates } = await openTaskService({
    [FILL]: [
      doing('click(7)', { plan }),
      doing('finish()', { thought: 'It is there.', result: { items: 1 } }),
    ],
  });
  const tab = lendTab(bridge, 'tab_1');
  const { task_id, session_id, state } = await taskService.submit(
    orderOf(FILL, { url: 'https://shop.example/tea' }),
    PROGRAM,
  );
  expect(state).toBe('queued');
  expect(await ends(taskService, task_id)).toMatchObject({
    ...{ task_id, session_id, state: 'completed', runs_on: 'tab_1', steps: 1, result: { items: 1 } },
  });
  expect(tab.acts).toEqual(['browser.navigate https://shop.example/tea', 'element.click 7']);
  const all = await updates(task_id);
  expect(all.map((each) => (each.kind === 'event' ? each.name : each.kind))).toEqual([
    ...['message', 'message', 'plan', 'step', 'step', 'task_result', 'end'],
  ]);
  const steps = all.flatMap((each) => (each.kind === 'event' && each.name === 'step' ? [each.event] : []));
  expect(steps).toMatchObject([
    { text: 'Press “Add to cart”…', execution_event: { state: 'act.start' } },
    { text: 'Press “Add to cart”: done', execution_event: { state: 'act.ok' } },
  ]);
  const again = await updates(task_id, steps[0]?.sequence);
  expect(again.map(({ kind }) => kind)).toEqual(['event', 'event', 'end']);
});

test('[TSK-66] a dead tab gets no task: it waits, says what to do, and starts when the tab reports again', async () => {
  const { taskService, bridge, clock } = await openTaskService({ [FILL]: [doing('finish()')] });
  const asked: string[] = [];
  const connection = bridge.connectRuntime({
    send(item) {
      if (item.type === 'runtime_probe') asked.push(item.probe_id);
      if (item.type === 'action_call' && isAlive) revived.receive(item);
    },
  });
  let isAlive = false;
  const revived = scriptTab('tab_1', connection.receive, () => connection.close('The tab was closed.'));
  connection.receive({ ...revived.ready, features: ['action_cancel', 'runtime_probe'] });
  clock.advance(6_000);
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await expect.poll(() => asked.length).toBe(1);
  clock.advance(1_500);
  const waits = await becomes(taskService, task_id, ({ note }) => note?.includes('does not answer') === true);
  expect(waits).toMatchObject({ state: 'queued', steps: 0 });
  expect(waits.note).toContain('lend another tab');
  isAlive = true;
  connection.receive({ type: 'runtime_status', runtime_id: 'tab_1' });
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed', runs_on: 'tab_1' });
});

test('[TSK-53] runs higher priorities first, equal ones in order, one at a time per tab', async () => {
  const { taskService, bridge, requests } = await openTaskService();
  const orders = [orderOf('old'), orderOf('new'), orderOf('urgent', { metadata: { priority: 5 } })];
  const tasks = [];
  for (const order of orders) tasks.push(await taskService.submit(order, PROGRAM));
  for (const { note } of tasks) expect(note).toContain('No browser is connected');
  lendTab(bridge, 'tab_1');
  await Promise.all(tasks.map(({ task_id }) => ends(taskService, task_id)));
  expect(requests.map(({ query }) => query)).toEqual(['urgent', 'old', 'new']);
});

test('a task for an absent tab says so and blocks no other', async () => {
  const { taskService, bridge } = await openTaskService();
  lendTab(bridge, 'tab_1');
  const away = await taskService.submit(orderOf('there', { runtime: 'tab_2' }), PROGRAM);
  const here = await taskService.submit(orderOf('here'), PROGRAM);
  await ends(taskService, here.task_id);
  expect(await taskService.get(away.task_id)).toMatchObject({
    state: 'queued',
    note: expect.stringContaining('tab_2'),
  });
  lendTab(bridge, 'tab_2');
  expect(await ends(taskService, away.task_id)).toMatchObject({ state: 'completed', runs_on: 'tab_2' });
});

test('cancels a task while it waits and during an act', async () => {
  const { taskService, bridge } = await openTaskService({ [FILL]: [doing('click(7)')] });
  const waiting = await taskService.submit(orderOf('wait'), PROGRAM);
  expect(await taskService.cancel(waiting.task_id, 'Enough.')).toMatchObject({
    state: 'cancelled',
    error: { code: 'cancelled', message: 'Enough.' },
  });
  const tab = lendTab(bridge, 'tab_1');
  tab.hold();
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await tab.begun(1);
  expect(await taskService.cancel(task_id, 'Stop.')).toMatchObject({
    state: 'cancelled',
    error: { message: 'Stop.' },
  });
  await expect(taskService.cancel(task_id, 'Again.')).rejects.toMatchObject({
    code: 'task_over',
    status: 409,
  });
  const next = await taskService.submit(orderOf('next'), PROGRAM);
  expect(await ends(taskService, next.task_id)).toMatchObject({ state: 'completed' });
});

test('[TSK-56] a task that exceeds its time limit fails', async () => {
  const { taskService, bridge, clock } = await openTaskService({ [FILL]: [doing('click(7)')] });
  const tab = lendTab(bridge, 'tab_1');
  tab.hold();
  const { task_id } = await taskService.submit(orderOf(FILL, { metadata: { timeout: 5_000 } }), PROGRAM);
  await tab.begun(1);
  clock.advance(5_000);
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'failed', error: { code: 'timed_out' } });
});

test('[TSK-56] [TSK-64] waiting for a person does not use up the time limit, and a restart does not reset it', async () => {
  const limited = orderOf(FILL, { metadata: { timeout: 5_000 } });
  const one = await openTaskService({
    [FILL]: [asking('Which size?'), doing('click(7)'), doing('click(7)')],
  });
  const tab = lendTab(one.bridge, 'tab_1');
  const { task_id } = await one.taskService.submit(limited, PROGRAM);
  await becomes(one.taskService, task_id, ({ state }) => state === 'waiting');
  one.clock.advance(6_000);
  tab.hold();
  await one.taskService.sendMessage(task_id, 'Large', PROGRAM);
  await tab.begun(1);
  one.clock.advance(3_000);
  tab.release();
  tab.hold();
  await tab.begun(2);
  await one.close();

  const two = await openTaskService({ [FILL]: [doing('click(7)')] }, one.disk);
  const back = lendTab(two.bridge, 'tab_1');
  back.hold();
  await back.begun(1);
  two.clock.advance(2_000);
  expect(await ends(two.taskService, task_id)).toMatchObject({
    state: 'failed',
    error: { code: 'timed_out' },
  });
});

test('a person gets minutes to permit an act', async () => {
  const { taskService, bridge, clock } = await openTaskService({ [FILL]: [doing('click(7)')] });
  const tab = lendTab(bridge, 'tab_1');
  tab.hold();
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await tab.begun(1);
  clock.advance(9 * 60_000);
  tab.release();
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed', steps: 1 });
  expect(await taskService.trace(task_id)).toMatchObject({ steps: [{ status: 'ok' }] });
});

test('two concurrent cancels of a waiting task end it once', async () => {
  const { taskService, updates } = await openTaskService();
  const { task_id } = await taskService.submit(orderOf('wait'), PROGRAM);
  const cancels = ['One.', 'Two.'].map((why) => taskService.cancel(task_id, why));
  const outcomes = await Promise.allSettled(cancels);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'task_over' } });
  const results = (await updates(task_id)).filter(
    (each) => each.kind === 'event' && each.name === 'task_result',
  );
  expect(results).toMatchObject([{ event: { text: 'Cancelled: One.' } }]);
});

test('messages sent before the start become part of the prompt; later ones are delivered once', async () => {
  const { taskService, bridge, requests } = await openTaskService({
    [FILL]: [asking('Which colour?'), doing('click(7)'), doing('finish()')],
  });
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await taskService.sendMessage(task_id, 'The large one', PROGRAM);
  lendTab(bridge, 'tab_1');
  await becomes(taskService, task_id, ({ state }) => state === 'waiting');
  await taskService.sendMessage(task_id, 'Blue', PROGRAM);
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed', prompt: FILL });
  const whole = `${FILL}\nThe large one`;
  expect(requests.map(({ query }) => query)).toEqual([whole, 'Blue', whole]);
});

test('when a person takes over, the pending decision is dropped, and the decider looks again afterwards', async () => {
  const [asked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { taskService, bridge } = await openTaskService({
    [FILL]: [
      async () => {
        asked.resolve();
        await decided.promise;
        return doing('click(7)');
      },
      doing('finish()'),
    ],
  });
  const tab = lendTab(bridge, 'tab_1');
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await asked.promise;
  await taskService.takeOver(task_id);
  decided.resolve();
  await becomes(taskService, task_id, ({ state }) => state === 'paused');
  await taskService.resumeAgent(task_id);
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed' });
  expect(tab.acts).toEqual([]);
});

test("a person answers a task's question, and messages during the run reach the decider", async () => {
  const { taskService, bridge, requests, updates } = await openTaskService({
    [FILL]: [asking('Which size?'), doing('finish()')],
  });
  lendTab(bridge, 'tab_1');
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  const waiting = await becomes(taskService, task_id, ({ state }) => state === 'waiting');
  expect(waiting.question).toBe('Which size?');
  await taskService.sendMessage(task_id, 'Large', PROGRAM);
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed' });
  expect(requests.map(({ query }) => query)).toEqual([FILL, 'Large']);
  const texts = (await updates(task_id)).flatMap((each) => (each.kind === 'event' ? [each.event.text] : []));
  expect(texts).toEqual(expect.arrayContaining(['Which size?', 'Large']));
});

test('a task pauses and resumes', async () => {
  const { taskService, bridge } = await openTaskService({ [FILL]: [doing('click(7)'), doing('finish()')] });
  const tab = lendTab(bridge, 'tab_1');
  tab.hold();
  const { task_id } = await taskService.submit(orderOf(FILL), PROGRAM);
  await expect(taskService.retry(task_id, PROGRAM)).rejects.toMatchObject({ code: 'not_over' });
  await tab.begun(1);
  await taskService.pause(task_id);
  tab.release();
  await becomes(taskService, task_id, ({ state }) => state === 'paused');
  await taskService.resume(task_id);
  expect(await ends(taskService, task_id)).toMatchObject({ state: 'completed' });
});

test('a result that does not fit its schema fails the task and names the field', async () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
  const result = { price: 'four' };
  const { taskService, bridge } = await openTaskService({ [FILL]: [doing('finish()', { result })] });
  lendTab(bridge, 'tab_1');
  const { task_id } = await taskService.submit(orderOf(FILL, { schema }), PROGRAM);
  expect(await ends(taskService, task_id)).toMatchObject({
    ...{ state: 'failed', result },
    error: {
      code: 'invalid_result',
      message: expect.stringContaining("The result's price must be a number"),
    },
  });
});

test('a retry is a new task with the same order, and each names the other', async () => {
  const { taskService, bridge } = await openTaskService({
    [FILL]: [doing('fail()', { thought: 'Sold out.' }), doing('finish()')],
  });
  lendTab(bridge, 'tab_1');
  const first = await taskService.submit(orderOf(FILL, { metadata: { priority: 3 } }), PROGRAM);
  expect(await ends(taskService, first.task_id)).toMatchObject({
    state: 'failed',
    error: { message: 'Sold out.' },
  });
  const second = await taskService.retry(first.task_id, PROGRAM);
  expect(second).toMatchObject({ prompt: FILL, priority: 3, retry_of: first.task_id });
  expect(await taskService.get(first.task_id)).toMatchObject({ retried_as: second.task_id });
  expect(await ends(taskService, second.task_id)).toMatchObject({ state: 'completed' });
  expect((await taskService.list(null, 10)).map(({ task_id }) => task_id)).toEqual([
    second.task_id,
    first.task_id,
  ]);
});

test('after a restart, waiting tasks still wait, and an act that was started is not repeated', async () => {
  const script = { [FILL]: [doing('click(7)')], later: [] };
  const one = await openTaskService(script);
  const tab = lendTab(one.bridge, 'tab_1', 'key_1');
  tab.hold();
  const { task_id } = await one.taskService.submit(orderOf(FILL), PROGRAM);
  await tab.begun(1);
  const later = await one.taskService.submit(orderOf('later'), PROGRAM);
  await one.close();
  expect(tab.acts).toEqual(['element.click 7']);

  const two = await openTaskService({ [FILL]: [doing('finish()')] }, one.disk);
  expect(await two.taskService.get(task_id)).toMatchObject({
    state: 'running',
    note: expect.stringContaining('tab_1'),
  });
  expect(await two.taskService.get(later.task_id)).toMatchObject({ state: 'queued' });
  const back = lendTab(two.bridge, 'tab_9', 'key_1');
  expect(await ends(two.taskService, task_id)).toMatchObject({ state: 'completed', steps: 1 });
  expect(back.acts).toEqual([]);
  expect(two.requests[0]).toMatchObject({ lastActionStatus: 'pending', query: FILL });
  expect(await ends(two.taskService, later.task_id)).toMatchObject({ state: 'completed' });
});

test('a task whose tab does not come back says what may have been done', async () => {
  const one = await openTaskService({ [FILL]: [doing('click(7)')] });
  const tab = lendTab(one.bridge, 'tab_1');
  tab.hold();
  const { task_id } = await one.taskService.submit(orderOf(FILL), PROGRAM);
  await tab.begun(1);
  await one.close();
  const two = await openTaskService({}, one.disk);
  two.clock.advance(REJOIN_MS);
  const { state, error } = await ends(two.taskService, task_id);
  expect(state).toBe('unknown');
  expect(error?.message).toContain('click(7) had been begun');
});

test('the halt stops every task', async () => {
  const { taskService, bridge } = await openTaskService({ [FILL]: [doing('click(7)')] });
  const tab = lendTab(bridge, 'tab_1');
  tab.hold();
  const running = await taskService.submit(orderOf(FILL), PROGRAM);
  const queued = await taskService.submit(orderOf('later'), PROGRAM);
  await tab.begun(1);
  taskService.cancelAll('Ada stopped everything.');
  for (const { task_id } of [running, queued]) {
    expect(await ends(taskService, task_id)).toMatchObject({
      state: 'cancelled',
      error: { message: 'Ada stopped everything.' },
    });
  }
});
