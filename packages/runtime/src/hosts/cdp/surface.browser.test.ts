import type { PreparedPress } from '@drawbridge/page';
import { expect, test } from 'vitest';
import { next, setUpTabs, startSite } from '../../../test/hosts/cdp/tab-harness.ts';
import { DocumentLeft, type HostEvent } from '../../host.ts';

const { visit, running } = setUpTabs();

test('[BRG-35] keeps runtime key and surface of a tab across navigations', async () => {
  await using tab = await visit('/');
  const { runtimeKey } = tab.host;
  const { url } = running().shop;
  await tab.tabs.navigate({ url: `${url}/cart` });
  // Another site, so another renderer.
  await tab.tabs.navigate({ url: `${running().shop.payUrl}/card?amount=100` });
  expect(tab.host.runtimeKey).toBe(runtimeKey);
  expect(tab.host.surface().url).toBe(`${running().shop.payUrl}/card?amount=100`);
  expect(running().browser.surfaces()).toContain(tab.host);
  expect(await tab.text()).toContain('Harbour Pay');
});

test('reports the effect of a press, which the page sees as trusted', async () => {
  await using tab = await visit('/corners/dialogs');
  const done = await tab.click('Open a modal dialog');
  expect(done).toMatchObject({ ok: true, fidelity: 'trusted' });
  expect(await tab.text()).toContain('Remove the lamp from your list?');
});

const SLIDING = `<!doctype html><style>@keyframes in { from { translate: 500px } }</style>
  <button onclick="this.style.animation = 'in 300ms'">Slide</button>`;

test('presses a sliding element where it stops', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(SLIDING);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const id = await tab.idOf('Slide');
  const prepare = async () =>
    asPreparedPress(await tab.host.callPage('act.prepare_press', [id, { button: 'left' }]));
  const { point } = await prepare();
  await tab.host.input?.press({ ...point, button: 'left', count: 1, modifiers: [] });
  expect(await prepare()).toMatchObject({ ok: true, point });
});

/** Trusted: page code is ours. */
function asPreparedPress(answer: unknown): PreparedPress {
  return (answer as { readonly press: PreparedPress }).press;
}

test('keeps an id on its element for the life of the document', async () => {
  await using tab = await visit('/corners/dialogs');
  const before = await tab.idOf('Alert');
  await tab.click('Open a modal dialog');
  await tab.click('Keep it');
  expect(await tab.idOf('Alert')).toBe(before);
});

test('ends a call when the page navigates, and readies the next document', async () => {
  await using tab = await visit('/');
  const events: string[] = [];
  tab.host.onEvent(({ kind }) => events.push(kind));
  const waiting = tab.host.callPage('untilStable', [{ quietMs: 20_000, timeoutMs: 25_000 }]);
  const failed = expect(waiting).rejects.toBeInstanceOf(DocumentLeft);
  await tab.tabs.navigate({ url: `${running().shop.url}/cart` });
  await failed;
  expect(events.filter((kind) => kind !== 'moved')).toEqual(['ready', 'left', 'ready']);
});

test('waits for a loading document', async () => {
  await using tab = await visit('/');
  const left = next(tab.host, 'left');
  const going = tab.tabs.navigate({ url: `${running().shop.url}/cart` });
  await left;
  expect(await tab.text()).toContain('Cart');
  await going;
});

test('reports a new address or title within the same document', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>One</title><button onclick="history.pushState(0, '', '/two')">Go</button>
      <button onclick="document.title = 'Two'">Name</button>
      <button onclick="document.head.outerHTML = '<head><title>Three'">Head</button>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const moved = next(tab.host, 'moved');
  await tab.press('Go');
  expect(await moved).toMatchObject({ url: `${site.url}/two`, title: 'One' });
  const named = next(tab.host, 'moved', ({ title }) => title === 'Two');
  await tab.press('Name');
  expect(await named).toMatchObject({ url: `${site.url}/two` });
  const replaced = next(tab.host, 'moved', ({ title }) => title === 'Three');
  await tab.press('Head');
  await replaced;
  await tab.tabs.navigate({ back: true });
  expect(tab.host.surface().url).toBe(`${site.url}/`);
});

test('forwards notices of page code as they happen', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<button onclick="document.dispatchEvent(new CustomEvent('x:opened'))">Open</button>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const signal = { name: 'launcher.opened', event: 'x:opened', ingestion: 'enabled' };
  await tab.host.callPage('listenForSignals', [[signal]]);
  const notice = next(tab.host, 'notice');
  await tab.press('Open');
  expect((await notice).notice).toMatchObject({ type: 'signal', event: 'x:opened' });
});

test('hides the isolated world from the page', async () => {
  await using site = await startSite((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<button onclick="look()">Look</button><output></output><script>
      const before = new Set(Reflect.ownKeys(globalThis));
      function look() {
        const names = Reflect.ownKeys(globalThis).filter((name) => !before.has(name)).map(String);
        const symbols = ['page', 'options', 'start', 'titled'].filter((name) => Symbol.for('drawbridge.' + name) in globalThis);
        const bindings = Object.getOwnPropertyNames(window).filter((name) => /drawbridge/i.test(name));
        document.querySelector('output').value = JSON.stringify({ names, symbols, bindings });
      }
    </script>`);
  });
  await using tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  await tab.click('Look');
  expect(await tab.text()).toContain('{"names":[],"symbols":[],"bindings":[]}');
});

test('passes on the code of a page error', async () => {
  await using tab = await visit('/');
  await expect(tab.host.callPage('constructor', [])).rejects.toMatchObject({ code: 'unknown_action' });
  await expect(tab.host.callPage('selectorPath', ['999'])).rejects.toMatchObject({
    code: 'target_not_found',
    evidence: { id: '999' },
  });
});

test('ends a cancelled call at once', async () => {
  await using tab = await visit('/');
  const waiting = tab.host.callPage('untilStable', [{ quietMs: 20_000 }], AbortSignal.abort());
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
});

test('sends trusted keys and text', async () => {
  await using tab = await visit('/');
  await tab.click('Search the shop');
  await tab.host.input?.insertText('lamp');
  await tab.host.input?.keys('Control+a');
  await tab.host.input?.keys('k');
  const ready = next(tab.host, 'ready');
  await tab.host.input?.keys('Enter');
  const { url }: Extract<HostEvent, { kind: 'ready' }> = await ready;
  expect(new URL(url).searchParams.get('q')).toBe('k');
});
