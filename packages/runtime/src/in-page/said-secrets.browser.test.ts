import { describe, expect, test } from 'vitest';
import { drivenWorld } from '../primitives/driven-host.suite.ts';
import { openTabs, pointOn, type Tab, type World, worldInPage } from '../primitives/world.suite.ts';

const tabs = openTabs();

const WORLDS = [
  { host: 'direct', start: (tab: Tab) => worldInPage(tab, 'direct') },
  { host: 'cdp', start: (tab: Tab): Promise<World> => drivenWorld(tab) },
] as const;

const SHOWN = [
  { said: 'Your verification code is 482913', secret: '482913' },
  { said: 'Your code is 482 913', secret: '482 913' },
  { said: 'Charged to 4242 4242 4242 4242 today', secret: '4242 4242 4242 4242' },
];

/** The same words in every place that a primitive reads, followed by innocent text. */
const saying = (said: string) => `<title>${said}</title>
<section id="said" aria-label="${said}" title="${said}" data-said="${said}" tabindex="0">
  <h2>${said}</h2><p>${said}</p>
</section>
<label>Note <input id="note" value="${said}"></label>
<textarea id="letter" aria-label="Letter">${said}</textarea>
<div style="height:200px"></div>
<p>Spades, rakes and hoes are on the second shelf. Seeds are sold by weight. Whoever brings a pot back gets another
one for it, and a cup of tea besides, on every day but Monday.</p>
<p>Invoice 20264711</p>`;

describe.each(WORLDS)('on the $host host', ({ start }) => {
  test.each(SHOWN)(
    '[BRG-126] every primitive reports "$said", which is text of the page',
    async ({ said, secret }) => {
      const world = await start(await tabs.show(saying(said)));
      const locator = { selector: '#said' };
      const point = await pointOn(world, '#said');
      const copied = async (selector: string) => {
        await world.run('text.select', { target: { selector } });
        return world.run('clipboard.copy', {});
      };
      const told = {
        info: await world.run('page.info', {}),
        fetched: await world.run('page.fetch', { url: '/' }),
        element: await world.run('locator.element_info', { locator }),
        text: await world.run('locator.text_content', { locator }),
        value: await world.run('locator.value', { locator: { selector: '#note' } }),
        letter: await world.run('locator.value', { locator: { selector: '#letter' } }),
        visible: await world.run('dom.observe.visible', { selector: '#said, p, input, textarea' }),
        attributes: await world.run('dom.observe.attributes', {
          selector: '#said, #note',
          attributes: ['text', 'title', 'aria-label', 'data-said', 'value'],
        }),
        snapshot: await world.run('dom.snapshot_text', {}),
        sections: await world.run('dom.list_sections', {}),
        clicked: await world.run('pointer.click', point),
        doubleClicked: await world.run('pointer.double_click', point),
        dragged: await world.run('pointer.drag', { from: locator, to: { selector: '#note' } }),
        copied: await copied('#letter'),
      };
      for (const [name, answer] of Object.entries(told)) {
        if (name !== 'dragged') expect(JSON.stringify(answer), name).toContain(secret);
      }
    },
  );

  test("[BRG-126] returns a caller's argument unchanged, even when it names a secret", async () => {
    const world = await start(await tabs.show('<button id="password2-show">Show</button>'));
    const locator = { selector: '#password2-show' };
    expect(await world.run('locator.text_content', { locator })).toEqual({ locator, text: 'Show' });
    await expect(
      world.run('locator.text_content', { locator: { selector: '#password2-gone' } }),
    ).rejects.toMatchObject({ evidence: { locator: { selector: '#password2-gone' } } });
  });
});
