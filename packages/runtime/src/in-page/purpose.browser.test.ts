import { expect, test } from 'vitest';
import { drivenWorld } from '../primitives/driven-host.suite.ts';
import { idOf, openTabs, pointOn } from '../primitives/world.suite.ts';

const tabs = openTabs();

const PAGE = `
<form id="login"><label>Password <input id="pw" type="password"></label><button>Sign in</button><button type="button">Help</button></form>
<form id="search"><input id="q" aria-label="Query"><button>Search</button></form>
<div id="pay"><label>Card number <input autocomplete="cc-number"></label><div role="button" tabindex="0">Pay now</div></div>
<main><p>Far away</p><section><div><div><div><div><div><div><button>Like</button></div></div></div></div></div></div></section></main>`;

async function purposes() {
  const world = await drivenWorld(await tabs.show(PAGE));
  const ask = (subject: object) => world.host.callPage('act.purpose', [subject]);
  return { world, ask, of: async (name: string) => ask({ id: await idOf(world, name) }) };
}

test('a button says what it sends, and whether that is sensitive', async () => {
  const { of } = await purposes();
  expect(await of('Sign in')).toEqual({ label: 'Sign in', submits: true, sensitive: true, secret: false });
  expect(await of('Help')).toMatchObject({ submits: false, sensitive: true });
  expect(await of('Search')).toEqual({ label: 'Search', submits: true, sensitive: false, secret: false });
  expect(await of('Password')).toMatchObject({ secret: true, submits: true, sensitive: true });
});

test('without a form, what stands beside a card number is taken to send it', async () => {
  const { of } = await purposes();
  expect(await of('Pay now')).toMatchObject({ label: 'Pay now', submits: true, sensitive: true });
  expect(await of('Like')).toMatchObject({ submits: false, sensitive: false });
});

test('a point and the focus are asked about too', async () => {
  const { ask, world } = await purposes();
  expect(await ask(await pointOn(world, '#login button'))).toMatchObject({ label: 'Sign in', submits: true });
  await world.run('dom.focus', { locator: { selector: '#q' } });
  expect(await ask({ focused: true })).toMatchObject({ label: 'Query', submits: true, sensitive: false });
});

test('what was drawn anew is found again, and of what is gone nothing is claimed', async () => {
  const { ask, world } = await purposes();
  const id = await idOf(world, 'Search');
  await world.tab.evaluate(() => {
    const old = document.querySelector('#search button');
    old?.replaceWith(old.cloneNode(true));
  });
  expect(await ask({ id })).toMatchObject({ label: 'Search', submits: true });
  await world.tab.evaluate(() => document.querySelector('#search')?.remove());
  expect(await ask({ id })).toBeNull();
});
