import { LISTENER_PAGE } from '@drawbridge/page/test/perceive/listener-cases';
import { expect, test } from 'vitest';
import { startBrowserHarness } from './browser-harness.ts';
import { startSite } from './site.ts';

const { html, styles } = LISTENER_PAGE;
const ids = styles.flatMap((style) => style.ids);
const script = styles
  .filter(({ attach }) => attach !== '')
  .map((style) => `${JSON.stringify(style.ids)}.forEach((id, at) => ${style.attach}(cases[id - 1], at));`)
  .join('\n');
const PAGE = `<title>Listeners</title>${html}<div>Case 66, which does not listen</div>
<script>const cases = [...document.querySelectorAll('[data-case]')];\n${script}</script>`;

test('[INT-215] a browser over CDP announces at least 60 of 65 elements that have only listeners, and nothing else', async () => {
  await using site = await startSite({ '/': PAGE });
  await using harness = await startBrowserHarness();
  await harness.goto(`${site.url}/`);
  const announced = async () => {
    const { page } = (await harness.call('page.snapshot', { scope: 'page' })) as {
      page: { interactive_tree: { n: string }[] };
    };
    return page.interactive_tree.map(({ n }) => /^Case (\d+)/.exec(n)?.[1] ?? n);
  };
  const found = async () => new Set(await announced()).size;
  expect(ids).toHaveLength(65);
  await expect.poll(found, { timeout: 20_000 }).toBeGreaterThanOrEqual(60);
  expect((await announced()).filter((id) => !ids.includes(id))).toEqual([]);
});
