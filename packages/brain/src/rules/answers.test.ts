import { describe, expect, test } from 'vitest';
import { dialogue, LAMP, RESULTS, START, WORKED } from '../../test/rules/dialogue.ts';
import { createRulePlanner } from './rule-planner.ts';

describe("the person's messages", () => {
  test('“stop” ends the task', async () => {
    const task = dialogue('open Cart and click Checkout');
    await task.see({ tree: START });
    expect(await task.see({ ...WORKED, tree: LAMP, said: ['stop'] })).toMatchObject({
      action: 'fail()',
      thought: 'Stopped, as you said.',
    });
  });

  test('a steering message is done next', async () => {
    const task = dialogue('open Lighting and scroll down');
    await task.see({ tree: START });
    expect(await task.see({ ...WORKED, tree: RESULTS, said: ['open the Cart first'] })).toMatchObject({
      action: 'click(35)',
    });
    expect(await task.see({ ...WORKED, tree: '1 btn Checkout' })).toMatchObject({ action: 'scroll()' });
  });

  test('[INT-137] a form without values asks for them', async () => {
    const task = dialogue('fill in the form and submit');
    const tree = '1 inp Name\n2 inp City\n3 btn Send';
    expect(await task.see({ tree })).toMatchObject({
      userQuestion: 'What should I write into “Name”, “City”?',
      missingInformation: ['Name', 'City'],
    });
    expect(await task.see({ tree, said: ['name Ada, city Paris'] })).toMatchObject({
      action: 'setValue(1, "Ada")',
      totalSteps: 3,
    });
  });

  test('a secret is written, and appears in no thought and no line of the plan', async () => {
    const task = dialogue('log in with email demo@example.com and password lantern-42');
    const tree = '1 inp Email =demo@example.com\n2 inp Password\n3 btn Show\n4 btn Log in';
    const answer = await task.see({ tree });
    expect(answer).toMatchObject({
      action: 'setValue(2, "lantern-42")',
      thought: 'Write a secret into “Password”.',
    });
    expect(JSON.stringify(answer.plan)).not.toContain('lantern-42');
    expect(await task.see({ ...WORKED, tree: tree.replace('Password', 'Password [filled]') })).toMatchObject({
      action: 'click(4)',
    });
  });
});

describe('the result of reading', () => {
  const tree = '1 link Cart 2\n2 link Dusk table lamp €89.00\n3 inp City =Paris';
  test.each([
    ['what is the title?', 'Lantern & Oak'],
    ['what is the price of the Dusk table lamp?', '€89.00'],
    ['how many things are in the cart?', '2'],
    ['what is in the City field?', 'Paris'],
  ])('%s %s', async (request, result) => {
    const answer = await dialogue(request).see({ tree, pageTitle: 'Lantern & Oak' });
    expect(answer).toMatchObject({ action: 'finish()', status: 'completed', result });
  });

  const schema = {
    type: 'object',
    required: ['price', 'city'],
    properties: { price: { type: 'number' }, city: { type: 'string' } },
  };

  test('a result has the requested form', async () => {
    const task = dialogue('what is the price of the Dusk table lamp and what is the City?', { schema });
    expect(await task.see({ tree })).toMatchObject({
      action: 'finish()',
      result: { price: 89, city: 'Paris' },
    });
  });

  test('declines a form that names and values do not fill', async () => {
    const task = dialogue('what is the price of the Dusk table lamp?', { schema });
    expect(await task.see({ tree })).toMatchObject({
      action: 'fail()',
      thought: expect.stringContaining('to read city from the page takes a model'),
    });
  });
});

test('spends nothing without a model, and counts steps', async () => {
  const planner = createRulePlanner();
  const request = { url: 'https://a.example', query: 'scroll down', interactiveTree: [] };
  const first = await planner.step({ request, memory: undefined, said: [], now: 1_000 });
  const second = await planner.step({ request, memory: first.memory, said: [], now: 2_000 });
  expect(planner.name).toBe('rules');
  expect(second.usage).toEqual({ input_tokens: 0, output_tokens: 0, cached_tokens: 0 });
  expect(second.memory.spent).toMatchObject({ steps: 2, began: 1_000, input_tokens: 0 });
  expect(second.memory.plan).toEqual(second.answer.plan);
});
