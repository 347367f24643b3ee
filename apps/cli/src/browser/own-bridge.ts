import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Bridge } from '@drawbridge/bridge';
import { type ItemServer, serveItems } from '@drawbridge/link/node';
import type { Asker } from '@drawbridge/protocol';
import { openLiveBridge } from '../live/live-bridge.ts';
import { removeBridgeFile, writeBridgeFile } from './bridge-file.ts';
import type { Lent, Loan } from './lent.ts';

/** Lends a browser to agents of this machine, at a local bridge. */
export async function serveOwnBridge(loan: Loan, port: number, asker: Asker): Promise<Lent> {
  const { browser, maps, data, log, report, inspectKeys, offerToPage } = loan;
  await using opening = new AsyncDisposableStack();
  const live = openLiveBridge({
    ...{ browser, maps, asker, data, inspectKeys, offerToPage },
    traffic: log.traffic,
  });
  opening.defer(live.close);
  const server = await serveBridge(live.bridge, port);
  opening.defer(server.close);
  const file = { url: server.url, token: server.token, pid: process.pid };
  await writeBridgeFile(data.bridgeFile, file);
  opening.defer(() => removeBridgeFile(data.bridgeFile, file));
  report({ event: 'listening', url: server.url, pid: process.pid, file: data.bridgeFile });
  const choiceOf = (id: string) =>
    live.surfaces
      .runtimes()
      .find(({ runtimeId }) => runtimeId === id)
      ?.map();
  opening.defer(
    live.bridge.watch((event) => {
      if (event.kind === 'runtime') log.runtime(event.runtime, choiceOf(event.runtime.runtime_id));
      if (event.kind === 'gone') log.gone(event.runtime_id, event.reason);
    }),
  );
  for (const view of live.bridge.runtimes()) log.runtime(view, choiceOf(view.runtime_id));
  const opened = opening.move();
  return { over: live.over.then(() => undefined), close: () => opened.disposeAsync() };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Serves the bridge to agents of this machine, with a new token each time. */
async function serveBridge(bridge: Bridge, port: number) {
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
