import { type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderingBrain } from '../../gallery/ordering-brain.ts';
import {
  type ExtensionHarness,
  type PairedRelay,
  startExtensionHarness,
  startPairRelay,
} from '../../test/extension-harness.ts';

const { brain, hold } = orderingBrain();
let shop: Shop;
let paired: PairedRelay;
let harness: ExtensionHarness;
beforeAll(async () => {
  [shop, paired, harness] = await Promise.all([
    startShop(),
    startPairRelay({ brain: () => brain }),
    startExtensionHarness(),
  ]);
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await paired?.[Symbol.asyncDispose]();
  await shop?.close();
});

test('the real pages pair, lend, run a task with question and permission, and survive a reload and a stopped worker', async () => {
  const faults: string[] = [];
  harness.context.on('weberror', (error) => faults.push(error.error().message));
  harness.context.on('console', (message) => {
    if (/Content Security Policy|Warning:/.test(message.text())) faults.push(message.text());
  });
  const options = await harness.open(`chrome-extension://${harness.id}/options.html`);
  await options.getByLabel('Pairing link').fill(await paired.pairLink());
  await options.getByRole('button', { name: 'Pair', exact: true }).click();
  await options.getByText('Paired as').waitFor();

  const tab = await harness.open(`${shop.url}/products/dusk-table-lamp`);
  const url = `chrome-extension://${harness.id}/sidepanel.html?tab=${await harness.tabIdOf(tab)}`;
  const [panel] = await Promise.all([
    harness.context.waitForEvent('page'),
    harness.inExtension(async (to) => void (await chrome.windows.create({ url: to, type: 'popup' })), url),
  ]);
  await panel.getByRole('button', { name: 'Lend this tab' }).click();
  const composer = panel.getByLabel('Task or message');
  await panel.getByText('Describe a task for this page').waitFor();
  await composer.fill('Order the Dusk table lamp');
  await composer.press('Enter');
  await panel.getByText('Press “Add to cart”').first().waitFor();
  const decision = panel.getByRole('region', { name: 'Needs your decision' });
  await decision.getByText(/This sends a form to/).waitFor();
  await panel.locator('[data-armed=true]').first().waitFor();
  await decision.getByRole('button', { name: 'Allow once' }).click();
  await hold.reached;
  hold.open();

  const question = panel.getByRole('form', { name: 'The agent has a question' });
  await question.getByText('Which one?').waitFor();
  await harness.killWorker();
  await panel.getByRole('button', { name: 'Connection: Live' }).waitFor();
  await question.getByLabel('Your answer').fill('Standard, please.');
  await question.getByRole('button', { name: 'Answer' }).click();
  await decision.getByText('Press “Checkout”').waitFor();
  await decision.getByText(shop.url, { exact: true }).first().waitFor();
  await panel.locator('[data-armed=true]').first().waitFor();
  await decision.getByRole('button', { name: 'Allow once' }).click();
  await panel.getByRole('region', { name: 'Task completed' }).waitFor();
  await panel.getByText('COMPLETED', { exact: true }).waitFor();
  expect(tab.url()).toBe(`${shop.url}/checkout`);

  await panel.reload();
  await panel.getByText('Standard, please.').waitFor();
  await panel.getByRole('region', { name: 'Task completed' }).waitFor();
  await panel.getByRole('button', { name: 'Release' }).click();
  await panel.getByText('Not lent').waitFor();
  expect(faults).toEqual([]);
});
