import { randomUUID } from 'node:crypto';
import { createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, denyAll, noMaps, ORDINARY_FORMS } from '@drawbridge/runtime';
import { launchBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces, surfaceScript } from '@drawbridge/runtime/node';
import type { BodyCall } from '@drawbridge/runtime/task';
import { chromiumPath } from '@drawbridge/testbed';

export interface LentPage extends AsyncDisposable {
  readonly call: BodyCall;
  readonly goto: (url: string) => Promise<void>;
}

/** One real page with the common runtime. Ordinary forms of `origin` are permitted (BRG-128). */
export async function lendPage(origin?: string): Promise<LentPage> {
  const browser = await launchBrowser({
    executable: chromiumPath(),
    headless: true,
    args: [],
    localNetwork: { isOpen: () => true, open: () => {}, notePrivate: () => {} },
    script: async () => (await surfaceScript()).code,
  });
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  const bridge = createBridge({ clock: systemClock, ids: () => randomUUID() });
  const grants = createGrantBook({ now: () => Date.now(), newId: randomUUID });
  if (origin !== undefined)
    grants.add({ origin, covers: { name: ORDINARY_FORMS, effect: 'act' }, by: 'the test' });
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive) => {
      const { receive: send, close } = bridge.connectRuntime({ send: receive });
      return { send, close };
    },
    maps: noMaps,
    grants,
    asker: denyAll('nobody is asked in this test'),
    evaluator,
    by: 'the test',
  });
  const isThere = (url: string) => bridge.runtimes().some(({ ready }) => ready.url === url);
  const announced = (url: string): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!isThere(url)) return;
        stop();
        resolve();
      };
      const stop = bridge.watch(look);
      look();
    });
  const call: BodyCall = (name, args, signal, timeout_ms) => {
    const pending = bridge.call({ name, arguments: { ...args }, ...(timeout_ms && { timeout_ms }) });
    signal.addEventListener('abort', () => pending.cancel(), { once: true });
    return pending.output;
  };
  await announced('about:blank');
  return {
    call,
    goto: async (url) => {
      await call('browser.navigate', { url }, new AbortController().signal);
      await announced(url);
    },
    async [Symbol.asyncDispose]() {
      await surfaces.close();
      bridge.close();
      await Promise.all([browser.close(), evaluator.close()]);
    },
  };
}
