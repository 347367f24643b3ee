import type { Asker } from '@drawbridge/protocol';
import { openLiveBridge } from '../live/live-bridge.ts';
import { removeBridgeFile, writeBridgeFile } from './bridge-file.ts';
import { serveBridge } from './bridge-server.ts';
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
