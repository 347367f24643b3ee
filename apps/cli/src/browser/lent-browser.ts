import { createControlPlane } from '@drawbridge/runtime';
import { createTerminalAsker } from '../ask/terminal-asker.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import { type BrowserOptions, inspectKeysOf } from '../live/live-arguments.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { findRunningRelay } from '../relay/local-relay.ts';
import { readBridgeFile } from './bridge-file.ts';
import { createEventLog, eventLines, type LiveEvent } from './event-log.ts';
import { joinRelay } from './joined-relay.ts';
import { serveOwnBridge } from './own-bridge.ts';

export interface LentBrowserOptions extends BrowserOptions {
  readonly map?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  /** Use a local bridge even where a relay runs. */
  readonly own?: boolean | undefined;
  readonly port: number;
}

export async function lendBrowser(options: LentBrowserOptions, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(options.data);
  const relay = options.own === true ? undefined : await findRunningRelay(data.path);
  if (relay === undefined) await refuseSecond(data);
  const maps = await openMaps(options.map, data);
  closing.defer(maps.close);
  // The relay sends the rest when the first tab announces itself.
  const controlPlane = createControlPlane(relay === undefined ? [] : [new URL(relay.url).host]);
  const browser = await openBrowser(options, data, terminal, controlPlane);
  closing.defer(() => browser.close());

  const report = (event: LiveEvent): void => {
    if (options.json === true) terminal.print(JSON.stringify(event));
    else for (const line of eventLines(event, terminal)) terminal.print(line);
  };
  const inspectKeys = inspectKeysOf(options);
  const offerToPage = options['offer-maps'] === true;
  const log = createEventLog(report, Date.now);
  const loan = { browser, maps, data, report, inspectKeys, offerToPage, log };
  const askHere = () => {
    const asker = createTerminalAsker(
      options.json === true ? { ...terminal, print: terminal.printError } : terminal,
    );
    closing.defer(asker.close);
    return asker;
  };
  const lent =
    relay === undefined ? await serveOwnBridge(loan, options.port, askHere()) : await joinRelay(relay, loan);
  closing.defer(lent.close);
  const trouble = await Promise.race([ending.asked, lent.over]);
  terminal.printError(trouble ?? 'Closing the browser…');
  return trouble === undefined ? 0 : 1;
}

async function refuseSecond({ bridgeFile }: DataFolder): Promise<void> {
  const other = await readBridgeFile(bridgeFile);
  if (other !== undefined)
    throw new Error(
      `A browser is already lent, by process ${other.pid} at ${other.url}. End it first, or use another --data.`,
    );
}
