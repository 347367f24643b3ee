import { primitivesFor } from '@drawbridge/protocol/primitives';
import { expect, test } from 'vitest';
import { embedScript } from '../../bundle/runtime-bundle.ts';
import { openTabs, pointOn, worldInPage } from '../../primitives/world.suite.ts';

const tabs = openTabs();

test('[BRG-95] [BRG-97] the embed host does not offer pictures, and says so when asked', async () => {
  const world = await worldInPage(await tabs.show(), 'embed');
  expect(primitivesFor('embed').map(({ name }) => name)).not.toContain('browser.screenshot');
  await expect(world.run('browser.screenshot', {})).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'browser.screenshot', host: 'embed' },
  });
});

test('[BRG-96] page script alone observes and points, and has no tabs', async () => {
  const world = await worldInPage(await tabs.show(), 'embed');
  expect(await world.run('dom.observe.visible', { selector: '#add' })).toMatchObject({ match_count: 1 });
  expect(await world.run('pointer.click', await pointOn(world, '#add'))).toMatchObject({
    fidelity: 'synthetic',
  });
  expect(await world.tab.locator('#count').textContent()).toBe('1');
  for (const [name, args] of [
    ['browser.claimed_tabs.list', {}],
    ['browser.claimed_tabs.activate', { tab_id: '1' }],
    ['browser.navigate', { url: 'https://page.test/next' }],
    ['browser.open_tab', {}],
    ['browser.close_tab', {}],
    ['browser.dismiss_dialog', {}],
  ] as const) {
    await expect(world.run(name, args)).rejects.toMatchObject({
      code: 'capability_unavailable',
      evidence: { capability: name, host: 'embed' },
    });
  }
  await expect(world.run('keyboard.press', { key: 'a', trusted: true })).rejects.toMatchObject({
    code: 'capability_unavailable',
    evidence: { capability: 'trusted_input', host: 'embed' },
  });
});

test('one script lends the page once, tells what happens, and leaves nothing behind', async () => {
  const tab = await tabs.show('<title>Shop</title><button>Buy</button>');
  const before = await tab.content();
  const { code } = await embedScript();
  const heard = await tab.evaluate(async (script) => {
    const tag = document.createElement('script');
    tag.textContent = script;
    document.head.append(tag);
    tag.remove();
    const { startEmbed } = Reflect.get(globalThis, 'drawbridge');
    const sent: unknown[] = [];
    const events: string[] = [];
    const options = {
      window,
      connect: () => ({
        send: (item: unknown) => sent.push(item),
        onItem: () => () => {},
        close: () => sent.push('closed'),
      }),
      serve: (
        host: { kind: string; onEvent: (listener: (event: { kind: string }) => void) => void },
        link: { send: (item: unknown) => void },
      ) => {
        link.send(host.kind);
        host.onEvent(({ kind }) => events.push(kind));
        return { close: async () => {} };
      },
    };
    const embed = startEmbed(options);
    const again = startEmbed(options) === embed;
    const { page } = await embed.host.callPage('snapshot', [{}]);
    history.pushState({}, '', '/aisle');
    document.title = 'Aisle';
    // The observer of the title tells in a microtask.
    await Promise.resolve();
    await embed.close();
    await embed.close();
    return {
      sent,
      events,
      again,
      names: page.interactive_tree.map(({ n }: { n: string }) => n),
      key: embed.host.runtimeKey,
    };
  }, code);
  expect(heard).toMatchObject({
    sent: ['embed', 'closed'],
    again: true,
    names: ['Buy'],
    events: ['moved', 'moved', 'closed'],
  });
  expect(heard.key).toMatch(/^embed:/);
  expect(await tab.content()).toBe(before.replace('<title>Shop', '<title>Aisle'));
});
