import { randomUUID } from 'node:crypto';
import { type Bridge, createBridge } from '@drawbridge/bridge';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, denyAll, noMaps } from '@drawbridge/runtime';
import { attachBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces } from '@drawbridge/runtime/node';
import type { RunningPress } from './press-subject.ts';

/**
 * A bridge and a runtime in this process, over the same debugging port as the peers: comparable with the
 * floor.
 */
export async function drawbridgeInProcess(port: number, url: string, button: string): Promise<RunningPress> {
  const browser = await attachBrowser({ endpoint: `http://127.0.0.1:${port}` });
  const evaluator = createWorkerEvaluator();
  const bridge = createBridge({
    clock: {
      now: () => Date.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    ids: () => randomUUID(),
  });
  const surfaces = serveSurfaces({
    source: browser,
    connect(receive) {
      const connection = bridge.connectRuntime({ send: receive });
      return { send: connection.receive, close: connection.close };
    },
    maps: noMaps,
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    asker: denyAll('nobody is asked in a benchmark'),
    evaluator,
    by: 'the benchmark',
  });
  const [tab] = browser.knownTabs().filter((known) => known.url === url);
  if (tab === undefined) throw new Error(`No tab is at ${url}.`);
  await browser.lend(tab.target_id);
  await announced(bridge);
  const call = (name: string, args: Record<string, unknown>) => bridge.call({ name, arguments: args }).output;
  const { page } = trustSnapshot(await call('page.snapshot', {}));
  const id = page.interactive_tree.find(({ n }) => n === button)?.i;
  if (id === undefined) throw new Error(`${button} is not in the snapshot.`);
  return {
    press: () => call('element.click', { id }),
    async close() {
      await surfaces.close();
      bridge.close();
      await Promise.all([browser.close(), evaluator.close()]);
    },
  };
}

function announced(bridge: Bridge): Promise<void> {
  return new Promise((resolve) => {
    if (bridge.runtimes().length > 0) return resolve();
    const stop = bridge.watch(({ kind }) => {
      if (kind !== 'runtime') return;
      stop();
      resolve();
    });
  });
}

interface Snapshot {
  readonly page: { readonly interactive_tree: readonly { readonly i: string; readonly n: string }[] };
}

function trustSnapshot(output: unknown): Snapshot {
  return output as Snapshot;
}
