/// <reference types="chrome" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Relay, startRelay } from '@drawbridge/relay';
import { launchChromium, type OpenPage } from '@drawbridge/testbed';
import { buildExtension, type Mode } from '../build/index.ts';
import type { PanelCommand, PanelMessage, WorkerState } from '../src/wire.ts';

export type Page = OpenPage['page'];

/** Chromium with the real build, shared by all tests of a file. */
export interface ExtensionHarness extends AsyncDisposable {
  readonly context: OpenPage['context'];
  readonly id: string;
  /** Opens a tab in front. */
  readonly open: (url: string) => Promise<Page>;
  /** Presses the extension's toolbar button with this tab in front. */
  readonly press: (page: Page) => Promise<void>;
  readonly tabIdOf: (page: Page) => Promise<number>;
  /** Sends a command as one of the extension's own pages. Throws the worker's error. */
  readonly ask: (command: PanelCommand) => Promise<void>;
  readonly state: () => Promise<WorkerState>;
  /** Runs in a page of the extension. */
  readonly inExtension: <Answer, Given>(
    run: (given: Given) => Promise<Answer>,
    given: Given,
  ) => Promise<Answer>;
  /** Runs in the service worker. */
  readonly inWorker: <Answer, Given>(run: (given: Given) => Promise<Answer>, given: Given) => Promise<Answer>;
  /** Resolves with the first matching state. */
  readonly until: (holds: (state: WorkerState) => boolean) => Promise<WorkerState>;
  /** Marks these private addresses as lent by the person, so nobody is asked (BRG-175). */
  readonly openAddresses: (...origins: readonly string[]) => Promise<void>;
  /** Stops the worker as Chrome does, losing its memory. */
  readonly killWorker: () => Promise<void>;
}

export interface ExtensionHarnessOptions {
  readonly mode?: Mode;
  readonly args?: readonly string[];
  /** Folder of another extension to load. */
  readonly beside?: string;
}

