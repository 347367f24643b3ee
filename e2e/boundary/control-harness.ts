import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallRequest, createRemoteBridge, type RemoteBridge } from '@drawbridge/bridge';
import { connectWebSocket } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { type Relay, startRelay } from '@drawbridge/relay';
import { createGrantBook, noMaps } from '@drawbridge/runtime';
import { type CdpBrowser, launchBrowser } from '@drawbridge/runtime/cdp';
import { type Connect, serveSurfaces } from '@drawbridge/runtime/node';
import { listenOnLoopback, pageChromiumPath, SHELL_FLAGS } from '@drawbridge/testbed';

/** An attacker with nothing but an agent's token. */
export interface Agent {
  readonly bridge: RemoteBridge;
  readonly call: (name: string, args?: object, more?: Partial<CallRequest>) => Promise<unknown>;
  /** Opens a tab and resolves with its runtime once that has announced itself. */
  readonly openTab: (url: string) => Promise<string>;
  readonly close: () => void;
}

export async function openAgent(relay: Relay): Promise<Agent> {
  const { token } = await relay.devices.mint({ roles: ['agent'], label: 'An agent', by: 'machine' });
  const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  const bridge = createRemoteBridge({ send: link.send, newId: randomUUID });
  link.onItem(bridge.receive);
  await new Promise<void>((resolve) => {
    link.onState((state) => {
      if (state.kind !== 'open') return;
      bridge.opened();
      resolve();
    });
  });
  const call: Agent['call'] = (name, args = {}, more = {}) =>
    bridge.call({ name, arguments: { ...args }, ...more }).output;
  return {
    bridge,
    call,
    async openTab(url) {
      const { runtime_id } = await known(bridge, () => true);
      const opened = await call('browser.open_tab', { url }, { runtime_id });
      const key: unknown = Reflect.get(Object(Reflect.get(Object(opened), 'tab')), 'runtime_key');
      return (await known(bridge, (ready) => ready.runtime_key === key && ready.url === url)).runtime_id;
    },
    close: () => link.close(),
  };
}

/** The first matching runtime that the agent learns of. */
export function known(
  bridge: RemoteBridge,
  fits: (ready: { readonly url: string; readonly runtime_key?: string | undefined }) => boolean,
) {
  const find = () => bridge.runtimes().find(({ ready }) => fits(ready));
  return new Promise<NonNullable<ReturnType<typeof find>>>((resolve) => {
    const there = find();
    if (there !== undefined) return resolve(there);
    const stop = bridge.watch(() => {
      const found = find();
      if (found === undefined) return;
      stop();
      resolve(found);
    });
  });
}

/** Errors of `page.fetch` at another origin, and of one that is redirected there. */
export const FETCH_REFUSED = {
  code: 'permission_denied',
  evidence: { reason: 'page_fetch_cross_origin' },
};
export const FETCH_FAILED = { code: 'handler_failed', evidence: { reason: 'page_fetch_failed' } };

/** Text of the pages that a frame of the relay, or of another server under its name, shows. */
export const RELAY_TEXT = /Drawbridge|This is a relay|Pair this device|Shop|Elsewhere/;

