import { systemClock } from '@drawbridge/link';
import { expect, test } from 'vitest';
import { setUpTabs, startSite } from '../../test/hosts/cdp/tab-harness.ts';
import { createStores } from './primitive-context.ts';
import { runPrimitive } from './run-primitive.ts';

const { running } = setUpTabs();
const SLOW_MS = 700;

/** A site with a slow second page. */
const site = () =>
  startSite(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    const page =
      url === '/' ? '<title>One</title><a href="/two">Go on</a> <p>Stay</p>' : '<title>Two</title>';
    setTimeout(() => response.end(page), url === '/' ? 0 : SLOW_MS);
  });

test('reports the destination of a press, and ends when the slow page is ready', async () => {
  await using slow = await site();
  const [first] = running().browser.surfaces();
  const opened = await first?.tabs?.open(`${slow.url}/`, true);
  const host = running()
    .browser.surfaces()
    .find(({ runtimeKey }) => runtimeKey === `cdp-tab:${opened?.tab_id}`);
  if (host === undefined) throw new Error('The tab has no surface.');
  const context = {
    host,
    clock: systemClock,
    signal: new AbortController().signal,
    stores: createStores(systemClock.now),
  };
  const { page } = (await runPrimitive('page.snapshot', {}, context)) as {
    page: { interactive_tree: { i: string; n: string }[] };
  };
  const id = page.interactive_tree.find(({ n }) => n === 'Go on')?.i;
  expect(await runPrimitive('element.click', { id }, context)).toMatchObject({
    effect: { navigation: 'document', url: { from: `${slow.url}/`, to: `${slow.url}/two` } },
  });
  expect(await runPrimitive('page.info', {}, context)).toMatchObject({ title: 'Two' });
});