export async function startExtensionHarness({
  mode = 'test',
  args = [],
  beside,
}: ExtensionHarnessOptions = {}): Promise<ExtensionHarness> {
  const extension = await buildExtension({ mode });
  const chromium = await launchChromium({
    extension: beside === undefined ? extension : `${extension},${beside}`,
    // CDP's `Extensions.triggerAction` presses the real button.
    args: ['--enable-unsafe-extension-debugging', ...args],
  });
  const { context } = chromium;
  const id = await ownId(context, await chromium.extensionWorker());
  const browser = context.browser();
  if (browser === null) throw new Error('Chromium has gone.');
  const session = await browser.newBrowserCDPSession();
  const send = (method: string, params: object = {}): Promise<unknown> =>
    Reflect.apply(session.send, session, [method, params]);
  const targets = async (type: string) =>
    trustTargets(await send('Target.getTargets', { filter: [{ type }] }));

  /** A scriptless document of the extension, driven by the test. */
  const extensionPage = await context.newPage();
  await extensionPage.goto(`chrome-extension://${id}/manifest.json`);
  await extensionPage.evaluate(openPerson);

  const killWorker = async (): Promise<void> => {
    const own = (await targets('service_worker')).filter(({ url }) => url.includes(id));
    await Promise.all(own.map(({ targetId }) => send('Target.closeTarget', { targetId })));
  };

  const tabIdOf = (page: Page): Promise<number> =>
    page
      .evaluate(() => document.title)
      .then(async (title) => {
        const mark = `drawbridge-test-${crypto.randomUUID()}`;
        await page.evaluate((text) => {
          document.title = text;
        }, mark);
        try {
          return await extensionPage.evaluate(async (text) => {
            for (;;) {
              const tab = (await chrome.tabs.query({})).find((each) => each.title === text);
              if (tab?.id !== undefined) return tab.id;
              await new Promise((resolve) => setTimeout(resolve, 20));
            }
          }, mark);
        } finally {
          await page.evaluate((text) => {
            document.title = text;
          }, title);
        }
      });

  return {
    context,
    id,
    tabIdOf,
    async open(url) {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
    async press(page) {
      await page.bringToFront();
      const url = page.url();
      const tab = (await targets('tab')).find((each) => each.url === url);
      if (tab === undefined) throw new Error(`No tab is at ${url}.`);
      await send('Extensions.triggerAction', { id, targetId: tab.targetId });
    },
    inExtension: (run, given) => extensionPage.evaluate(run as never, given as never) as never,
    inWorker: (run, given) => {
      const worker = context.serviceWorkers().find((each) => each.url().includes(id));
      if (worker === undefined) throw new Error('The worker does not run.');
      return worker.evaluate(run as never, given as never) as never;
    },
    ask: (command) => extensionPage.evaluate((what) => Reflect.get(window, 'person').ask(what), command),
    state: () => extensionPage.evaluate(() => Reflect.get(window, 'person').state()),
    async until(holds) {
      for (;;) {
        const state: WorkerState = await extensionPage.evaluate(() => Reflect.get(window, 'person').state());
        if (holds(state)) return state;
        await extensionPage.evaluate(() => Reflect.get(window, 'person').changed());
      }
    },
    killWorker,
    async openAddresses(...origins) {
      await extensionPage.evaluate(
        (local_origins) => chrome.storage.session.set({ local_origins }),
        [...origins],
      );
      // Settings are read at start.
      await killWorker();
    },
    [Symbol.asyncDispose]: () => chromium.close(),
  };
}

/** Finds ours among several extensions. */
async function ownId(context: OpenPage['context'], first: Worker): Promise<string> {
  for (let worker = first; ; worker = await context.waitForEvent('serviceworker')) {
    for (const each of [worker, ...context.serviceWorkers()])
      if ((await each.evaluate(() => chrome.runtime.getManifest().name)) === 'Drawbridge')
        return new URL(each.url()).host;
  }
}

type Worker = ReturnType<OpenPage['context']['serviceWorkers']>[number];

/** Runs in a page of the extension: a minimal client of `wire.ts`. */
function openPerson(): void {
  const waiting = new Map<string, (message: PanelMessage) => void>();
  let state: WorkerState | undefined;
  let wake = () => {};
  let next = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let port: chrome.runtime.Port | undefined;
  const connect = () => {
    const opened = chrome.runtime.connect({ name: 'drawbridge-panel' });
    port = opened;
    opened.onMessage.addListener((message: PanelMessage) => {
      if (message.kind === 'state') {
        state = message.state;
        wake();
        next = new Promise((resolve) => {
          wake = resolve;
        });
      } else {
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
      }
    });
    opened.onDisconnect.addListener(() => {
      for (const settle of waiting.values())
        settle({ kind: 'answer', id: '', ok: false, message: 'The worker was stopped.' });
      waiting.clear();
      setTimeout(connect, 50);
    });
  };
  connect();
  Reflect.set(window, 'person', {
    ask: async (command: PanelCommand) => {
      const id = crypto.randomUUID();
      const answer = await new Promise<PanelMessage>((resolve) => {
        waiting.set(id, resolve);
        port?.postMessage({ id, command });
      });
      if (answer.kind === 'answer' && !answer.ok) throw new Error(answer.message);
    },
    state: async () => {
      if (state === undefined) await next;
      return state;
    },
    changed: () => Promise.race([next, new Promise((resolve) => setTimeout(resolve, 500))]),
  });
}

function trustTargets(value: unknown): readonly { readonly targetId: string; readonly url: string }[] {
  return (value as { targetInfos: readonly { targetId: string; url: string }[] }).targetInfos;
}

export interface PairedRelay extends AsyncDisposable {
  readonly relay: Relay;
  /** Restarts it on its data and port. */
  readonly restart: (options: Partial<Parameters<typeof startRelay>[0]>) => Promise<void>;
  /** A pairing link for another extension. */
  readonly pairLink: () => Promise<string>;
}

export async function startPairRelay(
  options: Partial<Parameters<typeof startRelay>[0]> = {},
): Promise<PairedRelay> {
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-extension-'));
  const start = (more: typeof options) => startRelay({ port: 0, data, log: () => {}, ...options, ...more });
  let relay = await start({});
  return {
    get relay() {
      return relay;
    },
    async restart(more) {
      const { port } = new URL(relay.url);
      await relay.close();
      relay = await start({ port: Number(port), ...more });
    },
    async pairLink() {
      const { pair_path } = await relay.devices.invitations.create({
        roles: ['runtime', 'person'],
        scopes: [],
        label: 'Chrome',
        by: 'machine',
      });
      return `${relay.url}${pair_path}`;
    },
    async [Symbol.asyncDispose]() {
      await relay.close();
      await rm(data, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
