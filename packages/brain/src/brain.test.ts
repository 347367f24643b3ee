import { interactResponse } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { onShop, says, startTask, TREE } from '../test/brain-fixtures.ts';

const CLICK = says({ action: 'click', element: '7', plan: ['Add the lamp', 'Look at the cart'] });

describe('a decision', () => {
  test('[INT-41] [INT-44] [INT-52] [INT-125] names the element bare and repeats it in actionDetails', async () => {
    const task = await startTask([
      CLICK,
      says({ action: 'setValue', element: '13', text: 'a "lamp"' }),
      says({ element: 'f2_9' }),
    ]);
    expect(await task.step(onShop())).toMatchObject({
      thought: 'I go on.',
      action: 'click(7)',
      actionDetails: { name: 'click', elementId: 7 },
    });
    const typed = await task.step(onShop({ hasSuccess: true }));
    expect(typed).toMatchObject({
      action: 'setValue(13, "a \\"lamp\\"")',
      actionDetails: { args: { value: 'a "lamp"' } },
    });
    const framed = await task.step(onShop({ hasSuccess: true }));
    expect(framed).toMatchObject({ action: 'click("f2_9")', actionDetails: { elementId: 'f2_9' } });
    expect(interactResponse.parse(JSON.stringify({ success: true, data: framed }))).toBeDefined();
  });

  test('[INT-119] [INT-123] never names a missing id, nor presses a covered element', async () => {
    const covered = [...TREE, { i: '99', r: 'btn', n: 'Place order', occ: true }];
    const task = await startTask([says({ element: '404' }), says({ element: '99' }), CLICK]);
    expect(await task.step(onShop({ interactiveTree: covered }))).toMatchObject({ action: 'click(7)' });
    expect(task.read(2)).toContain('There is no element "404"');
    expect(task.read(3)).toContain('Element 99 is covered');
    task.verify();
  });

  test('[INT-91] is not the action that just failed, nor one that failed on the same page', async () => {
    const other = says({ element: 'f2_9' });
    const task = await startTask([CLICK, CLICK, other, CLICK, says({ action: 'scroll' })]);
    await task.step(onShop());
    const failure = {
      lastActionStatus: 'failure',
      lastActionError: { message: 'gone', code: 'not_found', action: 'click(7)' },
    } as const;
    expect(await task.step(onShop(failure))).toMatchObject({ action: 'click("f2_9")', status: 'correcting' });
    expect(task.read(3)).toContain('was tried here already and failed');
    expect(await task.step(onShop({ hasSuccess: true }))).toMatchObject({
      action: 'scroll()',
      status: 'executing',
    });
    task.verify();
  });

  test('[INT-120] uses only declared features, and prefers declared tools', async () => {
    const tools = [
      {
        name: 'cart.add',
        description: 'Adds to the cart',
        inputSchema: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
      },
    ];
    const call = (json: string) => says({ action: 'call', text: 'cart.add', json });
    const plain = await startTask([call('{"sku":"lamp"}'), CLICK]);
    expect(await plain.step(onShop({ tools }))).toMatchObject({ action: 'click(7)' });
    expect(plain.read(1)).not.toContain('cart.add');
    const declared = await startTask([call('{"sku":3}'), call('{"sku":"lamp"}')]);
    expect(await declared.step(onShop({ tools, features: ['call'] }))).toMatchObject({
      action: 'call("cart.add", {"sku":"lamp"})',
      actionDetails: { name: 'call', args: { sku: 'lamp' } },
    });
    expect(declared.read(2)).toContain('sku must be a string');
    const up = says({ action: 'scroll', text: 'up' });
    const scrolls = await startTask([up, up]);
    expect(await scrolls.step(onShop())).toMatchObject({ action: 'scroll()' });
    expect(await scrolls.step(onShop({ features: ['press'], hasSuccess: true }))).toMatchObject({
      action: 'scroll("up")',
    });
  });

  test('[INT-126] [INT-127] carries a selector that matches only its element', async () => {
    const dom =
      '<input id="13" name="q" class="x"><button data-llm-id="7" data-testid="add">Add</button><button id="8" name="b"/><button id="9" name="b"/>';
    const task = await startTask([says({ element: '7' }), says({ element: '8' })]);
    const request = { url: 'https://shop.test/', query: 'go', dom };
    expect(await task.step(request)).toMatchObject({
      actionDetails: { elementId: 7, selectorPath: 'button[data-testid="add"]' },
    });
    expect((await task.step({ ...request, hasSuccess: true })).actionDetails).toEqual({
      name: 'click',
      elementId: 8,
    });
  });

  test('[INT-258] [INT-259] [INT-280] is made on V2 nodes, or on the DOM where there is nothing else', async () => {
    const task = await startTask([says({ element: '5' }), says({ element: '6' })]);
    const nodes = [{ id: '5', role: 'button', name: 'Send feedback later' }];
    const features = ['grants'];
    expect(
      await task.step({ url: 'https://a.test/', query: 'go', semanticNodes: nodes, features }),
    ).toMatchObject({ action: 'click(5)' });
    expect(task.read(1)).toContain('5 btn Send feedback later');
    const html = { url: 'https://a.test/', query: 'go', semanticNodes: [], dom: '<a id=6 href="/x">X</a>' };
    expect(await task.step(html)).toMatchObject({ action: 'click(6)' });
  });
});

