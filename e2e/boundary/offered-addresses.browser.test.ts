import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answeringPerson, type BrowserHarness, startBrowserHarness } from '../browser-harness.ts';

const DELETING = '/account/delete?confirm=1&n=7';
const link = `<a href="${DELETING.replace('&', '&amp;')}">Delete account</a>`;
const PAGES = {
  '/link': `${link}<a href="/read?n=7">Read more</a>`,
  '/icon': `<a href="/got/x1?n=7" aria-label="Unsubscribe"><svg width="9" height="9"></svg></a>`,
  '/form': `<form action="/got/x2"><input type="hidden" name="id" value="7"><button>Transfer funds</button></form>
<form action="/got/search"><input name="q" aria-label="Find"><button>Find</button></form>`,
  '/shadow': `<div id="host"></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = \`${link}\`</script>`,
  '/based': `<base href="/account/"><a href="delete?confirm=1&amp;n=7">Delete account</a>`,
  '/framed': `<iframe width="300" height="200" srcdoc='${link}'></iframe>`,
  '/itself': `<a href="#" onclick="return false">Delete account</a><a href="/itself">Delete account</a>`,
  '/rails': `<a href="/orders/7" data-method="delete">Delete</a>`,
  '/editor': `${link}<div contenteditable id="editor" aria-label="Editor" style="font-size:60px"
    oninput="const [, to, text] = /(\\S+) (\\S+)!/.exec(this.textContent) ?? []; if (to) this.innerHTML = '<a href=' + to + '>' + text + '</a>'"></div>`,
  '/calm': 'Calm',
};

const got: string[] = [];
let url = '';
let harness: BrowserHarness;
const person = answeringPerson(() => 'deny');
const server = createServer((request, response) => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://site');
  // Full Chromium asks for it by itself.
  if (pathname !== '/favicon.ico') got.push(`${pathname}${search}`);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>T</title>${Reflect.get(PAGES, pathname) ?? 'Done'}`);
});

beforeAll(async () => {
  url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  harness = await startBrowserHarness({ asker: person });
});
afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

async function questionsOf(path: string, name: string, to: string): Promise<string[]> {
  await harness.goto(`${url}${path}`);
  got.length = 0;
  person.asked.length = 0;
  const given = name === 'page.fetch' ? to : `${url}${to}`;
  const answer = await harness.call(name, { url: given }).catch((error: unknown) => error);
  const isDenied = Reflect.get(Object(answer), 'code') === 'permission_denied';
  if (isDenied === got.length > 0) throw new Error(`${name} ${to}: ${String(answer)}`);
  return person.asked.map(({ sentence }) => sentence);
}

const labelled = (name: string, label: string) => `${name} on “${label}” at ${url}. This can’t be undone.`;

test('[BRG-128] asks about an address that the page offers as about the press on it', async () => {
  for (const name of ['browser.navigate', 'browser.open_tab', 'page.fetch'])
    expect(await questionsOf('/link', name, DELETING)).toEqual([labelled(name, 'Delete account')]);
  expect(person.asked[0]?.destination).toBe(`${url}${DELETING}`);
  for (const [path, to, label] of [
    ['/link', '/account/./delete/?n=7&confirm=1#top', 'Delete account'],
    ['/link', '/account/%64elete?confirm=1&n=8&more', 'Delete account'],
    ['/link', '/account;v=1/delete;x?n=7&confirm=1', 'Delete account'],
    ['/icon', '/got/x1?n=7', 'Unsubscribe'],
    ['/form', '/got/x2?id=7', 'Transfer funds'],
    ['/shadow', DELETING, 'Delete account'],
    ['/framed', DELETING, 'Delete account'],
  ] as const)
    expect(await questionsOf(path, 'page.fetch', to)).toEqual([labelled('page.fetch', label)]);
});

test('[BRG-128] resolves a fetched address as the page does, and by the page that the tab has left', async () => {
  await harness.goto(`${url}/based`);
  await expect(harness.call('page.fetch', { url: 'delete?confirm=1&n=7' })).rejects.toThrow('not permitted');
  expect(await questionsOf('/calm', 'page.fetch', DELETING)).toHaveLength(1);
});

test('[BRG-128] asks about an address that names what it removes, and about no other', async () => {
  for (const to of ['/items/7/remove', '/unsubscribe?token=a', '/do?action=delete', '/order/buy?confirm=yes'])
    expect(await questionsOf('/calm', 'page.fetch', to)).toHaveLength(1);
  const calm = ['/read?n=7', '/docs/delete', '/itself', '/account/delete', '/got/search?q=7', '/got/x2'];
  for (const to of [...calm, '/wiki/Delete?lang=en', '/orders/7', '/cart?remove=0'])
    for (const path of ['/form', '/itself', '/rails'])
      expect([to, await questionsOf(path, 'page.fetch', to)]).toEqual([to, []]);
});

test('[BRG-128] asks about a link of an agent’s overlay as about the page’s own', async () => {
  await harness.goto(`${url}/link`);
  const html = `<a href="${url}${DELETING}" style="position:fixed;inset:0">Next</a>`;
  await harness.call('overlay.open', { html, width: 420, height: 320 });
  person.asked.length = 0;
  const { width } = Object(await harness.call('browser.screenshot'));
  await harness.call('pointer.click', { x: width - 100, y: 200 }).catch(() => undefined);
  expect(person.asked).toMatchObject([{ name: 'pointer.click', effect: 'irreversible' }]);
});

test('[BRG-128] asks about a link that an agent writes into an editor as about the page’s own', async () => {
  await harness.goto(`${url}/editor`);
  await harness.call('text.insert', { text: `${DELETING} Next!`, target: { selector: '#editor' } });
  const { id } = Object(await harness.call('locator.element_info', { locator: { selector: '#editor a' } }));
  person.asked.length = 0;
  await harness.call('element.click', { id, modifiers: ['Control'] }).catch(() => undefined);
  expect(person.asked.map(({ sentence }) => sentence)).toEqual([labelled('element.click', 'Delete account')]);
});

test('[BRG-128] asks about an address that another lent tab offers', async () => {
  const [{ runtime_id } = { runtime_id: '' }] = harness.bridge.runtimes();
  await harness.goto(`${url}/calm`);
  await harness.call('browser.open_tab', { url: `${url}/icon` });
  person.asked.length = 0;
  const fetched = harness.call('page.fetch', { url: '/got/x1?n=7' }, { runtime_id });
  await expect(fetched).rejects.toThrow('not permitted');
  expect(person.asked).toHaveLength(1);
});
