import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectChat } from '@drawbridge/link/chat';
import { type Relay, startRelay } from '@drawbridge/relay';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followGuide } from './test/guide.ts';

let relay: Relay;
let data = '';
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'drawbridge-remote-'));
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

test('every step of docs/remote.md does what it says', { timeout: 600_000 }, async () => {
  await leaveSession('Shopping');
  await using followed = await followGuide('docs/remote.md', { env: { DRAWBRIDGE_HOME: data } });
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(10);
});
