import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LedgerError, type Relay, startRelay } from '@drawbridge/relay';
import { readBridgeFile, removeBridgeFile, writeBridgeFile } from '../browser/bridge-file.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { type DataFolder, openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import type { BrowserWishes } from '../live/live-arguments.ts';
import { openLiveBridge } from '../live/live-bridge.ts';
import { openBrowser } from '../live/live-browser.ts';
import { openMaps } from '../live/live-maps.ts';
import { invitationLines } from './invitation-words.ts';
import { isLoopback, outsideAddresses, phoneUrl } from './reach.ts';

export interface RelayWishes extends BrowserWishes {
  readonly port: number;
  readonly host: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly proxyName?: string | undefined;
  /** Without a browser. */
  readonly alone: boolean;
  readonly map?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

const AGENT_LABEL = 'Agents of this machine';

export async function runRelay(wishes: RelayWishes, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(wishes.data);
  const tell = (event: Record<string, unknown>, lines: readonly string[]): void => {
    if (wishes.json === true) terminal.print(JSON.stringify(event));
    else for (const line of lines) terminal.print(line);
  };
  const relay = await openRelay(wishes, data);
  closing.defer(relay.close);
  await inviteOwner(relay, wishes, tell, terminal);
  closing.defer(await letAgentsIn(relay, data));

  const browser = wishes.alone ? undefined : lendBrowser(relay, wishes, data, tell, terminal);
  closing.defer(async () => (await browser)?.close());
  await ending.asked;
  terminal.printError('Stopping: what was accepted stays, and devices come back by themselves.');
  return 0;
}

type Tell = (event: Record<string, unknown>, lines: readonly string[]) => void;

async function openRelay(wishes: RelayWishes, data: DataFolder): Promise<Relay> {
  const { host, port, proxyName, cert, key } = wishes;
  const own = cert !== undefined &&
    key !== undefined && { cert: await readText(cert), key: await readText(key) };
  const tls = own || (isLoopback(host) ? undefined : 'self-signed');
  const names = outsideAddresses(host);
  try {
    return await startRelay({
      data: data.path,
      host,
      port,
      ...(tls && { tls }),
      ...(proxyName !== undefined && { trustedProxy: true, hosts: [proxyName] }),
      ...(names.length > 0 && { hosts: names.map((name) => `${name}:${port}`) }),
    });
  } catch (error) {
    throw readable(error, wishes, data);
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

async function inviteOwner(relay: Relay, wishes: RelayWishes, tell: Tell, terminal: Terminal): Promise<void> {
  const { pair_path, expires_at } = await relay.devices.invitations.create({
    roles: ['owner'],
    scopes: [],
    label: `Browser on ${hostname()}`,
    by: 'machine',
  });
  const reach = phoneUrl(relay.url, wishes);
  const pair_url = `${reach ?? relay.url}${pair_path}`;
  const { fingerprint } = relay;
  tell({ event: 'listening', url: relay.url, pair_url, token: relay.devices.owner?.token, fingerprint }, [
    `The relay runs at ${relay.url}`,
    '',
    ...invitationLines({ pair_url, expires_at, reachable: reach !== undefined, fingerprint }, terminal),
    '',
    'drawbridge pair lets in the next device, drawbridge devices',
    'shows them all. Ctrl-C stops the relay.',
  ]);
}

/** `drawbridge mcp` finds it there, as it finds `drawbridge browser`. */
async function letAgentsIn(relay: Relay, { bridgeFile }: DataFolder): Promise<() => Promise<void>> {
  if ((await readBridgeFile(bridgeFile)) !== undefined) return async () => {};
  const { devices } = relay;
  const known = (await devices.list()).filter(
    ({ label, revoked_at }) => label === AGENT_LABEL && revoked_at === null,
  );
  for (const { device_id } of known) await devices.revoke(device_id, 'machine');
  const { token } = await devices.mint({ roles: ['agent'], label: AGENT_LABEL, by: 'machine' });
  const file = { url: relay.url, token, pid: process.pid };
  await writeBridgeFile(bridgeFile, file);
  return () => removeBridgeFile(bridgeFile, file);
}

/** A browser is a convenience: the relay runs without one. */
async function lendBrowser(
  relay: Relay,
  wishes: RelayWishes,
  data: DataFolder,
  tell: Tell,
  terminal: Terminal,
): Promise<{ readonly close: () => Promise<void> } | undefined> {
  const opening = new AsyncDisposableStack();
  try {
    const maps = await openMaps(wishes.map, data);
    opening.defer(maps.close);
    const browser = await openBrowser(wishes, data, terminal);
    opening.defer(() => browser.close());
    const label = `Browser on ${hostname()}`;
    const live = openLiveBridge({
      browser,
      maps,
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