describe('the plan', () => {
  test('[INT-130] [INT-131] [INT-132] [INT-133] [INT-134] is part of every decision and advances when a step is done', async () => {
    const task = await startTask([CLICK, says({ element: 'f2_9', step_done: true })]);
    expect(await task.step(onShop())).toMatchObject({
      status: 'executing',
      currentStep: 0,
      totalSteps: 2,
      plan: {
        createdAt: '2030-01-01T00:00:00.000Z',
        steps: [
          { id: 'step_0', index: 0, status: 'active', toolType: 'DOM' },
          { id: 'step_1', index: 1, status: 'pending' },
        ],
      },
    });
    expect(await task.step(onShop({ hasSuccess: true }))).toMatchObject({
      currentStep: 1,
      plan: { currentStepIndex: 1, steps: [{ status: 'completed' }, { status: 'active' }] },
    });
  });

  test('[INT-47] [INT-247] gives the expected outcome of the current step in the form that page code reads', async () => {
    const expecting = (element: string, type: string, name: string) =>
      says({ element, expect: { type, name, to: '' } });
    const task = await startTask([
      expecting('7', 'element_appears', 'In cart'),
      expecting('13', 'value_changes', 'search'),
      expecting('f2_9', 'state_changes', 'e'),
    ]);
    const outcomeOf = async () =>
      (await task.step(onShop({ hasSuccess: true }))).plan?.steps[0]?.expectedOutcome;
    expect(await outcomeOf()).toEqual({ type: 'element_appears', element: { text: 'In cart' } });
    expect(await outcomeOf()).toEqual({ type: 'value_changes', element: { id: '13' } });
    expect(await outcomeOf()).toBeUndefined();
  });

  test('[INT-90] [INT-92] [INT-134] does not count a step as done after its action failed', async () => {
    const task = await startTask([
      CLICK,
      says({ element: 'f2_9', step_done: true }),
      says({ action: 'scroll', plan: ['Another way'] }),
    ]);
    await task.step(onShop());
    expect(await task.step(onShop({ verification_passed: false }))).toMatchObject({
      plan: { steps: [{ status: 'active' }, {}] },
    });
    expect(await task.step(onShop({ lastActionStatus: 'failure' }))).toMatchObject({
      currentStep: 1,
      plan: { steps: [{ status: 'failed' }, { description: 'Another way', status: 'active' }] },
    });
  });
});

describe('the end', () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };

  test('[INT-121] [INT-135] [INT-136] finish() is bare, with the validated result beside it', async () => {
    const finish = (json: string) =>
      says({ action: 'finish', text: 'It costs 3.', json, plan: ['Read the price', 'Tell it'] });
    const task = await startTask([finish('{"price":"3"}'), finish('not json'), finish('{"price":3}')]);
    expect(await task.step(onShop(), { schema })).toMatchObject({
      action: 'finish()',
      status: 'completed',
      result: { price: 3 },
      plan: { steps: [{ status: 'completed' }, { status: 'completed' }] },
    });
    expect(task.read(2)).toContain('price must be a number');
    task.verify();
  });

  test('[INT-94] a task counts as done only with a confidence of 0.70, and not after a failed action', async () => {
    const sure = says({ action: 'finish', text: 'Done.' });
    const task = await startTask([
      says({ action: 'finish', confidence: 0.69 }),
      CLICK,
      sure,
      says({ action: 'fail', text: 'Out of stock.' }),
    ]);
    expect(await task.step(onShop())).toMatchObject({ action: 'click(7)' });
    const end = await task.step(onShop({ errors_detected: ['Out of stock'] }));
    expect(end).toMatchObject({ action: 'fail()', status: 'failed', reasoning: 'Out of stock.' });
    expect(end).not.toHaveProperty('result');
    task.verify();
  });

  test.each([
    ['steps', { steps: 1 }, 0, 'all 1 steps'],
    ['tokens', { tokens: 1_000 }, 0, '1100 tokens'],
    ['milliseconds', { time_ms: 60_000 }, 60_000, 'all 60 s'],
    ['dollars', { cost: 0.002 }, 0, '$0.00'],
  ])('comes when the %s are used up, and says what was done', async (_name, budgets, later, part) => {
    const prices = { 'compatible/scripted': { input: 1, output: 10 } };
    const task = await startTask([CLICK], { budgets, prices });
    await task.step(onShop());
    expect(task.memory()?.spent).toMatchObject({
      steps: 1,
      input_tokens: 1_000,
      output_tokens: 100,
      cost: 0.002,
    });
    const end = await task.step(onShop({ hasSuccess: true }), { now: Date.UTC(2030, 0, 1) + later });
    expect(end).toMatchObject({ action: 'fail()', status: 'failed' });
    expect(JSON.stringify(end)).toContain(part);
    expect(JSON.stringify(end)).toContain('click(7)');
  });
});

