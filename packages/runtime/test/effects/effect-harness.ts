import { createServer } from 'node:http';
import { systemClock } from '@drawbridge/link';
import type { Snapshot } from '@drawbridge/page';
import type { OutputOf } from '@drawbridge/protocol/primitives';
import { listenOnLoopback, SHELL_FLAGS } from '@drawbridge/testbed';
import { vi } from 'vitest';
import type { SurfaceHost } from '../../src/host.ts';
import { launchBrowser } from '../../src/hosts/cdp/index.ts';
import { createStores } from '../../src/primitives/primitive-context.ts';
import { runPrimitive } from '../../src/primitives/run-primitive.ts';
import type { PressCase } from './press-cases.ts';

export type Acted = OutputOf<'element.click'>;

export interface EffectHarness extends AsyncDisposable {
  readonly host: SurfaceHost;
  /** Opens a page, waits until it has run for a while if it never rests, and presses `Go`. */
  readonly press: (subject: PressCase, restless?: string) => Promise<Acted & { readonly ms: number }>;
  readonly run: (name: string, args: object) => Promise<unknown>;
  readonly open: (html: string) => Promise<void>;
  readonly idOf: (name: string) => Promise<string>;
}

const localNetwork = { isOpen: () => true, open: () => {}, notePrivate: () => {} };
const SLOW_MS = 150;
/** Longer than a busy machine takes. */
const WAIT_MS = 60_000;
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
/** Looks at a restless page before the press, as a model does. */
const BACKGROUND_MS = 400;

/** One Chromium over CDP with one tab, and a site of the page that was opened last. */
export async function startEffectHarness(): Promise<EffectHarness> {
  let [shown, framed] = ['', ''];
  const server = createServer((request, response) => {
    const answer = (body: string) => response.setHeader('content-type', 'text/html; charset=utf-8').end(body);
    if (request.url === '/slow') setTimeout(() => answer('ok'), SLOW_MS);
    else if (request.url === '/frame') answer(framed);
    else if (request.url === '/picture') response.setHeader('content-type', 'image/svg+xml').end(PICTURE);
    else answer(shown);
  });
  const port = await listenOnLoopback(server);
  const browser = await launchBrowser({ headless: true, localNetwork, args: SHELL_FLAGS });
  const [host] = browser.surfaces();
  if (host?.tabs === undefined) throw new Error('The browser has no tab.');
  const { tabs } = host;
  const context = {
    host,
    clock: systemClock,
    signal: new AbortController().signal,
    stores: createStores(Date.now),
  };
  const run = (name: string, args: object) => runPrimitive(name, args, context);
  let visits = 0;
  const open = async (html: string) => {
    shown = `<!doctype html><meta charset=utf-8><body>${html}`;
    await tabs.navigate({ url: `http://127.0.0.1:${port}/${++visits}` });
  };
  /** A frame of another origin comes later than its page. */
  const idOf = (name: string) =>
    vi.waitFor(
      async () => {
        const { page } = (await host.callPage('snapshot', [{ scope: 'page' }])) as Snapshot;
        const found = page.interactive_tree.find(({ n }) => n === name);
        if (found === undefined)
          throw new Error(`${name} is not in ${JSON.stringify(page.interactive_tree)}`);
        return found.i;
      },
      { timeout: WAIT_MS, interval: 5 },
    );
  return {
    host,
    run,
    open,
    idOf,
    async press({ html, frame, title }, restless) {
      if (frame === 'other') {
        framed = `<!doctype html><meta charset=utf-8><body>${html}`;
        await open(`<p>Outside</p><iframe src="http://localhost:${port}/frame"></iframe>${restless ?? ''}`);
      } else await open(`${html}${restless ?? ''}`);
      if (restless !== undefined)
        await host.callPage('untilStable', [{ quietMs: BACKGROUND_MS, timeoutMs: BACKGROUND_MS }]);
      if (title !== undefined) await vi.waitUntil(() => host.surface().title === title, { timeout: WAIT_MS });
      const id = await idOf('Go');
      const begun = performance.now();
      const acted = (await run('element.click', { id })) as Acted;
      return { ...acted, ms: performance.now() - begun };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
