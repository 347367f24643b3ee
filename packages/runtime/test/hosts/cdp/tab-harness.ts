import { createServer, type RequestListener } from 'node:http';
import type { ActionResult, PreparedPress, Snapshot, SnapshotOptions } from '@drawbridge/page';
import { listenOnLoopback, SHELL_FLAGS, type Shop, startShop } from '@drawbridge/testbed';
import { afterAll, beforeAll } from 'vitest';
import type { HostEvent, SurfaceHost, Tabs } from '../../../src/host.ts';
import { type CdpBrowser, type LaunchOptions, launchBrowser } from '../../../src/hosts/cdp/index.ts';

/** Test sites are on loopback: every address is open. */
const localNetwork = { isOpen: () => true, open: () => {}, notePrivate: () => {} };

export const launch = (options: Partial<LaunchOptions> = {}) =>
  launchBrowser({
    headless: true,
    localNetwork,
    ...options,
    args: [...SHELL_FLAGS, ...(options.args ?? [])],
  });

/** One browser and one shop per test file, and a tab per call of `visit`. */
export function setUpTabs(options: Partial<LaunchOptions> = {}) {
  let browser: CdpBrowser | undefined;
  let shop: Shop | undefined;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launch(options), startShop()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });
  const running = () => {
    if (browser === undefined || shop === undefined) throw new Error('Use it inside a test.');
    return { browser, shop };
  };
  return { ...{ running }, visit: (path: string) => openTab(running().browser, running().shop.url + path) };
}

export interface Tab extends AsyncDisposable {
  readonly host: SurfaceHost;
  readonly tabs: Tabs;
  readonly tabId: string;
  readonly see: (options?: SnapshotOptions) => Promise<Snapshot>;
  readonly idOf: (name: string, options?: SnapshotOptions) => Promise<string>;
  readonly press: (name: string) => Promise<void>;
  readonly click: (name: string) => Promise<ActionResult>;
  readonly fill: (name: string, text: string) => Promise<ActionResult>;
  readonly text: () => Promise<string>;
  readonly waitForText: (text: string) => Promise<void>;
}

export async function openTab(browser: CdpBrowser, url: string): Promise<Tab> {
  const [first] = browser.surfaces();
  const { tab_id } = await tabsOf(first).open(url, true);
  const host = browser.surfaces().find(({ runtimeKey }) => runtimeKey === `cdp-tab:${tab_id}`);
  if (host === undefined) throw new Error('The tab has no surface.');
  return tabOf(host, tab_id);
}

export function tabOf(host: SurfaceHost, tabId: string): Tab {
  const see = async (options: SnapshotOptions = { scope: 'page' }) =>
    (await host.callPage('snapshot', [options])) as Snapshot;
  const idOf = async (name: string, options?: SnapshotOptions) => {
    const { page } = await see(options);
    const node = page.interactive_tree.find(({ n }) => n === name);
    if (node === undefined)
      throw new Error(`${name} is not among ${page.interactive_tree.map(({ n }) => n)}`);
    return node.i;
  };
  const prepare = async (name: string) => {
    const prepared = await host.callPage('preparePress', [await idOf(name)]);
    return prepared as PreparedPress | { ok: false; error: { message: string } };
  };
  const pressAt = async (name: string) => {
    const prepared = await prepare(name);
    if (!prepared.ok) throw new Error(prepared.error.message);
    await host.input?.press({ ...prepared.point, button: 'left', count: 1, modifiers: [] });
    return prepared.token;
  };
  const text = async () => ((await host.callPage('read', [{}])) as { text: string }).text;
  return {
    host,
    tabs: tabsOf(host),
    tabId,
    see,
    idOf,
    press: async (name) => void (await pressAt(name)),
    click: async (name) => (await host.callPage('confirm', [await pressAt(name)])) as ActionResult,
    fill: async (name, value) => (await host.callPage('fill', [await idOf(name), value])) as ActionResult,
    text,
    async waitForText(wanted) {
      for (let said = ''; !said.includes(wanted); ) {
        said = await text();
        if (!said.includes(wanted)) await host.callPage('untilStable', [{ quietMs: 50, timeoutMs: 500 }]);
      }
    },
    [Symbol.asyncDispose]: () => tabsOf(host).close(tabId),
  };
}

function tabsOf(host: SurfaceHost | undefined): Tabs {
  if (host?.tabs === undefined) throw new Error('The host has no tabs.');
  return host.tabs;
}

/** The next event of a kind; call it before the action that causes the event. */
export function next<K extends HostEvent['kind']>(
  host: SurfaceHost,
  kind: K,
  fits: (event: Extract<HostEvent, { kind: K }>) => boolean = () => true,
): Promise<Extract<HostEvent, { kind: K }>> {
  return new Promise((resolve) => {
    let isPast = false;
    const stop = host.onEvent((event) => {
      if (!isPast || !isKind(event, kind) || !fits(event)) return;
      stop();
      resolve(event);
    });
    isPast = true;
  });
}

function isKind<K extends HostEvent['kind']>(
  event: HostEvent,
  kind: K,
): event is Extract<HostEvent, { kind: K }> {
  return event.kind === kind;
}

export async function startSite(answer: RequestListener) {
  const server = createServer(answer);
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
