import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectChat } from '@drawbridge/link/chat';
import { type Relay, startRelay } from '@drawbridge/relay';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';

let relay: Relay;
let data = '';
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'drawbridge-house-'));
  relay = await startRelay({ data, port: 0, env: {} });
});
afterAll(async () => {
  await relay.close();
  await rm(data, { recursive: true, force: true });
});

/** A conversation whose agent is gone again. */
async function leaveSession(display_name: string): Promise<void> {
  const { token } = await relay.devices.mint({ roles: ['proxy'], label: 'Studio', by: 'machine' });
  const url = `${relay.url.replace('http', 'ws')}/ws/chat`;
  const link = connectChat({ url, token, peer_role: 'proxy', client_name: 'test' });
  await new Promise<void>((resolve) => link.onState(({ kind }) => kind === 'open' && resolve()));
  const session = {
    session_id: display_name,
    display_name,
    agent_type: 'unknown',
    status: 'healthy',
  } as const;
  link.send({ type: 'proxy_session_snapshot', sessions: [session] });
  const { token: person } = await relay.devices.mint({ roles: ['person'], label: 'Phone', by: 'machine' });
  const read = async () =>
    await (
      await fetch(`${relay.url}/api/sessions`, { headers: { authorization: `Bearer ${person}` } })
    ).text();
  await expect.poll(read).toContain(display_name);
  link.close();
  await expect.poll(read).toContain('disconnected');
}

/** Free a moment ago: a relay that starts there is told so by the page's own command. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('every step of docs/remote.md does what it says', { timeout: 600_000 }, async () => {
  await leaveSession('Shopping');
  await using followed = await followGuide('docs/remote.md', { env: { DRAWBRIDGE_HOME: data } });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(10);
});

test('every step of docs/agents/steer.md does what it says', { timeout: 600_000 }, async () => {
  await using followed = await followGuide('docs/agents/steer.md', {
    env: { DRAWBRIDGE_HOME: data },
    replace: { 'http://127.0.0.1:7717': relay.url },
  });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(3);
});

test('every step of docs/self-host.md does what it says', { timeout: 600_000 }, async () => {
  const port = await freePort();
  await using followed = await followGuide('docs/self-host.md', {
    replace: {
      'drawbridge doctor ': `drawbridge doctor --no-browser --port ${port} `,
      'up --no-browser\n': `up --no-browser --port ${port}\n`,
      '127.0.0.1:7717': `127.0.0.1:${port}`,
    },
  });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(9);
});
