import { expect, test } from 'vitest';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import { openTabs } from '../../test/primitives/primitive-harness.ts';

const tabs = openTabs();

test.each(['elementOf', 'elementsBy', 'focused', 'cleaner', 'registry', 'world', 'page'])(
  '[BRG-76] %s, which code in the page has for itself, cannot be called by a host',
  async (name) => {
    const { host } = await drivenHarness(await tabs.show());
    await expect(host.callPage(name, ['1'])).rejects.toMatchObject({ code: 'unknown_action' });
  },
);

test('[BRG-124] finds each element once, through shadow roots and frames', async () => {
  const harness = await drivenHarness(
    await tabs.show(`<x-card><template shadowrootmode="open"><p class="found">Inside</p></template></x-card>
      <p class="found">Outside</p><iframe srcdoc="<p class=found>Framed</p>"></iframe>`),
  );
  const texts = async (selector: string, frame?: string) => {
    const args = { selector, attributes: ['text'], ...(frame !== undefined && { frame }) };
    const { matches } = await harness.run('dom.observe.attributes', args);
    return matches.map(({ attributes }) => attributes['text']);
  };
  expect(await texts('.found')).toEqual(['Outside', 'Inside']);
  expect(await texts('x-card >>> .found')).toEqual(['Inside']);
  expect(await texts('.found', 'iframe')).toEqual(['Framed']);
  await expect(texts('input[value^=a]')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(texts('.found', '#none')).rejects.toMatchObject({ evidence: { reason: 'frame_not_found' } });
});
