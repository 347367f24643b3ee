import { expect, test } from 'vitest';
import { setUpTabs } from '../../test/hosts/cdp/tab-harness.ts';
import { runtimeOn } from '../../test/surface/runtime-harness.ts';

const { visit } = setUpTabs({ args: ['--disable-features=WebMCP'] });

test('[BRG-156] announces the same without WebMCP as before', async () => {
  await using tab = await visit('/');
  await using served = runtimeOn(tab.host, { offerToPage: true });
  expect(await served.announced(() => true)).toEqual([]);
  expect(await tab.host.callPage('webtools.list', [{}])).toEqual([]);
  expect(await served.call('webmcp.any')).toMatchObject({ error: { code: 'unknown_action' } });
  expect(await served.call('page.info')).toMatchObject({ output: { url: tab.host.surface().url } });
  expect(served.items.filter(({ type }) => type === 'action_error')).toHaveLength(1);
});
