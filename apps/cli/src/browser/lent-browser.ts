import { createTerminalAsker } from '../ask/terminal-asker.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserWishes } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { readBridgeFile, removeBridgeFile, writeBridgeFile } from './bridge-file.ts';
import { serveBridge } from './bridge-server.ts';
import { createEventLog, eventLines, type LiveEvent } from './event-log.ts';

export interface LentBrowserWishes extends BrowserWishes {
  readonly map?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  readonly port: number;
}

export async function lendBrowser(wishes: LentBrowserWishes, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(wishes.data);
  const other = await readBridgeFile(data.bridgeFile);
  if (other !== undefined)
    throw new Error(
      `A browser is lent already, by process ${other.pid} at ${other.url}. End it first, or use another --data.`,
    );
  const maps = await openMaps(wishes.map, data);
  closing.defer(maps.close);
  const browser = await openBrowser(wishes, data, terminal);
  closing.defer(() => browser.close());
  const asker = createTerminalAsker(
    wishes.json === true ? { ...terminal, print: terminal.printError } : terminal,
  );
  closing.defer(asker.close);

  const tell = (event: LiveEvent): void => {
    if (wishes.json === true) terminal.print(JSON.stringify(event));
    else for (const line of eventLines(event, terminal)) terminal.print(line);
  };
  const log = createEventLog(tell, Date.now);
  const live = openLiveBridge({
    browser,
    maps,
    asker,
    data,
    traffic: log.traffic,
  });
  closing.defer(live.close);

  const server = await serveBridge(live.bridge, wishes.port);
  closing.defer(server.close);
  const file = { url: server.url, token: server.token, pid: process.pid };
  await writeBridgeFile(data.bridgeFile, file);
  closing.defer(() => removeBridgeFile(data.bridgeFile, file));
  tell({ event: 'listening', url: server.url, pid: process.pid, file: data.bridgeFile });
  const choiceOf = (id: string) =>
    live.surfaces
      .runtimes()
      .find(({ runtimeId }) => runtimeId === id)
      ?.map();
  const unwatch = live.bridge.watch((event) => {
    if (event.kind === 'runtime') log.runtime(event.runtime, choiceOf(event.runtime.runtime_id));
    if (event.kind === 'gone') log.gone(event.runtime_id, event.reason);
  });
  for (const view of live.bridge.runtimes()) log.runtime(view, choiceOf(view.runtime_id));
  await Promise.race([ending.asked, live.over]);
  unwatch();
  terminal.printError('Giving the browser back…');
  return 0;
}
