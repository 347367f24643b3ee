import type { Bridge } from '@drawbridge/bridge';
import type { Asker } from '@drawbridge/protocol';
import { startExtensionHarness } from './extension-harness.ts';
import { startBridgeHarness } from './tabs/bridge-harness.ts';

/**
 * For tests of other packages: Chromium with the extension, whose tabs are lent to a bridge in this process.
 */
export async function openBuiltExtension(asker: Asker, map: object) {
  const [harness, stand] = await Promise.all([startExtensionHarness(), startBridgeHarness(asker, map)]);
  await stand.pair(harness);
  return {
    bridge: stand.bridge,
    open: harness.open,
    /** Opens a page and lends its tab. */
    async lend(url: string) {
      const page = await harness.open(url);
      const tabId = await harness.tabIdOf(page);
      const key = `chrome-tab:${tabId}`;
      const there = announced(stand.bridge, key);
      await harness.ask({ do: 'lend', tabId });
      await there;
      return {
        page,
        key,
        close: () => page.close(),
        /** Stops the worker and closes the tab before it restarts. */
        async cut() {
          await harness.killWorker();
          await page.close();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
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
