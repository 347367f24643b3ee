import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bridge } from '@drawbridge/bridge';
import { type ItemServer, serveItems } from '@drawbridge/link/node';

export interface BridgeServer {
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Serves the bridge to agents of this machine, with a new token each time. */
export async function serveBridge(bridge: Bridge, port: number): Promise<BridgeServer> {
  const token = randomBytes(32).toString('base64url');
  const expected = digest(token);
  const server = await listen(port, {
    authorize: (given, endpoint) =>
      endpoint === 'agent' && timingSafeEqual(digest(given), expected) ? 'agent' : undefined,
    onConnection(link) {
      const connection = bridge.connectAgent({ send: link.send, close: link.close });
      link.onItem(connection.receive);
      link.onState((state) => {
        if (state.kind === 'closed') connection.close(state.error.message);
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, token, close: () => server.close() };
}

async function listen(
  port: number,
  options: Omit<Parameters<typeof serveItems>[0], 'port'>,
): Promise<ItemServer> {
  try {
    return await serveItems({ ...options, port });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new Error(
      `Port ${port} is in use by another program. Choose a port with --port, or --port 0 for any free one.`,
      {
        cause: error,
      },
    );
  }
}
