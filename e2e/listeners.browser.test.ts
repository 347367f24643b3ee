import { expect, test } from 'vitest';
import { LISTENER_PAGE } from '../packages/page/src/perceive/listener-cases.suite.ts';
import { startRig } from './rig.suite.ts';
import { startSite } from './site.suite.ts';

const { html, styles } = LISTENER_PAGE;
const ids = styles.flatMap((style) => style.ids);
const script = styles
  .filter(({ attach }) => attach !== '')
  .map((style) => `${JSON.stringify(style.ids)}.forEach((id, at) => ${style.attach}(cases[id - 1], at));`)
  .join('\n');
const PAGE = `<title>Listeners</title>${html}<div>Case 66, which does not listen</div>
<script>const cases = [...document.querySelectorAll('[data-case]')];\n${script}</script>`;

/** They tell only by properties of the page's own world, which page code in a world of its own does not see. */
const BY_PROPERTY = new Set(
  styles
    .filter(({ name }) => /^(?:React|Vue \d|Svelte 5|Solid|Preact|Angular|jQuery.*)$/.test(name))
    .flatMap((style) => style.ids),
);

test('[INT-215] of 65 elements that only listen, a browser over CDP announces at least 43, and nothing else', async () => {
  await using site = await startSite({ '/': PAGE });
  await using rig = await startRig();
  await rig.goto(`${site.url}/`);
  const announced = async () => {
    const { page } = (await rig.call('page.snapshot', { scope: 'page' })) as {
      page: { interactive_tree: { n: string }[] };
    };
    return page.interactive_tree.map(({ n }) => /^Case (\d+)/.exec(n)?.[1] ?? n);
  };
  const missing = async () => {
    const found = await announced();
    return ids.filter((id) => !found.includes(id) && !BY_PROPERTY.has(id));
  };
  expect([ids.length, ids.length - BY_PROPERTY.size]).toEqual([65, 43]);
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
  expect((await announced()).filter((id) => !ids.includes(id))).toEqual([]);
});
