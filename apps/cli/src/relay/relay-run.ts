import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LedgerError, type Relay, type RelayOptions, startRelay } from '@drawbridge/relay';
import type { MapSource } from '@drawbridge/runtime';
import { webApp } from '@drawbridge/web';
import type { ExitCode, Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserWishes } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { introduce, type Tell } from './introduction.ts';
import { letAgentsIn } from './local-agents.ts';
import { certifiedNames, hostNames, isLoopback } from './reach.ts';
import { createRelayLog } from './relay-log.ts';
import { joinRelays } from './relay-node.ts';
import type { SharedLedger } from './shared-ledger.ts';

export interface RelayWishes extends BrowserWishes {
  readonly port: number;
  readonly host: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly proxyName?: string | undefined;
  /** Without a browser. */
  readonly alone: boolean;
  /** Extensions of the task protocol may connect. */
  readonly taskClients: boolean;
  /** The ledger and bus of several relays; undefined for one that is alone. */
  readonly shared?: SharedLedger | undefined;
  readonly map?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

export async function runRelay(wishes: RelayWishes, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(wishes.data);
  const tell = (event: Record<string, unknown>, lines: readonly string[]): void => {
    if (wishes.json === true) terminal.print(JSON.stringify(event));
    else for (const line of lines) terminal.print(line);
  };
  const log = createRelayLog(data.path);
  closing.defer(log.close);
  const own = await readCertificate(wishes);
  const place = { ...wishes, names: own?.names ?? [] };
  const tls = own ?? (isLoopback(wishes.host) ? undefined : 'self-signed');
  const web = webApp();
  const maps = await openMaps(wishes.map, data);
  closing.defer(maps.close);
  const options: RelayOptions = {
    data: data.path,
    host: wishes.host,
    port: wishes.port,
    log: log.write,
    web,
    maps,
    hosts: hostNames(place),
    trustedProxy: wishes.proxyName !== undefined,
    taskClients: wishes.taskClients,
    ...(tls && { tls }),
  };
  const { shared } = wishes;
  const start = async () => {
    if (shared !== undefined) return { relay: await joinRelays({ ...options, ...shared }), own: undefined };
    const relay = await startRelay(options);
    return { relay, own: relay };
  };
  const { relay, own: alone } = await start().catch((error: unknown) => {
    throw readable(error, wishes, data);
  });
  closing.defer(relay.close);
  await introduce(relay, { place, tell, terminal, isJson: wishes.json === true });
  closing.defer(await letAgentsIn(relay, data));
  // A person who reads the link opens it next: the app is made ready meanwhile.
  if (terminal.columns !== undefined) void web(new Request(relay.url));

  const browser =
    wishes.alone || alone === undefined ? undefined : lendBrowser(alone, maps, wishes, data, tell, terminal);
  closing.defer(async () => (await browser)?.close());
  await ending.asked;
  terminal.printError('Stopping: what was accepted stays, and devices come back by themselves.');
  return 0;
}

interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly names: readonly string[];
}

async function readCertificate({
  cert: certFile,
  key: keyFile,
}: RelayWishes): Promise<OwnCertificate | undefined> {
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [cert, key] = await Promise.all([readText(certFile), readText(keyFile)]);
  try {
    return { cert, key, names: certifiedNames(cert) };
  } catch (cause) {
    throw new Error(`${certFile} is no certificate. --cert takes one in PEM.`, { cause });
  }
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`There is nothing to read at ${file}.`, { cause });
  });

function readable(error: unknown, { port }: RelayWishes, { path }: DataFolder): unknown {
  if (error instanceof LedgerError && error.code === 'ledger_locked') {
    return new Error(`A relay runs with ${path} already. Use that one, stop it, or choose another --data.`);
  }
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  return isTaken
    ? new Error(`Port ${port} is taken by another program. Choose one with --port, or any with --port 0.`)
    : error;
}

/** A browser is a convenience: the relay runs without one. */
async function lendBrowser(
  relay: Relay,
  maps: MapSource,
  wishes: RelayWishes,
  data: DataFolder,
  tell: Tell,
  terminal: Terminal,
): Promise<{ readonly close: () => Promise<void> } | undefined> {
  const opening = new AsyncDisposableStack();
  try {
    const browser = await openBrowser(wishes, data, terminal);
    opening.defer(() => browser.close());
    const label = `Browser on ${hostname()}`;
    const live = openLiveBridge({
      browser,
      // The relay has them too, and longer.
      maps: { ...maps, close: () => {} },
      asker: relay.asker,
      data,
      bridge: relay.bridge,
    });
    opening.defer(live.close);
    // What was permitted for good goes too: an agent that goes on is asked about, whatever it does.
    opening.defer(relay.onHalt(live.grants.revokeAll));
    tell({ event: 'browser', label }, [`${label} is lent to agents. What cannot be undone is asked of you.`]);
    let isOurs = false;
    void live.over.then(() => {
      if (!isOurs) tell({ event: 'browser_gone' }, ['The browser was closed. The relay goes on without it.']);
    });
    return {
      close() {
        isOurs = true;
        return opening.disposeAsync();
      },
    };
  } catch (error) {
    await opening.disposeAsync();
    const message = error instanceof Error ? error.message : String(error);
    tell({ event: 'browser_failed', message }, [`No browser is lent: ${message}`]);
    return undefined;
  }
}
