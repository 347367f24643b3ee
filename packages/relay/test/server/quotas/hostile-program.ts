import { setPriority } from 'node:os';
import { WebSocket } from 'ws';

/**
 * A hostile device in a separate process, at full speed and lowest priority, until killed. The only argument
 * is `{ url, token, endpoint }`; the endpoint `spin` uses CPU and sends nothing.
 */
interface Attack {
  readonly url: string;
  readonly token: string;
  readonly endpoint: string;
}

const { url, token, endpoint }: Attack = JSON.parse(process.argv[2] ?? '{}');
const LARGE = 'x'.repeat(600_000);
const SOCKETS = 8;
let count = 0;
const next = (): number => {
  count += 1;
  return count;
};

setPriority(19);
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends without a pause, as fast as the socket accepts, and reconnects whenever it is closed. */
async function flood(path: string, frame: () => object, first: readonly object[] = []): Promise<never> {
  for (;;) {
    const socket = new WebSocket(url.replace('http', 'ws') + path, 'drawbridge', { headers });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.once('open', async () => {
      for (const each of first) socket.send(JSON.stringify(each));
      while (socket.readyState === socket.OPEN) {
        if (socket.bufferedAmount < 4_000_000) socket.send(JSON.stringify(frame()));
        await turn();
      }
    });
    await closed;
  }
}

async function post(
  path: string,
  body: () => string,
  credential: () => string = () => token,
): Promise<never> {
  for (;;) {
    const authorization = `Bearer ${credential()}`;
    const init = { method: 'POST', headers: { ...headers, authorization }, body: body() };
    await fetch(url + path, init).then(
      (response) => response.arrayBuffer(),
      () => turn(),
    );
  }
}

const hello = (peer_role: string): object => ({
  ...{ protocol_version: 1, type: 'connection_hello', peer_role, client_name: 'hostile' },
});
const asProxy = [
  hello('proxy'),
  {
    ...{ protocol_version: 1, type: 'proxy_session_snapshot' },
    sessions: [{ session_id: 'hostile', agent_type: 'claude', status: 'healthy' }],
  },
];
const chatFrames = (): object => ({
  ...{ protocol_version: 1, type: 'send_message', session_id: 'session', content: LARGE.slice(0, 50_000) },
  ...{ client_message_id: `c${next()}`, created_at: '2026-01-01T00:00:00.000Z' },
});
const proxyFrames = (): object => ({
  ...{ protocol_version: 1, type: 'proxy_message', session_id: 'hostile' },
  message: { role: 'assistant', content: LARGE, created_at: '2026-01-01T00:00:00.000Z' },
});
const statusFrames = (): object => ({
  ...{ protocol_version: 1, type: 'proxy_status', session_id: 'hostile' },
  activity: { kind: 'thinking', label: `${next()}` },
});
const snapshotFrames = (): object => ({
  ...{ protocol_version: 1, type: 'proxy_session_snapshot' },
  sessions: Array.from({ length: 200 }, (_, at) => ({
    ...{ session_id: `hostile_${next() % 2}_${at}`, agent_type: 'claude', status: 'healthy' },
    display_name: `${count}`.padEnd(200, 'x'),
  })),
});
const ready = (): object => ({
  ...{ type: 'runtime_ready', runtime_id: `tab_${next()}`, url: 'https://shop.example/' },
  manifest: { tools: [], note: LARGE },
});
const call = (): object => ({
  ...{ type: 'action_call', call_id: `call_${next()}`, name: 'page.snapshot', arguments: {} },
});
const patterns = (): object =>
  Object.fromEntries(Array.from({ length: 1_500 }, () => [`\\pL{1000}${next()}`, true]));
const order = (): string =>
  JSON.stringify({
    prompt: 'x'.repeat(9_000),
    metadata: { priority: 1e9 },
    schema: { note: LARGE.slice(0, 200_000) },
  });
const heavyOrder = (): string => JSON.stringify({ prompt: 'x', schema: { patternProperties: patterns() } });
const listTools = (): string =>
  JSON.stringify({ jsonrpc: '2.0', id: next(), method: 'tools/list', params: {} });

const ATTACKS: Readonly<Record<string, readonly (() => Promise<never>)[]>> = {
  chat: [() => flood('/ws/chat', chatFrames, [hello('browser')])],
  proxy: [() => flood('/ws/chat', proxyFrames, asProxy)],
  status: [() => flood('/ws/chat', statusFrames, asProxy)],
  snapshots: [() => flood('/ws/chat', snapshotFrames, asProxy)],
  runtime: [() => flood('/ws/runtime', ready)],
  agent: [() => flood('/ws/agent', call)],
  polling: [() => post('/bridge/runtime/items', () => JSON.stringify({ items: [ready()] }))],
  mcp: [() => post('/mcp', listTools)],
  tasks: [() => post('/api/tasks', order), () => post('/api/tasks', heavyOrder)],
  credentials: [
    () =>
      post(
        '/api/halt',
        () => '{}',
        () => `dbr_${String(next()).padStart(43, '0')}`,
      ),
  ],
};

process.on('disconnect', () => process.exit());
process.send?.('started');
while (endpoint === 'spin') {
  for (let at = 0; at < 1e6; at += 1) count = (count + at) % 1_000_003;
  await turn();
}
const attacks = ATTACKS[endpoint] ?? [];
await Promise.all(attacks.flatMap((attack) => Array.from({ length: SOCKETS }, () => attack())));
