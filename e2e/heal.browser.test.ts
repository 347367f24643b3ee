import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BrowserHarness, startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const PAGE = `<title>Shelf</title><h1>Shelf</h1><div id="shelf"><button onclick="told.textContent += ' kept'">Keep</button></div>
<button onclick="shelf.append(shelf.firstElementChild.cloneNode(true)); shelf.firstElementChild.remove()">Redraw</button>
<button onclick="const one = shelf.firstElementChild; shelf.replaceChildren(one.cloneNode(true), one.cloneNode(true))">Double</button>
<output id="told"></output>`;

let site: Awaited<ReturnType<typeof startSite>>;
let harness: BrowserHarness;
beforeAll(async () => {
  site = await startSite({ '/': PAGE });
  harness = await startBrowserHarness();
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function seen(): Promise<ReadonlyMap<string, string>> {
  const { page } = (await harness.call('page.snapshot')) as {
    page: { interactive_tree: readonly { i: string; n: string }[] };
  };
  return new Map(page.interactive_tree.map(({ i, n }) => [n, i]));
}
const told = async () =>
  ((await harness.call('locator.text_content', { locator: { selector: '#told' } })) as { text: string }).text;

test('[INT-297] an element that an act rendered again keeps its id', async () => {
  await harness.goto(`${site.url}/`);
  const ids = await seen();
  await harness.call('element.click', { id: ids.get('Redraw') });
  const pressed = await harness.call('element.click', { id: ids.get('Keep') });
  expect(pressed).toMatchObject({ id: ids.get('Keep') });
  expect(await told()).toBe('kept');
});

test('[BRG-125] presses neither of two equal candidates', async () => {
  await harness.goto(`${site.url}/?again`);
  const ids = await seen();
  await harness.call('element.click', { id: ids.get('Double') });
  await expect(harness.call('element.click', { id: ids.get('Keep') })).rejects.toMatchObject({
    code: 'target_not_found',
  });
  expect(await told()).toBe('');
});
