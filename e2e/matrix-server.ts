import { createServer } from 'node:http';
import { join } from 'node:path';
import { serveItems } from '@drawbridge/link/node';
import { buildScript, evaluatorScript } from '@drawbridge/runtime/node';
import { listenOnLoopback } from '@drawbridge/testbed';
import { type Agent, openAgent } from './matrix-agent.ts';
import { matrixPage } from './matrix-elements.ts';

/** The garden's site, with a shed, the scripts that lend them, and an address that drops connections. */
export async function startMatrixServer() {
  const [page, evaluator] = await Promise.all([
    buildScript(join(import.meta.dirname, 'matrix-page.ts'), 'matrix'),
    evaluatorScript(),
  ]);
  const script = '<script src="/matrix.js"></script>';
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/garden': ['text/html', matrixPage('Garden', script)],
    '/shed': ['text/html', matrixPage('Shed', script)],
    '/matrix.js': ['text/javascript', page],
    '/evaluator.js': ['text/javascript', evaluator.code],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/hang-up') return response.destroy();
    const [type, body] = files[pathname] ?? ['text/plain', ''];
    return response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server with one bridge per token. */
export async function startBridges(origin: string) {
  const agents = new Map<string, Agent>();
  const server = await serveItems({
    origins: new Set([origin]),
    authorize: (token) => (agents.has(token) ? token : undefined),
    onConnection(link, { credential_id }) {
      const connection = agents.get(credential_id)?.bridge.connectRuntime({
        send: link.send,
        close: link.close,
        owner: credential_id,
      });
      link.onItem((item) => connection?.receive(item));
      link.onState((state) => {
        if (state.kind === 'closed') connection?.close(state.error.message);
      });
    },
  });
  const at = `127.0.0.1:${server.port}`;
  return {
    open(token: string) {
      const agent = openAgent();
      agents.set(token, agent);
      return { agent, ws: `ws://${at}/ws/runtime`, poll: `http://${at}/bridge/runtime/items`, token };
    },
    async [Symbol.asyncDispose]() {
      for (const { bridge } of agents.values()) bridge.close();
      await server.close();
    },
  };
}
