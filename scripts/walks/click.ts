import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bridge, createBridge } from '@drawbridge/bridge';
import { connectWebSocket, systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import { serveStdio } from '@drawbridge/mcp/stdio';
import { startRelay } from '@drawbridge/relay';
import { createGrantBook, denyAll, noMaps } from '@drawbridge/runtime';
import { launchBrowser } from '@drawbridge/runtime/cdp';
import { type Connect, serveSurfaces } from '@drawbridge/runtime/node';
import { listenOnLoopback } from '@drawbridge/testbed';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { walkedFunctions } from './coverage.ts';

const BUTTON = 'Count one more';
const PAGE = `<!doctype html><html lang="en"><title>A counter</title><body><h1>A counter</h1>
<p><button type="button" onclick="count.textContent++">${BUTTON}</button> <output id="count">0</output></p></body></html>`;
const WARM_UP = 3;

/**
 * One MCP `act` with one click: the client's HTTP request to the relay, over a WebSocket to a runtime in this
 * process, over CDP to a Chromium, and back. Code in the page is not counted.
 */
export async function walkClick() {
  await using closing = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), 'walks-'));
  closing.defer(() => rm(data, { recursive: true, force: true }));
  const relay = await startRelay({ port: 0, data, log: () => {} });
  closing.defer(relay.close);
  const mint = async (role: 'runtime' | 'agent') =>
    (await relay.devices.mint({ roles: [role], scopes: [], label: role, by: 'machine' })).token;
  const token = await mint('runtime');
  const headers = { authorization: `Bearer ${await mint('agent')}` };
  const url = new URL(`${relay.url}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  return await clicks(closing, relay.bridge, transport, (receive, announce) => {
    const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/runtime`, token });
    link.onItem(receive);
    link.onState((state) => {
      if (state.kind === 'open' && !state.resumed) announce();
    });
    return { send: link.send, close: () => link.close() };
  });
}

/** The same click without a relay: `drawbridge mcp` with its own browser, in one process. */
export async function walkClickAlone() {
  await using closing = new AsyncDisposableStack();
  const bridge = createBridge({ clock: systemClock, ids: () => randomUUID() });
  closing.defer(() => bridge.close());
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const serving = serveStdio({ bridge, ready: async () => {} }, { transport: ours });
  closing.defer(() => serving.close());
  return await clicks(closing, bridge, theirs, (receive) => {
    const connection = bridge.connectRuntime({ send: receive });
    return { send: connection.receive, close: connection.close };
  });
}

async function clicks(
  closing: AsyncDisposableStack,
  bridge: Bridge,
  transport: Parameters<Client['connect']>[0],
  connect: Connect,
) {
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  const url = `http://127.0.0.1:${await listenOnLoopback(site)}/`;
  closing.defer(() => {
    site.closeAllConnections();
    site.close();
  });
  const browser = await launchBrowser({ headless: true, url });
  closing.defer(() => browser.close());
  const evaluator = createWorkerEvaluator();
  closing.defer(() => evaluator.close());
  const surfaces = serveSurfaces({
    source: browser,
    connect,
    maps: noMaps,
    grants: createGrantBook({ now: Date.now, newId: randomUUID }),
    asker: denyAll('a walk asks nobody'),
    evaluator,
    by: 'the walk',
  });
  closing.defer(() => surfaces.close());
  const client = new Client({ name: 'walks', version: '1.0.0' });
  closing.defer(() => client.close());
  await announced(bridge);
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    if (isError === true) throw new Error(text);
    return text;
  };
  const id = new RegExp(`^\\+?(\\S+) \\S+ ${BUTTON}`, 'm').exec(await call('snapshot', {}))?.[1];
  if (id === undefined) throw new Error('The button is not in the snapshot.');
  const walk = async (): Promise<void> => {
    await call('act', { steps: [{ do: 'click', id }] });
  };
  for (let n = 0; n < WARM_UP; n += 1) await walk();
  return await walkedFunctions(walk);
}

const announced = (bridge: Bridge): Promise<void> =>
  new Promise((resolve) => {
    if (bridge.runtimes().length > 0) return resolve();
    const stop = bridge.watch(({ kind }) => {
      if (kind !== 'runtime') return;
      stop();
      resolve();
    });
  });
