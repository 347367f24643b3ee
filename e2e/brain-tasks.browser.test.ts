import { sampled } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Line, type LineModel, press, startLineModel, write } from './brain-model.ts';
import { runShopTask, SHOP_TASKS, type ShopTask } from './brain-tasks.ts';
import { type Person, startTaskHarness, type TaskHarness, type TaskReport } from './task-harness.ts';

let model: LineModel;
let harness: TaskHarness;
let person: Person;
let noted = Promise.withResolvers<void>();

beforeAll(async () => {
  model = await startLineModel();
  harness = await startTaskHarness({
    ownShop: true,
    env: { DRAWBRIDGE_MODEL: 'compatible/scripted', DRAWBRIDGE_MODEL_URL: model.provider.baseUrl },
  });
  // Followers of the task see that it waits for a person before that person answers.
  person = await harness.person(async () => {
    await noted.promise;
    return 'once';
  });
});
afterAll(async () => {
  person.close();
  await harness[Symbol.asyncDispose]();
  await model.provider.close();
});

test.each(sampled(SHOP_TASKS, 4))('$name: $prompt', async (shopTask) => {
  model.answerWith(shopTask.lines(harness));
  noted = Promise.withResolvers();
  const help: ShopTask['help'] = (here, told, by) => {
    if (told.data.note?.startsWith('A person is asked first: Click on “')) noted.resolve();
    return shopTask.help?.(here, told, by);
  };
  const { task, report } = await runShopTask(harness, { ...shopTask, help }, person);
  expect(model.provider.problems()).toEqual([]);
  expect(task.usage?.output_tokens).toBe(50 * model.asked().length);
  expect(task, task.message).toMatchObject({ state: shopTask.ends ?? 'completed' });
  await shopTask.check({ expect, harness, task, report, asked: model.asked(), person });
});

test('a relay that restarts during a press continues the task and buys nothing twice', async () => {
  const lookAgain: Line = ({ nodes, id }) =>
    nodes.some(({ n }) => n === 'Cart 2')
      ? { action: 'finish', text: 'Two lamps are in the cart.' }
      : { action: 'click', element: id(/^Add to cart/) };
  model.answerWith([write(/^Quantity/, '2'), press(/^Add to cart/), lookAgain, lookAgain]);
  harness.shop.reset();
  const url = `${harness.shop.url}/products/dusk-table-lamp`;
  const { body } = await harness.api('POST /api/tasks', { prompt: 'Put two lamps into the cart', url });
  const isPressing = ({ event, data }: TaskReport) =>
    event === 'step' && data.details?.status === 'running' && data.text?.includes('Add to cart');
  await harness.follow(body.task_id, isPressing);
  await harness.restart();
  const told = await harness.follow(body.task_id);
  expect(told.at(-1)?.data).toMatchObject({ state: 'completed', message: 'Two lamps are in the cart.' });
  expect(told.map(({ data }) => data.text)).toContain('Goes on after a restart.');
  expect(await harness.cart()).toEqual({ 'dusk-table-lamp': 2 });
});
