import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromiumPath } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { launch as launchAny, next, openTab, startSite, tabOf } from '../../../test/hosts/cdp/tab-harness.ts';
import type { SurfaceHost } from '../../host.ts';
import { startBrowser } from './browser-process.ts';
import { Connection } from './connection.ts';
import { attachBrowser } from './index.ts';
import { openSocketWire } from './wire.ts';

/** The browser itself is the subject here: the full one, as people have it. */
const executable = chromiumPath();
const launch: typeof launchAny = (options) => launchAny({ executable, ...options });

/** A browser that a person started with a debugging port, with a tab for each address. */
async function personsBrowser(...urls: string[]) {
  const process = await startBrowser({ executable, headless: true, args: ['--remote-debugging-port=0'] });
  const own = new Connection(process.wire);
  await own.browser.send('Target.getTargets');
  const [port = ''] = (await readFile(join(process.profile, 'DevToolsActivePort'), 'utf8')).split('\n');
  const tabs = await Promise.all(urls.map((url) => openLoaded(own, url)));
  return {
    endpoint: `http://127.0.0.1:${port}`,
    tabs,
    own,
    pid: process.pid,
    async [Symbol.asyncDispose]() {
      own.close();
      await process.close();
    },
  };
}

async function openLoaded(connection: Connection, url: string): Promise<string> {
  const { browser } = connection;
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const session = connection.session(sessionId);
  await session.send('Page.enable');
  const loaded = new Promise((resolve) => session.on('Page.loadEventFired', resolve));
  await session.send('Page.navigate', { url });
  await loaded;
  await browser.send('Target.detachFromTarget', { sessionId });
  return targetId;
}

