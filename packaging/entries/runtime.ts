import { randomUUID } from 'node:crypto';
import type { Bridge } from '@drawbridge/bridge';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { createGrantBook, denyAll, type MapSource, noMaps } from '@drawbridge/runtime';
import { type CdpBrowser, type LaunchOptions, launchBrowser } from '@drawbridge/runtime/cdp';
import { serveSurfaces } from '@drawbridge/runtime/node';

export { createWorkerEvaluator } from '@drawbridge/manifest/node';
export * from '@drawbridge/runtime';
export {
  type AttachOptions,
  attachBrowser,
  type CdpBrowser,
  type LaunchOptions,
  launchBrowser,
} from '@drawbridge/runtime/cdp';
export { openGrantFile, openMapFolder, serveSurfaces } from '@drawbridge/runtime/node';

export interface LendOptions extends LaunchOptions {
  /** Source of the maps; without it, only primitives. */
  readonly maps?: MapSource;
}

/**
 * Starts a browser and lends all its tabs to a bridge, as `drawbridge browser` does. Questions to a person
 * are refused.
 */
export async function lendBrowser(
  bridge: Bridge,
  { maps = noMaps, ...launch }: LendOptions,
): Promise<{ readonly browser: CdpBrowser; readonly close: () => Promise<void> }> {
  const announced = new Promise<void>((resolve) => {
    const stop = bridge.watch(({ kind }) => {
      if (kind !== 'runtime') return;
      stop();
      resolve();
    });
  });
  const browser = await launchBrowser(launch);
  const evaluator = createWorkerEvaluator();
  const surfaces = serveSurfaces({
    source: browser,
    connect: (receive) => {
      const { receive: send, close } = bridge.connectRuntime({ send: receive });
      return { send, close };
    },
    maps,
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    asker: denyAll('No person is asked here.'),
    evaluator,
    by: 'a program',
  });
  await announced;
  return {
    browser,
    async close() {
      await surfaces.close();
      await Promise.all([browser.close(), evaluator.close()]);
    },
  };
}
