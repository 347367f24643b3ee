import { connect, type Socket } from 'node:net';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestRelay, type TestRelay } from '../../../test/server/test-relay.ts';

function dial({ port }: TestRelay, text = '') {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (part) => {
    answer += String(part);
  });
  const connected = new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  if (text !== '') socket.write(text);
  return { socket, connected, closed };
}

const slowBody = ({ port }: TestRelay, path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;

test('a body that does not arrive within 30 s ends its request, on any route', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const relay = await startTestRelay({ clock });
  const slow = ['/api/pair', '/api/tasks', '/api/pair/code', '/mcp', '/nowhere'].map((path) =>
    dial(relay, slowBody(relay, path)),
  );
  await Promise.all(slow.map(({ connected }) => connected));
  await (await relay.connect('person')).settled();
  const printed = vi.spyOn(console, 'error');
  onTestFinished(() => printed.mockRestore());
  clock.advance(30_000);
  for (const { closed } of slow) expect(await closed).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(await (await fetch(`${relay.url}/healthz`)).text()).toContain('ok');
  expect(printed).not.toHaveBeenCalled();
  expect(relay.lines.join('\n')).not.toMatch(/"(?:fault|request_failed)"/);
});

test('a client that leaves in the middle of its body is logged as no fault', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('owner');
  const lines = (path: string) =>
    slowBody(relay, path).replace('\r\n\r\n', `\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const paths = ['/mcp', '/api/tasks', '/bridge/agent/items', '/api/agent/interact', '/api/pair'];
  for (const path of paths) {
    const leaving = dial(relay, lines(path));
    await leaving.connected;
    await expect
      .poll(async () => (await fetch(`${relay.url}/metrics`)).text())
      .toMatch(path === '/api/pair' ? /./ : /limit_used\{name="open_requests"\} 1\b/);
    leaving.socket.resetAndDestroy();
    await expect
      .poll(async () => (await fetch(`${relay.url}/metrics`)).text())
      .toMatch(/limit_used\{name="open_requests"\} 0\b/);
  }
  expect(relay.lines.join('\n')).not.toMatch(/"(?:fault|request_failed)"/);
});

test('closes the oldest connection without a credential to make room, and the owner can halt the relay', async () => {
  const relay = await startTestRelay({ limits: { connections_per_address: 20 } });
  const owner = await relay.mint('owner');
  const known = await relay.connect('person');
  const strangers = [];
  for (let at = 0; at < 40; at += 1) {
    const unauthenticated = dial(relay, slowBody(relay, '/api/pair'));
    await unauthenticated.connected;
    strangers.push(unauthenticated);
  }
  await Promise.all(strangers.slice(0, 20).map(({ closed }) => closed));
  const halted = await fetch(`${relay.url}/api/halt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(halted.status).toBe(200);
  await known.settled();
});

const pipelined = ({ port }: TestRelay, count: number) =>
  `GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(count);

test('closes a connection with more pipelined requests than it may leave unanswered', async () => {
  const relay = await startTestRelay({ limits: { pipelined_requests: 8 } });
  const greedy = dial(relay, pipelined(relay, 1_000));
  expect((await greedy.closed).match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(0);
  expect(await (await fetch(`${relay.url}/metrics`)).text()).toContain('reason="pipelined"');
});

test('delays, then refuses requests without a credential beyond the rate of their address', async () => {
  const clock = createFakeClock(1_700_000_000_000);
  const limits = { stranger_requests_per_second: 1, stranger_request_burst: 2 };
  const relay = await startTestRelay({ clock, limits });
  const { token } = await relay.mint('owner');
  const ask = () => fetch(`${relay.url}/healthz`);
  const statuses: number[] = [];
  const asked = Array.from({ length: 10 }, async () => statuses.push((await ask()).status));
  // Two pass, five wait for a second each, three are refused.
  await expect.poll(() => statuses.toSorted().join()).toBe('200,200,429,429,429');
  const refused = await ask();
  expect(refused.headers.get('retry-after')).toBe('6');
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited', retry_after: 6 } });
  const known = await fetch(`${relay.url}/healthz`, { headers: { authorization: `Bearer ${token}` } });
  expect(known.status).toBe(200);
  clock.advance(5_000);
  await Promise.all(asked);
  expect(statuses.filter((status) => status === 200)).toHaveLength(7);
});
