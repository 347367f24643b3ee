import { createServer } from 'node:http';
import { type Bridge, createBridge } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { serveItems } from '@drawbridge/link/node';
import { listenOnLoopback } from '@drawbridge/testbed';
import { embedScript, evaluatorScript } from '../../../src/bundle/runtime-bundle.ts';

export const TOKEN = 'token-of-the-page';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Shop</title><script src="/drawbridge.js"></script>
<button id="add" onclick="count.textContent++">Add</button><button id="pay">Pay now</button><b id="count">0</b>`;

const INLINE = "script-src 'self' 'unsafe-inline'";
/** Content security policy of each page of the site. */
const POLICIES: Readonly<Record<string, string>> = {
  '/': `default-src 'none'; ${INLINE}; worker-src 'self'; connect-src *`,
  '/no-worker': `default-src 'none'; ${INLINE}; worker-src 'none'; connect-src *`,
  '/plain': '',
  '/no-script': "script-src 'none'",
};

/** A site whose owner lends its pages, and a bridge on another server. */
export async function startEmbedSite() {
  const [embed, evaluator] = await Promise.all([embedScript(), evaluatorScript()]);
  const scripts: Readonly<Record<string, string>> = {
    '/drawbridge.js': embed.code,
    '/evaluator.js': evaluator.code,
  };
  const site = createServer(({ url = '/' }, response) => {
    const script = scripts[url];
    if (script !== undefined) return response.setHeader('content-type', 'text/javascript').end(script);
    const policy = POLICIES[url];
    if (policy) response.setHeader('content-security-policy', policy);
    const bare = url === '/plain' || url === '/no-script';
    response.setHeader('content-type', 'text/html');
    return response.end(bare ? '<!doctype html><title>Plain</title><button>Go</button>' : PAGE);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(site)}`;
  const relayHosts: string[] = [];
  const bridge: Bridge = createBridge({
    relayHosts: () => relayHosts,
    clock: systemClock,
    ids: () => crypto.randomUUID(),
  });
  const server = await serveItems({
    origins: new Set([url]),
    authorize: (token) => (token === TOKEN ? 'page' : undefined),
    onConnection(link) {
      const connection = bridge.connectRuntime({ send: link.send, close: link.close });
      link.onItem(connection.receive);
      link.onState((state) => {
        if (state.kind === 'closed') connection.close(state.error.message);
      });
    },
  });
  const at = `127.0.0.1:${server.port}`;
  return {
    url,
    bridge,
    /** Names of the relay that the bridge belongs to; none at first. */
    relayHosts,
    ws: `ws://${at}/ws/runtime`,
    poll: `http://${at}/bridge/runtime/items`,
    /** Resolves when the condition holds for the connected runtimes. */
    until: (holds: (ids: readonly string[]) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => holds(bridge.runtimes().map(({ runtime_id }) => runtime_id));
        if (look()) return resolve();
        const stop = bridge.watch(() => {
          if (!look()) return;
          stop();
          resolve();
        });
      }),
    async [Symbol.asyncDispose]() {
      bridge.close();
      await server.close();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}