const helloSite = () =>
  startSite((request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>${request.url}</title><button>Hello</button>`);
  });

test('[BRG-131] lends tabs of an attached browser one by one, and hides all others', async () => {
  await using site = await helloSite();
  await using person = await personsBrowser(`${site.url}/lent`, `${site.url}/private`);
  const browser = await attachBrowser({ endpoint: person.endpoint });
  expect(browser.surfaces()).toEqual([]);
  expect(browser.knownTabs().map(({ lent }) => lent)).toEqual([false, false, false]);
  const [lent = '', kept = ''] = person.tabs;
  const host = await browser.lend(lent);
  expect(host.surface()).toMatchObject({ url: `${site.url}/lent`, title: '/lent' });
  expect(await host.tabs?.list()).toMatchObject([{ tab_id: lent }]);
  for (const refused of [
    host.tabs?.close(kept),
    host.tabs?.activate(kept),
    host.tabs?.navigate({ url: site.url }, kept),
  ]) {
    await expect(refused).rejects.toMatchObject({ code: 'target_not_found' });
  }
  expect(await browser.lend(lent)).toBe(host);
  await expect(browser.lend('nowhere')).rejects.toMatchObject({ code: 'target_not_found' });
  expect(host.clipboard).toBeUndefined();
  await browser.close();
  const { targetInfos } = await person.own.browser.send('Target.getTargets');
  expect(targetInfos.filter(({ type }) => type === 'page')).toHaveLength(3);
});

test('[BRG-131] detaches from a tab that is given back and leaves nothing in it', async () => {
  await using site = await helloSite();
  await using person = await personsBrowser(`${site.url}/lent`);
  const browser = await attachBrowser({ endpoint: person.endpoint });
  const [lent = ''] = person.tabs;
  const host = await browser.lend(lent);
  await tabOf(host, lent).see();
  const removed = new Promise((resolve) => browser.onSurface(resolve));
  await host.close();
  expect(await removed).toMatchObject({ kind: 'removed', surface: host });
  expect(browser.surfaces()).toEqual([]);
  await expect(host.callPage('snapshot', [])).rejects.toMatchObject({ code: 'transport_failed' });
  const { sessionId } = await person.own.browser.send('Target.attachToTarget', {
    targetId: lent,
    flatten: true,
  });
  const { result } = await person.own.session(sessionId).send('Runtime.evaluate', {
    expression: `document.documentElement.outerHTML.includes('data-llm-id')`,
  });
  expect(result.value).toBe(false);
  await browser.close();
});

test('[BRG-131] sees and does nothing on a page of the browser itself', async () => {
  await using site = await helloSite();
  await using person = await personsBrowser(`${site.url}/lent`, 'chrome://version/');
  const browser = await attachBrowser({ endpoint: person.endpoint });
  const [lent = '', own = ''] = person.tabs;
  const refused = { code: 'permission_denied', evidence: { url: 'chrome://version/' } };
  await expect(browser.lend(own)).rejects.toMatchObject(refused);
  expect(browser.surfaces()).toEqual([]);
  const host = await browser.lend(lent);
  const { sessionId } = await person.own.browser.send('Target.attachToTarget', {
    targetId: lent,
    flatten: true,
  });
  const there = next(host, 'ready', ({ url }) => url === 'chrome://version/');
  await person.own.session(sessionId).send('Page.navigate', { url: 'chrome://version/' });
  await there;
  for (const asked of [
    host.callPage('snapshot', [{}]),
    host.callPage('read', [{}]),
    host.picture?.({ format: 'png' }),
    host.input?.keys('Tab'),
    host.input?.press({ x: 5, y: 5, button: 'left', count: 1, modifiers: [] }),
  ])
    await expect(asked).rejects.toMatchObject(refused);
  await expect(host.tabs?.navigate({ url: 'chrome://settings/' })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await host.tabs?.navigate({ url: `${site.url}/lent` });
  expect(await tabOf(host, lent).text()).toContain('Hello');
  await browser.close();
});

test('reports a crashed page, which works again after a reload', async () => {
  await using site = await helloSite();
  await using person = await personsBrowser(`${site.url}/lent`);
  const browser = await attachBrowser({ endpoint: person.endpoint });
  const [lent = ''] = person.tabs;
  const tab = tabOf(await browser.lend(lent), lent);
  const wire = await openSocketWire(await socketOf(person.endpoint));
  const other = new Connection(wire);
  const { sessionId } = await other.browser.send('Target.attachToTarget', { targetId: lent, flatten: true });
  const left = next(tab.host, 'left');
  other
    .session(sessionId)
    .send('Page.crash')
    .catch(() => undefined);
  await left;
  await expect(tab.text()).rejects.toMatchObject({
    code: 'runtime_not_ready',
    evidence: { reason: 'crashed' },
  });
  await tab.tabs.navigate({ reload: true });
  expect(await tab.text()).toContain('Hello');
  other.close();
  await browser.close();
});

async function socketOf(endpoint: string): Promise<string> {
  const version: unknown = await (await fetch(`${endpoint}/json/version`)).json();
  return String(Object(version).webSocketDebuggerUrl);
}

test('closes every tab and fails pending calls when the browser dies', async () => {
  await using site = await helloSite();
  await using person = await personsBrowser(`${site.url}/one`, `${site.url}/two`);
  const browser = await attachBrowser({ endpoint: person.endpoint });
  const hosts: SurfaceHost[] = [];
  for (const id of person.tabs) hosts.push(await browser.lend(id));
  const closed = Promise.all(hosts.map((host) => next(host, 'closed')));
  const pending = hosts.map((host) => host.callPage('untilStable', [{ quietMs: 20_000, timeoutMs: 25_000 }]));
  const failed = pending.map((call) => expect(call).rejects.toMatchObject({ code: 'transport_failed' }));
  process.kill(person.pid ?? 0, 'SIGKILL');
  expect(await closed).toHaveLength(2);
  await Promise.all(failed);
  await expect(hosts[0]?.callPage('snapshot', [])).rejects.toMatchObject({ code: 'transport_failed' });
  expect(browser.surfaces()).toEqual([]);
  await browser.close();
  await browser.close();
});

test('[BRG-131] lends every tab of a launched browser, including those that a page opens', async () => {
  await using site = await startSite((request, response) => {
    const opener = `<a href="/inner" target="_blank">Open</a>
      <button onclick="with (window.open('about:blank').document) { write('<button>Written</button>'); close() }">Write</button>`;
    response
      .setHeader('content-type', 'text/html')
      .end(request.url === '/' ? opener : '<button>Inner</button>');
  });
  const browser = await launch({ url: site.url });
  const [first] = browser.surfaces();
  if (first === undefined) throw new Error('A browser starts with a tab.');
  const added = new Promise<SurfaceHost>((resolve) => browser.onSurface(({ surface }) => resolve(surface)));
  await tabOf(first, '').press('Open');
  const popup = await added;
  expect(await tabOf(popup, '').idOf('Inner')).toBe('1');
  expect((await popup.tabs?.list())?.map(({ url }) => url)).toEqual([`${site.url}/`, `${site.url}/inner`]);

  // An empty popup shares the renderer of its page: one that crashes takes both.
  const empty = new Promise<SurfaceHost>((resolve) => browser.onSurface(({ surface }) => resolve(surface)));
  await first.tabs?.activate(first.tabs.own);
  await tabOf(first, '').press('Write');
  await tabOf(await empty, '').waitForText('Written');
  expect(await tabOf(first, '').text()).toContain('Write');
  await browser.close();
});

test('reports a closed tab once', async () => {
  await using site = await helloSite();
  const browser = await launch();
  const tab = await openTab(browser, site.url);
  const events: string[] = [];
  tab.host.onEvent(({ kind }) => events.push(kind));
  await tab.tabs.close(tab.tabId);
  expect(events).toEqual(['ready', 'closed']);
  await expect(tab.text()).rejects.toMatchObject({ code: 'transport_failed' });
  await expect(tab.tabs.navigate({ url: site.url })).rejects.toMatchObject({ code: 'target_not_found' });
  await browser.close();
});

test('navigates to web addresses only, and reports the browser’s own error', async () => {
  const browser = await launch();
  const [host] = browser.surfaces();
  for (const url of [
    'file:///etc/passwd',
    'chrome://settings',
    'javascript:alert(1)',
    'data:text/html,x',
    'x',
  ]) {
    await expect(host?.tabs?.navigate({ url })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(host?.tabs?.open(url, true)).rejects.toMatchObject({ code: 'invalid_input' });
  }
  const { url, ...closing } = await helloSite();
  await closing[Symbol.asyncDispose]();
  await expect(host?.tabs?.navigate({ url })).rejects.toMatchObject({
    code: 'handler_failed',
    evidence: { reason: 'net::ERR_CONNECTION_REFUSED' },
  });
  await expect(host?.tabs?.navigate({ url: 'about:blank' })).resolves.toMatchObject({ url: 'about:blank' });
  await browser.close();
});

test('removes the temporary profile with its browser and keeps a named one', async () => {
  const made = await startBrowser({ executable, headless: true });
  expect(existsSync(made.profile)).toBe(true);
  await made.close();
  await made.close();
  expect(existsSync(made.profile)).toBe(false);
  const profile = join(await mkdtemp(join(tmpdir(), 'drawbridge-profile-')), 'named');
  const named = await launch({ profile });
  await named.close();
  expect(existsSync(profile)).toBe(true);
  await rm(dirname(profile), { recursive: true, maxRetries: 10 });
});

test('says what to do when a browser cannot be started or reached', async () => {
  await expect(launch({ executable: '/nowhere/chrome' })).rejects.toMatchObject({
    code: 'capability_unavailable',
    message: expect.stringContaining('CHROME_PATH'),
  });
  await expect(attachBrowser({ endpoint: 'http://127.0.0.1:1' })).rejects.toMatchObject({
    code: 'transport_failed',
    message: expect.stringContaining('--remote-debugging-port'),
  });
});
