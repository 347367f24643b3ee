import { expect, test } from 'vitest';
import { setUpTabs, startSite } from '../../test/hosts/cdp/tab-harness.ts';
import { HAND_FIELDS } from '../../test/primitives/hand-fields.ts';
import { runtimeOn } from '../../test/surface/runtime-harness.ts';
import { singleMap } from '../maps/map-source.ts';

const { visit } = setUpTabs();

const tool = (name: string, label: string, text: string) => ({
  name,
  description: 'Sets a field.',
  input_schema: { type: 'object' },
  workflow: {
    version: 1,
    expression_language: 'jsonata',
    steps: [
      { id: 'field', primitive: 'locator.element_info', args: { locator: { name: label } } },
      { id: 'set', primitive: 'element.fill', args: { id: '{% steps.field.output.id %}', text } },
    ],
  },
  x_actions: { effect: 'act' },
});

async function start() {
  const site = await startSite((_, response) =>
    response.setHeader('content-type', 'text/html').end(HAND_FIELDS),
  );
  const tab = await visit('/');
  const map = {
    ...{ protocol: 'actions.json', version: 1, surface: { origin: site.url } },
    tools: [tool('mouse.set', 'Mouse', '45'), tool('day.set', 'Day', '2026-01-31')],
  };
  const served = runtimeOn(tab.host, { maps: singleMap(map) });
  await tab.tabs.navigate({ url: site.url });
  return {
    ...served,
    tab,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await tab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('[BRG-209] sliders, dates and colours are set as a hand does where the page hears nothing else', async () => {
  await using page = await start();
  const fill = async (name: string, text: string) =>
    page.call('element.fill', { id: await page.tab.idOf(name), text });
  expect(await fill('Mouse', '45')).toMatchObject({ output: { action: 'fill', by: 'dragging' } });
  await page.tab.waitForText('mouse set to 45');
  expect(await fill('Day', '2026-01-31')).toMatchObject({ output: { action: 'fill', by: 'keys' } });
  await page.tab.waitForText('day set to 2026-01-31');
  expect(await fill('Paint', '#63584d')).toMatchObject({ output: { action: 'fill', by: 'keys' } });
  await page.tab.waitForText('paint set to #63584d');
  expect(await fill('Divider', '260')).toMatchObject({ output: { action: 'fill', by: 'dragging' } });
  await page.tab.waitForText('divider at 260');
  const plain = await fill('Plain', '2026-12-31');
  expect(plain).toMatchObject({ output: { reads: '2026-12-31' } });
  expect(plain).not.toHaveProperty('output.by');
  expect(page.questions).toEqual([]);
});

test('[BRG-209] a fill stands when only the keys after it fail, and says so', async () => {
  await using page = await start();
  const id = await page.tab.idOf('Locked');
  expect(await page.call('element.fill', { id, text: '2026-01-31' })).toMatchObject({
    output: { action: 'fill', reads: '2026-01-31', by_hand_failed: expect.stringContaining('disabled') },
  });
});

test('[BRG-209] so it is as a step of a map', async () => {
  await using page = await start();
  await page.announced((names) => names.includes('day.set'));
  await page.call('mouse.set');
  await page.tab.waitForText('mouse set to 45');
  await page.call('day.set');
  await page.tab.waitForText('day set to 2026-01-31');
});
