import { readFile } from 'node:fs/promises';
import { type RelayOptions, startRelay } from '@drawbridge/relay';
import { webApp } from '@drawbridge/web';
import type { ExitCode, Terminal } from '../command.ts';
import { createOwnRelayDemo } from '../demo/own-relay-demo.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { listenForEnd } from '../live/ending.ts';
import { openMaps } from '../live/live-maps.ts';
import { paintFor, widthOf, wrap } from '../map/paint.ts';
import { ownCommand } from '../path/own-command.ts';
import { introduce } from './introduction.ts';
import { createLocalAgents } from './local-agents.ts';
import { nextSteps } from './next-steps.ts';
import { certifiedNames, hostNames, isLoopback, phoneUrl } from './reach.ts';
import { lendRelayBrowser, type RelayBrowserOptions } from './relay-browser.ts';
import { createRelayLog, type LogTarget, stderrLog } from './relay-log.ts';
import { joinRelays } from './relay-node.ts';
import type { SharedLedger } from './shared-ledger.ts';
import { createRoomWait, startedAt } from './start-problem.ts';

export interface RelayRunOptions extends RelayBrowserOptions {
  readonly port: number;
  /** Use another port if this one is taken. */
  readonly anyPort: boolean;
  readonly host: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly proxyName?: string | undefined;
  /** Start no browser. */
  readonly alone: boolean;
  /** Open a demo shop. */
  readonly shop: boolean;
  /** Accept extensions of the task protocol. */
  readonly taskClients: boolean;
  /** Ledger and bus of several relays; undefined for a single one. */
  readonly shared?: SharedLedger | undefined;
  readonly map?: readonly string[] | undefined;
  readonly log: LogTarget;
  readonly json?: boolean | undefined;
}

export async function runRelay(runOptions: RelayRunOptions, terminal: Terminal): Promise<ExitCode> {
  await using closing = new AsyncDisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const data = await openDataFolder(runOptions.data);
  const isJson = runOptions.json === true;
  const isWatched = !isJson && terminal.columns !== undefined;
  const print = (event: Record<string, unknown>, lines: readonly string[]): void => {
    if (isJson) terminal.print(JSON.stringify(event));
    else for (const line of lines) terminal.print(line);
  };
  /** Reports an optional part. */
  const tellPart = (event: Record<string, unknown>, sentences: readonly string[]): void =>
    print(
      event,
      isWatched ? sentences.flatMap((each) => partLines(each, event['event'], terminal)) : sentences,
    );
  const log = runOptions.log === 'stderr' ? stderrLog() : createRelayLog(data.path);
  closing.defer(log.close);
  const own = await readCertificate(runOptions);
  const address = { ...runOptions, names: own?.names ?? [] };
  const tls = own ?? (isLoopback(runOptions.host) ? undefined : 'self-signed');
  // A path is shown to this machine alone.
  const isOwnMachine = isLoopback(runOptions.host) && runOptions.proxyName === undefined;
  const web = webApp(undefined, isOwnMachine ? ownCommand() : undefined);
  // `--port 0` is for several at a time: the shop then takes any port too.
  const shopPort = runOptions.port === 0 ? 0 : undefined;
  const shop = runOptions.shop ? await (await import('./own-shop.ts')).openOwnShop(shopPort) : undefined;
  closing.defer(async () => shop?.close());
  const maps = await openMaps([...(runOptions.map ?? []), ...(shop === undefined ? [] : [shop.map])], data);
  closing.defer(maps.close);
  const demo = createOwnRelayDemo(data);
  const options: RelayOptions = {
    data: data.path,
    host: runOptions.host,
    port: runOptions.port,
    log: log.write,
    web,
    maps,
    hosts: hostNames(address),
    trustedProxy: runOptions.proxyName !== undefined,
    taskClients: runOptions.taskClients,
    ...(tls && { tls }),
  };
  const { shared } = runOptions;
  const stop = new AbortController();
  void ending.asked.then(() => stop.abort());
  const startAt = async (port: number) => {
    if (shared !== undefined) {
      const waits = { signal: stop.signal, onWait: terminal.printError };
      return { relay: await joinRelays({ ...options, ...shared, ...waits, port }), alone: undefined };
    }
    const relay = await startRelay({ ...options, port, demo });
    return { relay, alone: relay };
  };
  const anyPort = runOptions.anyPort && isWatched;
  const room = createRoomWait(ending.asked, terminal.printError);
  const started = await room(() =>
    startedAt({ ...runOptions, anyPort, data, print: terminal.print }, startAt),
  ).catch((error: unknown) => {
    // A node that waited for its database.
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  if (started === undefined) return 0;
  const { relay, alone } = started;
  closing.defer(relay.close);
  closing.defer(demo.close);
  if (alone !== undefined) demo.open(alone);
  const label = shared && `Agents of ${new URL(shared.nodeUrl ?? relay.url).host}`;
  const agents = createLocalAgents(data);
  closing.defer(agents.close);
  const introduced = room(() => introduce(relay, { address, print, terminal, isJson })).then(() =>
    room(async () => {
      await agents.letIn(relay, label);
      return true;
    }),
  );
  // Relays without a leader wait for one, and must still stop on request.
  const isIntroduced = await Promise.race([introduced, ending.asked]);
  if (isIntroduced === undefined) return 0;
  if (shop !== undefined)
    tellPart({ event: 'shop', url: shop.url }, [
      `A demo shop is open at ${shop.url}.`,
      ...(shop.elsewhere === undefined ? [] : [shop.elsewhere]),
    ]);
  // Builds the web app first, while a person reads the link.
  const isReady = isWatched ? Promise.resolve(web(new Request(relay.url))) : Promise.resolve();
  const lend = async () => {
    await isReady;
    if (runOptions.alone || alone === undefined) return undefined;
    const order = {
      ...runOptions,
      url: runOptions.url ?? shop?.url,
      local: [...(runOptions.local ?? []), ...(shop ? [shop.payUrl] : [])],
      ownShop: shop?.url,
    };
    return lendRelayBrowser(alone, maps, order, data, tellPart, terminal);
  };
  const browser = lend();
  closing.defer(async () => (await browser)?.close());
  if (isWatched)
    void browser.then((lent) => {
      const reachable = phoneUrl(relay.url, address) !== undefined;
      const runs = { demo: alone !== undefined, browser: lent !== undefined, reachable };
      print({}, nextSteps({ ...runs, extension: lent?.hasExtension === true }, terminal));
    });
  await ending.asked;
  // A terminal prints ^C at the start of the line.
  for (const line of [...(isWatched ? [''] : []), ...wrap(STOPPING, widthOf(terminal))])
    terminal.printError(line);
  return 0;
}

const STOPPING = 'Stopping. Accepted messages are kept, and devices reconnect by themselves.';
const FAILURES: readonly unknown[] = ['browser_failed', 'browser_gone'];

function partLines(sentence: string, event: unknown, terminal: Terminal): readonly string[] {
  const paint = paintFor(terminal);
  const [first = '', ...rest] = wrap(sentence, widthOf(terminal), '  ');
  const sign = FAILURES.includes(event) ? paint.warn('!') : paint.good('✓');
  return [`${sign} ${first.trimStart()}`, ...rest];
}

interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly names: readonly string[];
}

async function readCertificate({
  cert: certFile,
  key: keyFile,
}: RelayRunOptions): Promise<OwnCertificate | undefined> {
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