describe('the person', () => {
  test('[INT-137] [INT-138] is asked for missing facts, and answers in the next query', async () => {
    const ask = says({ action: 'ask', text: 'Which lamp?', json: '["the lamp"]' });
    const task = await startTask([ask, CLICK]);
    expect(await task.step(onShop())).toMatchObject({
      status: 'needs_user_input',
      userQuestion: 'Which lamp?',
      missingInformation: ['the lamp'],
    });
    expect(await task.step(onShop({ query: 'the small one' }))).toMatchObject({ action: 'click(7)' });
    expect(task.read(2)).toMatch(/Which lamp\?\n<\/page>\nthe small one/);
    expect(task.read(2)).toContain('TASK\nPut the lamp in the cart');
  });

  test('[INT-137] is asked when nothing works, and the second time the task fails', async () => {
    const tries = ['7', '13', 'f2_9'].map((element) => says({ element }));
    const more = ['navigate', 'navigate', 'navigate'].map((action, index) =>
      says({ action, text: `https://shop.test/${index}` }),
    );
    const task = await startTask([...tries, ...more]);
    const failed = onShop({ lastActionStatus: 'failure' });
    await task.step(onShop());
    await task.step(failed);
    await task.step(failed);
    expect(await task.step(failed)).toMatchObject({
      status: 'needs_user_input',
      missingInformation: ['how to go on'],
    });
    await task.step(onShop(), { said: ['try the address'] });
    await task.step(failed);
    await task.step(failed);
    expect(await task.step(failed)).toMatchObject({ action: 'fail()', status: 'failed' });
    task.verify();
  });

  test('[INT-143] is asked before an irreversible action, unless the client asks itself', async () => {
    const tree = [
      { i: '1', r: 'btn', n: 'Pay now' },
      { i: '2', r: 'link', n: 'Back' },
    ];
    const pay = says({ element: '1' });
    const task = await startTask([pay, pay]);
    const request = onShop({ interactiveTree: tree });
    expect(await task.step(request)).toMatchObject({
      status: 'needs_user_input',
      userQuestion: expect.stringContaining('Press “Pay now” on https://shop.test?'),
    });
    const tools = [
      {
        ...{
          name: 'order.place',
          description: 'Place the order. It is final.',
          effect: 'irreversible' as const,
        },
        inputSchema: { type: 'object' },
      },
    ];
    const order = says({ action: 'call', text: 'order.place', json: '{}' });
    const byTool = await (await startTask([order])).step({ ...request, tools, features: ['call'] });
    expect(byTool).toMatchObject({
      userQuestion: expect.stringContaining('Use “Place the order” on https://shop.test?'),
    });
    expect(await task.step(request, { said: ['yes'] })).toMatchObject({ action: 'click(1)' });
    for (const said of ['No, wait', 'What does it cost?']) {
      const denied = await startTask([pay, pay, says({ element: '2' })]);
      await denied.step(request);
      expect(await denied.step(request, { said: [said] })).toMatchObject({ action: 'click(2)' });
    }
    const granted = await startTask([pay]);
    expect(await granted.step({ ...request, features: ['grants'] })).toMatchObject({ action: 'click(1)' });
  });
});

test('memory and prompt stay small in a long task on huge pages', async () => {
  const long = 'x'.repeat(400);
  const tree = Array.from({ length: 1_000 }, (_, i) => ({ i: `${i}`, r: 'inp', n: long, v: long }));
  const replies = Array.from({ length: 50 }, (_, i) =>
    says({ action: 'setValue', element: `${i}`, text: long }),
  );
  const task = await startTask(replies);
  await task.step(onShop({ interactiveTree: tree }));
  expect(task.read(1)).toContain('(200 more elements are not shown)');
  const page = { verification_passed: true, interactiveTree: tree.slice(0, 50) };
  for (let i = 1; i < replies.length; i++) await task.step(onShop(page));
  await task.step(onShop({ ...page, interactiveTree: tree }));
  expect(JSON.stringify(task.memory()).length).toBeLessThan(200_000);
  expect(task.memory()).toMatchObject({ spent: { steps: 51 }, notes: { log: { length: 40 } } });
});

test('removes a value from memory once a secret field has it', async () => {
  const task = await startTask([
    says({ action: 'setValue', element: '13', text: 'hunter-2' }),
    says({ element: '7' }),
  ]);
  const pin = (more: object) => ({
    interactiveTree: [
      { i: '13', r: 'inp', n: 'PIN', ...more },
      { i: '7', r: 'btn', n: 'Go on' },
    ],
  });
  await task.step(onShop(pin({})));
  await task.step(onShop({ ...pin({ s: 'filled' }), lastActionStatus: 'success' }));
  expect(JSON.stringify(task.memory())).toContain('•••');
  expect(JSON.stringify(task.memory())).not.toContain('hunter-2');
});
