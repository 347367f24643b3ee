import { Readable } from 'node:stream';
import { createApprovals, handlesListChanges } from '@drawbridge/mcp';
import { serveStdio } from '@drawbridge/mcp/stdio';
import type { Asker } from '@drawbridge/protocol';
import { createTerminalAsker } from '../ask/terminal-asker.ts';
import { openTty } from '../ask/tty.ts';
import { readBridgeFile } from '../browser/bridge-file.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import { type BrowserOptions, inspectKeysOf } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { trustOwnCertificate } from '../live/own-certificate.ts';
import { askForTabs } from './asked-tabs.ts';
import { createBrowserSupply, type Supplied } from './browser-supply.ts';
import { joinBridge } from './joined-bridge.ts';

export interface McpOptions extends BrowserOptions {
  readonly map?: readonly string[] | undefined;
  readonly own?: boolean | undefined;
}

/** Standard output belongs to MCP, so messages go to standard error. */
export async function serveMcp(options: McpOptions, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(options.data);
  // A full-screen client redirects our standard error: its keyboard input is not ours.
  const tty = process.stderr.isTTY === true ? openTty() : undefined;
  if (tty !== undefined) closing.defer(tty.close);
  const person: Terminal = { ...(tty ?? terminal), stdin: tty?.stdin ?? Readable.from([]) };
  const asker = createTerminalAsker(person, {
    howToApprove: 'this client cannot ask its person; run drawbridge browser in a terminal and answer there',
  });
  closing.defer(asker.close);
  const approvals = createApprovals({ fallback: asker });
  const supply = createBrowserSupply(
    async () =>
      (await joined(options, data, terminal)) ??
      (await ownBrowser(options, data, approvals.asker, { ...person, printError: terminal.printError })),
  );
  closing.defer(supply.close);
  const { bridge, ready } = supply;
  const serving = serveStdio({
    ...{ bridge, ready, approvals, offersMapTools: handlesListChanges },
    // In a terminal, or on screens paired with the joined relay.
    asksElsewhere: true,
  });
  closing.defer(serving.close);
  await Promise.race([serving.closed, ending.asked]);
  return 0;
}

async function joined(
  options: McpOptions,
  data: DataFolder,
  terminal: Terminal,
): Promise<Supplied | undefined> {
  const { bridgeFile } = data;
  // Set by a proxy for the agent that it started (CHT-329).
  const { DRAWBRIDGE_LENT: lentAt } = process.env;
  if (lentAt) {
    const given = await askForTabs(lentAt);
    if (given.url.startsWith('https:')) await trustOwnCertificate(data);
    const bridge = await joinBridge(given, async () => true);
    if (bridge === undefined) throw new Error(`The relay at ${given.url} lends this session no browser.`);
    return { bridge, over: bridge.over, close: async () => bridge.close() };
  }
  const isOwn =
    options.own ??
    options.attach ??
    options.url ??
    options.headless ??
    options.profile ??
    options.map ??
    options.files ??
    options.inspect;
  const file = isOwn === undefined ? await readBridgeFile(bridgeFile) : undefined;
  if (file === undefined) return undefined;
  if (file.url.startsWith('https:')) await trustOwnCertificate(data);
  const isLent = async () => (await readBridgeFile(bridgeFile))?.token === file.token;
  const bridge = await joinBridge(file, isLent);
  if (bridge === undefined) {
    terminal.printError(`The browser that was lent at ${file.url} does not answer: starting another.`);
    return undefined;
  }
  terminal.printError(`Joined the browser that is lent at ${file.url}. Approvals are asked there.`);
  return { bridge, over: bridge.over, close: async () => bridge.close() };
}

async function ownBrowser(
  options: McpOptions,
  data: DataFolder,
  asker: Asker,
  terminal: Terminal,
): Promise<Supplied> {
  await using failed = new AsyncDisposableStack();
  const maps = await openMaps(options.map, data);
  failed.defer(maps.close);
  const browser = await openBrowser(options, data, terminal);
  const live = openLiveBridge({
    ...{ browser, maps, asker, data },
    inspectKeys: inspectKeysOf(options),
    offerToPage: options['offer-maps'],
  });
  failed.defer(live.close);
  await live.announced();
  failed.move();
  return live;
}
