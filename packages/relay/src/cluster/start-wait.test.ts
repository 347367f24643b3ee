import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats, startPostgres } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from './start-node.ts';

/** Free a moment ago, because a node says its port only once it has started. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const answer = (url: string) =>
  fetch(url).then(
    async (response) => ({ status: response.status, body: await response.json() }),
    () => ({ status: 0, body: {} }),
  );

test('a node that starts without its database and its bus waits for the first, is alive and says so, and serves degraded without the second', async ({
  skip,
}) => {
  await using postgres = await startPostgres();
  skip(!postgres.isOwn, 'the server that DRAWBRIDGE_TEST_POSTGRES names is not ours to stop');
  await using nats = await startNats();
  await postgres.stop('fast');
  await nats.stop();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const starting = startNode({
    ...{ port, data: await temporaryFolder(), database: postgres.url, bus: nats.url },
    log: (line) => lines.push(line),
  });
  const problems = async () => (await answer(`${url}/readyz`)).body.problems?.[0]?.message;
  await expect.poll(problems).toMatch(/^The database does not answer. This relay waits for it/);
  expect(await answer(`${url}/livez`)).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await answer(`${url}/api/devices`)).status).toBe(503);
  expect(lines.filter((line) => line.includes('"waiting"'))).toEqual([
    expect.stringContaining('"part":"database"'),
  ]);

  await postgres.start();
  await using node = await starting;
  const ready = await answer(`${url}/readyz`);
  expect(ready).toMatchObject({ status: 200, body: { degraded: [{ part: 'bus' }] } });
  expect(node.isLeader()).toBe(true);
  await nats.start();
  await expect.poll(async () => (await answer(`${url}/readyz`)).body.degraded).toEqual([]);
});

test('the wait for the database ends on request, and a missing one is not waited for', async () => {
  const data = await temporaryFolder();
  const options = { port: 0, data, bus: 'nats://127.0.0.1:1' };
  const stop = new AbortController();
  const starting = startNode({
    ...{ ...options, database: 'postgres://127.0.0.1:1/drawbridge', signal: stop.signal },
    onWait: () => stop.abort(),
  });
  await expect(starting).rejects.toMatchObject({ code: 'ledger_unreachable' });
  await using postgres = await startPostgres();
  const database = new URL(postgres.url);
  database.pathname = '/missing';
  await expect(startNode({ ...options, database: database.href })).rejects.toMatchObject({
    code: 'ledger_io',
  });
});
