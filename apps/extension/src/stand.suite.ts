import type { Bridge } from '@drawbridge/bridge';
import type { Asker } from '@drawbridge/protocol';
import { startRig } from './rig.suite.ts';
import { startBridgeStand } from './tabs/bridge-stand.suite.ts';

/**
 * For tests of other packages: Chromium with the extension, whose tabs are lent to a bridge in this process.
 */
export async function openExtensionStand(asker: Asker, map: object) {
  const [rig, stand] = await Promise.all([startRig(), startBridgeStand(asker, map)]);
  await stand.pair(rig);
  return {
    bridge: stand.bridge,
    open: rig.open,
    /** Opens a page and lends its tab. */
    async lend(url: string) {
      const page = await rig.open(url);
      const tabId = await rig.tabIdOf(page);
      const key = `chrome-tab:${tabId}`;
      const there = announced(stand.bridge, key);
      await rig.ask({ do: 'lend', tabId });
      await there;
      return {
        page,
        key,
        close: () => page.close(),
        /** Stops the worker and closes the tab before it restarts. */
        async cut() {
          await rig.killWorker();
          await page.close();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]();
      await stand[Symbol.asyncDispose]();
    },
  };
}

/** Resolves once the bridge has the tab. */
function announced(bridge: Bridge, key: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = bridge.watch(() => {
      if (!bridge.runtimes().some(({ ready }) => ready.runtime_key === key)) return;
      stop();
      resolve();
    });
  });
}
