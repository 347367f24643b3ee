import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { isDeep, sampled } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import type { CountingInput, Counts, Started } from '../../../test/server/guard/counting-relay.ts';
import { openPeer, startTestRelay, type TestPeer, temporaryFolder } from '../../../test/server/test-relay.ts';
import type { Role } from '../../core/ports.ts';
import { RELAY_LIMITS } from '../options.ts';

const PROGRAM = new URL('../../../test/server/guard/counting-relay.ts', import.meta.url);
const CONNECTIONS = 200;
const REQUESTS = 1_000;
/** Pieces of one byte: as many as one read of Node can hold. */
const PIECES = 10_000;
const MOST_MEMORY = 128 * 1_048_576;
const ROLES: readonly Role[] = ['person', 'proxy', 'agent'];

async function startCountingRelay(secure: boolean) {
  const input: CountingInput = { data: await temporaryFolder(), roles: ROLES, secure };
  const execArgv = ['--expose-gc'];
  const child = fork(PROGRAM, [JSON.stringify(input)], {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const answer = async () => (await once(child, 'message'))[0];
  const { url, tokens }: Started = await answer();
  const [person = '', proxy = '', agent = ''] = tokens;
  const counts = async (): Promise<Counts> => {
    child.send('counts');
    return answer();
  };
  return { url, port: Number(new URL(url).port), person, proxy, agent, counts };
}

type CountingRelay = Awaited<ReturnType<typeof startCountingRelay>>;

/** A person's socket, at a relay with the session `session`. */
async function greet({ url, person, proxy }: CountingRelay): Promise<TestPeer> {
  const join = async (role: 'person' | 'proxy', token: string): Promise<TestPeer> => {
    const peer = await openPeer(url, { device_id: role, role, token });
    const peer_role = role === 'proxy' ? 'proxy' : 'browser';
    peer.send({ type: 'connection_hello', peer_role, client_name: 'test' });
    await peer.next('connection_ack');
    return peer;
  };
  const agent = await join('proxy', proxy);
  const sessions = [{ session_id: 'session', agent_type: 'claude', status: 'healthy' }];
  agent.send({ type: 'proxy_session_snapshot', sessions });
  await agent.settled();
  return join('person', person);
}

let sent = 0;

async function send(person: TestPeer): Promise<void> {
  sent += 1;
  const client_message_id = `mine_${sent}`;
  const created_at = '2026-01-01T00:00:00.000Z';
  const message = { session_id: 'session', client_message_id, content: 'Go on.', created_at };
  person.send({ type: 'send_message', ...message });
  while ((await person.next('message_accepted')).client_message_id !== client_message_id);
}

interface Flood {
  readonly first: string;
  /** Sent when the first bytes were answered. */
  readonly rest?: string;
}

/** Resolves when the relay has closed the connection. */
async function flood({ url, port }: CountingRelay, { first, rest = '' }: Flood): Promise<void> {
  const socket: Socket = url.startsWith('https')
    ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    : connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.once('data', () => socket.write(rest));
  socket.resume();
  socket.write(first);
  await new Promise((resolve) => socket.once('close', resolve));
}

type Attack = (relay: CountingRelay) => Flood;
const requests = (...lines: readonly string[]): Flood => ({
  first: `${lines.join('\r\n')}`.repeat(REQUESTS),
});
const host = ({ port }: CountingRelay) => `Host: 127.0.0.1:${port}`;
const bearer = ({ agent }: CountingRelay) => `Authorization: Bearer ${agent}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const PIECE = '1\r\na\r\n';

const getPage: Attack = (relay) => requests('GET /openapi.json HTTP/1.1', host(relay), '\r\n');
const inPieces = (...lines: readonly string[]): Flood => ({
  first: [...lines, CHUNKED].join('\r\n') + PIECE.repeat(PIECES),
});

const ATTACKS: Readonly<Record<string, Attack>> = {
  requests: getPage,
  'requests that Node answers itself': () => requests('GET / HTTP/1.1', '\r\n'),
  'unknown expectations': (relay) => requests('GET / HTTP/1.1', host(relay), 'Expect: more', '\r\n'),
  'requests with bodies': (relay) =>
    requests('POST /api/pair HTTP/1.1', host(relay), 'Content-Length: 2', '', '{}'),
  'requests of an agent': (relay) => requests('GET /api/tasks HTTP/1.1', host(relay), bearer(relay), '\r\n'),
  'requests of an agent with bodies': (relay) =>
    requests('POST /mcp HTTP/1.1', host(relay), bearer(relay), 'Content-Length: 2', '', '{}'),
  'bodies in tiny pieces': (relay) => inPieces('POST /api/pair HTTP/1.1', host(relay)),
  'bodies in tiny pieces of an agent': (relay) => inPieces('POST /mcp HTTP/1.1', host(relay), bearer(relay)),
  'bodies in tiny pieces after the answer': () => ({
    first: ['POST /api/pair HTTP/1.1', 'Host: elsewhere', CHUNKED].join('\r\n'),
    rest: PIECE.repeat(PIECES),
  }),
};

test.each<[how: string, attacks: Readonly<Record<string, Attack>>]>([
  ['TCP', Object.fromEntries(sampled(Object.entries(ATTACKS), 2))],
  ...(isDeep ? [['TLS', { requests: getPage }] as [string, typeof ATTACKS]] : []),
])('parses a flood up to the limits while a person sends, over %s', async (how, attacks) => {
  const relay = await startCountingRelay(how === 'TLS');
  const person = await greet(relay);
  await send(person);
  for (const [name, attack] of Object.entries(attacks)) {
    const before = await relay.counts();
    let isOver = false;
    const over = Promise.all(Array.from({ length: CONNECTIONS }, () => flood(relay, attack(relay)))).then(
      () => {
        isOver = true;
      },
    );
    while (!isOver) await send(person);
    await over;
    const after = await relay.counts();
    const { pipelined_requests, body_pieces } = RELAY_LIMITS;
    expect(after.requests - before.requests, name).toBeLessThanOrEqual(CONNECTIONS * pipelined_requests);
    // A body of `body_pieces` single bytes may have one piece more, and each of the requests ends with one.
    const most = body_pieces + 1 + 2 * pipelined_requests;
    expect(after.pieces - before.pieces, name).toBeLessThanOrEqual(CONNECTIONS * most);
    expect(after.bytes - before.bytes, name).toBeLessThan(MOST_MEMORY);
  }
});

test('answers eight pipelined requests, again and again', async () => {
  const { port } = await startTestRelay();
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answers = '';
  socket.on('data', (part) => {
    answers += String(part);
  });
  for (let round = 1; round <= 5; round += 1) {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(8));
    await expect.poll(() => answers.match(/HTTP\/1\.1 200/g)?.length).toBe(round * 8);
  }
});

test.each(['with its length', 'in chunks'])(
  'stores an upload that looks like thousands of requests, sent %s',
  async (how) => {
    const relay = await startTestRelay();
    const person = await relay.mint('person');
    const proxy = await relay.mint('proxy');
    const session = { session_id: 'one', proxy_device_id: proxy.device_id, metadata: {}, at: 1 };
    await relay.ledger.commit([{ do: 'create_session', ...session }]);
    const content = Buffer.from(
      `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${relay.port}\r\n\r\n1\r\na\r\n`.repeat(50_000),
    );
    const headers = { authorization: `Bearer ${person.token}` };
    let at = 0;
    const chunks = new ReadableStream({
      pull(queue) {
        queue.enqueue(content.subarray(at, at + 1_000));
        at += 1_000;
        if (at >= content.length) queue.close();
      },
    });
    const stored = await fetch(`${relay.url}/api/files?name=a.txt&session_id=one`, {
      ...{ method: 'POST', headers, duplex: 'half' },
      body: how === 'in chunks' ? chunks : content,
    });
    expect(stored.status).toBe(201);
    const { file_id } = await stored.json();
    const back = await fetch(`${relay.url}/api/files/${file_id}`, { headers });
    expect(Buffer.from(await back.arrayBuffer()).equals(content)).toBe(true);
    expect(await (await fetch(`${relay.url}/healthz`)).text()).toContain('ok');
  },
);

test('reads a frame that comes in the same bytes as its upgrade', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('person');
  const socket = connect(relay.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const hello = Buffer.from(
    JSON.stringify({
      protocol_version: 1,
      type: 'connection_hello',
      peer_role: 'browser',
      client_name: 'test',
    }),
  );
  const upgrade = [
    ...['GET /ws/chat HTTP/1.1', `Host: 127.0.0.1:${relay.port}`, `Authorization: Bearer ${token}`],
    ...['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ].join('\r\n');
  // A masked text frame of less than 126 bytes, with the mask 0.
  const frame = Buffer.from([0x81, 0x80 | hello.length, 0, 0, 0, 0]);
  let answer = '';
  socket.on('data', (part) => {
    answer += String(part);
  });
  socket.write(Buffer.concat([Buffer.from(`${upgrade}\r\n\r\n`), frame, hello]));
  await expect.poll(() => answer).toContain('connection_ack');
});
