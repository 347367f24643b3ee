import { expect, test } from 'vitest';
import { onShop, says, startTask } from '../test/brain-fixtures.ts';
import { atomicSteps } from './atomic-steps.ts';

test.each([
  ['Type Ada and press Send', ['Type Ada', 'Press Send']],
  ['Open the cart, then check the box; click Pay', ['Open the cart', 'Check the box', 'Click Pay']],
  ['Go to the shop and then search for lamps', ['Go to the shop', 'Search for lamps']],
  ['Type "Ada and press Send" and press Enter', ['Type "Ada and press Send"', 'Press Enter']],
  ['Press Pay', ['Press Pay']],
  ['Select black and white', ['Select black and white']],
  ['Compare the prices and open the cheapest', ['Compare the prices and open the cheapest']],
  ['Search and click', ['Search and click']],
])('[INT-332] the step %j of a plan becomes %j', (step, parts) => expect(atomicSteps(step)).toEqual(parts));

test('[INT-332] a plan has one browser action in each step, and goes on by them', async () => {
  const task = await startTask([
    says({ element: '7', plan: ['Type a lamp and press Search', 'Open the cart'] }),
    says({ element: '13', step_done: true }),
  ]);
  const first = await task.step(onShop());
  expect(first.plan?.steps.map(({ description }) => description)).toEqual([
    'Type a lamp',
    'Press Search',
    'Open the cart',
  ]);
  const moved = onShop({ url: 'https://shop.test/search', lastActionStatus: 'success' });
  expect((await task.step(moved)).plan).toMatchObject({
    currentStepIndex: 1,
    steps: [{ status: 'completed' }, { status: 'active' }, { status: 'pending' }],
  });
});
