import { describe, expect, test } from 'vitest';
import { drivenHarness } from '../../test/primitives/driven-host.ts';
import {
  harnessInPage,
  openTabs,
  type PrimitiveHarness,
  pointOn,
  type Tab,
} from '../../test/primitives/primitive-harness.ts';

const tabs = openTabs();

const WORLDS = [
  { host: 'direct', start: (tab: Tab) => harnessInPage(tab, 'direct') },
  { host: 'cdp', start: (tab: Tab): Promise<PrimitiveHarness> => drivenHarness(tab) },
] as const;

const SHOWN = [
  { said: 'Your verification code is 482913', secret: '482913' },
  { said: 'Your code is 482 913', secret: '482 913' },
  { said: 'Charged to 4242 4242 4242 4242 today', secret: '4242 4242 4242 4242' },
];

/** The same words in every place that a primitive reads, followed by innocent text. */
const saying = (sent: string) => `<title>${sent}</title>
<section id="said" aria-label="${sent}" title="${sent}" data-said="${sent}" tabindex="0">
  <h2>${sent}</h2><p>${sent}</p>
</section>
<label>Note <input id="note" value="${sent}"></label>
<textarea id="letter" aria-label="Letter">${sent}</textarea>
<div style="height:200px"></div>
<p>Spades, rakes and hoes are on the second shelf. Seeds are sold by weight. Whoever brings a pot back gets another
one for it, and a cup of tea besides, on every day but Monday.</p>
<p>Invoice 20264711</p>`;

describe.each(WORLDS)('on the $host host', ({ start }) => {
  test.each(SHOWN)(
    '[BRG-126] every primitive reports "$said", which is text of the page',
    async ({ said, secret }) => {
      const harness = await start(await tabs.show(saying(said)));
      const locator = { selector: '#said' };
      const point = await pointOn(harness, '#said');
      const copied = async (selector: string) => {
        await harness.run('text.select', { target: { selector } });
        return harness.run('clipboard.copy', {});
      };
      const delivered = {
        info: await harness.run('page.info', {}),
        fetched: await harness.run('page.fetch', { url: '/' }),
        element: await harness.run('locator.element_info', { locator }),
        text: await harness.run('locator.text_content', { locator }),
        value: await harness.run('locator.value', { locator: { selector: '#note' } }),
        letter: await harness.run('locator.value', { locator: { selector: '#letter' } }),
        visible: await harness.run('dom.observe.visible', { selector: '#said, p, input, textarea' }),
        attributes: await harness.run('dom.observe.attributes', {
          selector: '#said, #note',
          attributes: ['text', 'title', 'aria-label', 'data-said', 'value'],
        }),
        snapshot: await harness.run('dom.snapshot_text', {}),
        sections: await harness.run('dom.list_sections', {}),
        clicked: await harness.run('pointer.click', point),
        doubleClicked: await harness.run('pointer.double_click', point),
        dragged: await harness.run('pointer.drag', { from: locator, to: { selector: '#note' } }),
        copied: await copied('#letter'),
      };
      for (const [name, answer] of Object.entries(delivered)) {
        if (name !== 'dragged') expect(JSON.stringify(answer), name).toContain(secret);
      }
    },
  );

  test("[BRG-126] returns a caller's argument unchanged, even when it names a secret", async () => {
    const harness = await start(await tabs.show('<button id="password2-show">Show</button>'));
    const locator = { selector: '#password2-show' };
    expect(await harness.run('locator.text_content', { locator })).toEqual({ locator, text: 'Show' });
    await expect(
      harness.run('locator.text_content', { locator: { selector: '#password2-gone' } }),
    ).rejects.toMatchObject({ evidence: { locator: { selector: '#password2-gone' } } });
  });
});