/** A site with every kind of link or redirect to a relay. */
export async function startLeadingSite(relayPort: () => number) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const to = searchParams.get('to') ?? `http://127.0.0.1:${relayPort()}/`;
    if (pathname === '/redirect') return void response.writeHead(302, { location: to }).end();
    const page = PAGES[pathname];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Site</title>${page?.(to.replaceAll('"', '%22')) ?? 'Nothing.'}`);
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DECLARE = `const meta = document.createElement('meta'); meta.name = 'drawbridge';
  meta.content = 'control-plane'; document.head.append(meta)`;

const PAGES: Readonly<Record<string, (to: string) => string>> = {
  '/': () => '<h1>Shop</h1>',
  '/link': (to) => `<a id="go" href="${to}">Next page</a>`,
  '/form': (to) => `<form action="${to}"><button id="go">Next page</button></form>`,
  '/script': (to) => `<button id="go" onclick="location.assign('${to}')">Next page</button>`,
  '/popup': (to) => `<button id="go" onclick="window.open('${to}')">Next page</button>`,
  '/frame': (to) => `<h1>Frame</h1><iframe title="Inner" width="600" height="400" src="${to}"></iframe>`,
  '/declared': () => '<head><meta name="drawbridge" content="control-plane"></head><h1>Elsewhere</h1>',
  '/late': () => `<h1>Plain</h1><button onclick="${DECLARE}">More</button>`,
};

export interface ControlHarness extends AsyncDisposable {
  readonly relay: Relay;
  readonly agent: Agent;
  readonly browser: CdpBrowser;
  readonly site: Awaited<ReturnType<typeof startLeadingSite>>;
  /** Actions of the person in the lent browser, as CDP commands. */
  readonly person: Person;
  /** Debugging address of the browser, as an editor or a person would have opened it. */
  readonly endpoint: string;
}

/** A relay, a browser that joined it by WebSocket, and an agent. */
export async function startControlHarness(): Promise<ControlHarness> {
  const closing = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-control-'));
  closing.defer(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
  const relay = await startRelay({ data: join(data, 'relay'), port: 0 });
  closing.defer(() => relay.close());
  const site = await startLeadingSite(() => relay.port);
  closing.defer(site.close);
  const profile = join(data, 'profile');
  const browser = await launchBrowser({
    executable: pageChromiumPath(),
    headless: true,
    profile,
    args: [...SHELL_FLAGS, '--remote-debugging-port=0'],
    url: `${site.url}/`,
  });
  closing.defer(() => browser.close());
  const evaluator = createWorkerEvaluator({ maxMs: 5_000 });
  closing.defer(() => evaluator.close());
  const { token } = await relay.devices.mint({ roles: ['runtime'], label: 'A browser', by: 'machine' });
  const joined: Connect = (receive, announce) => {
    const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/runtime`, token });
    link.onItem(receive);
    link.onState((state) => state.kind === 'open' && !state.resumed && announce());
    return { send: link.send, close: () => link.close() };
  };
  const grants = createGrantBook({ now: Date.now, newId: randomUUID });
  const surfaces = serveSurfaces({
    source: browser,
    connect: joined,
    maps: noMaps,
    grants,
    evaluator,
    by: 'the test',
  });
  closing.defer(() => surfaces.close());
  const agent = await openAgent(relay);
  closing.defer(agent.close);
  const [port] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
  const endpoint = `http://127.0.0.1:${port}`;
  const person = await openPerson(endpoint);
  closing.defer(person.close);
  // The relay itself listens on [::1].
  closing.defer(await forward('127.0.0.2', relay.port));
  return {
    ...{ relay, agent, browser, site, endpoint, person },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export interface Person {
  readonly send: (
    method: string,
    params: object,
    sessionId?: string,
  ) => Promise<Readonly<Record<string, string>>>;
  /** Opens a tab; resolves with its target. */
  readonly open: (url: string) => Promise<string>;
  readonly close: () => void;
}

/** A second, independent client of the debugging port. */
async function openPerson(endpoint: string): Promise<Person> {
  const version: unknown = await (await fetch(`${endpoint}/json/version`)).json();
  const socket = new WebSocket(String(Reflect.get(Object(version), 'webSocketDebuggerUrl')));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const waiting = new Map<number, (result: Readonly<Record<string, string>>) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result = {} } = JSON.parse(String(data));
    waiting.get(id)?.(result);
  });
  let asked = 0;
  const send: Person['send'] = (method, params, sessionId) =>
    new Promise((resolve) => {
      const id = ++asked;
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    });
  return {
    send,
    open: async (url) => (await send('Target.createTarget', { url }))['targetId'] ?? '',
    close: () => socket.close(),
  };
}

/** Makes the relay reachable at another address of this machine. */
async function forward(host: string, port: number): Promise<() => Promise<void>> {
  const server = createTcpServer((socket) => {
    const there = connect(port, '127.0.0.1');
    socket.pipe(there).pipe(socket);
    for (const end of [socket, there])
      end.on('error', () => {
        socket.destroy();
        there.destroy();
      });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
}
