import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNats, startPostgres } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProgram, temporaryFolder } from '../../test/live/program-harness.ts';
import { drawbridge } from '../../test/terminal.ts';
import { readShared } from './shared-ledger.ts';

/** Tests start child processes on a busy machine. */
const DATABASE = 'postgres://user:hidden@host/name';
const BUS = 'nats://user:hidden@host:4222';

test('needs both or neither, from arguments or the environment', () => {
  expect(readShared({}, {})).toBeUndefined();
  expect(readShared({}, { DRAWBRIDGE_DATABASE: '', DRAWBRIDGE_BUS: '' })).toBeUndefined();
  const shared = { database: 'postgres://user@host/name', bus: 'nats://host:4222' };
  expect(readShared(shared, {})).toEqual(shared);
  const secret = { DRAWBRIDGE_DATABASE: DATABASE, DRAWBRIDGE_BUS: BUS };
  expect(readShared({}, secret)).toEqual({ database: DATABASE, bus: BUS });
  expect(readShared({ bus: 'nats://other' }, { DRAWBRIDGE_DATABASE: DATABASE, DRAWBRIDGE_BUS: BUS })).toEqual(
    {
      database: DATABASE,
      bus: 'nats://other',
    },
  );
  expect(readShared({ ...shared, 'node-url': 'https://a:1/' }, {})).toEqual({
    ...shared,
    nodeUrl: 'https://a:1',
  });
});

test.each([
  [{ database: 'postgres://h/d' }, /--database needs --bus/],
  [{ bus: 'nats://h' }, /--database needs --bus/],
  [{ database: DATABASE, bus: 'nats://h' }, /A password in --database shows in the process list/],
  [{ database: 'postgres://h/d', bus: BUS }, /A password in --bus shows in the process list/],
  [{ 'node-url': 'http://a:1' }, /--node-url is for relays that share/],
  [{ database: 'mysql://host', bus: 'nats://h' }, /--database is an address such as postgres:/],
  [{ database: 'postgres://h/d', bus: 'http://host' }, /--bus is an address such as nats:/],
  [
    { database: 'postgres://h/d', bus: 'nats://h', 'node-url': 'http://a/b' },
    /--node-url is an address such as https:/,
  ],
])('%j', (values, message) => {
  expect(() => readShared(values, {})).toThrow(message);
  expect(() => readShared(values, {})).not.toThrow(/hidden/);
});

test('waits for an unreachable database, says so without its password, and ends on request', async () => {
  const { child, exited } = startProgram(['up', '--no-browser', '--port', '0', '--data', temporaryFolder()], {
    DRAWBRIDGE_DATABASE: 'postgres://user:hidden@127.0.0.1:1/name',
    DRAWBRIDGE_BUS: 'nats://user:hidden@127.0.0.1:1',
  });
  let errors = '';
  child.stderr?.on('data', (text: string) => {
    errors += text;
  });
  await expect.poll(() => errors).toContain('The database does not answer. This relay waits for it');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(errors).not.toContain('hidden');
});

/** PostgreSQL and NATS, and relays on them as programs. */
async function sharedLedger() {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  onTestFinished(() => nats[Symbol.asyncDispose]());
  const shared = { DRAWBRIDGE_DATABASE: postgres.url, DRAWBRIDGE_BUS: nats.url };
  const start = async (data = temporaryFolder()) => {
    const program = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data], shared);
    const first = await program.line(({ event }) => event === 'listening');
    return { ...program, data, url: String(first['url']), first };
  };
  return { postgres, start };
}

test('relays start together, fresh and after all were killed, and keep their agents’ devices', async () => {
  const { start } = await sharedLedger();
  const fresh = await Promise.all([start(), start(), start()]);
  const expectAgents = async (relays: readonly (typeof fresh)[number][]) => {
    for (const { data, url } of relays) {
      // Written a moment after the first line.
      const token = await vi.waitFor(
        () => {
          const file = JSON.parse(readFileSync(join(data, 'bridge.json'), 'utf8'));
          expect(file.url).toBe(url);
          return file.token;
        },
        { timeout: 60_000 },
      );
      const me = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
      expect(me.status, url).toBe(200);
    }
  };
  await expectAgents(fresh);
  for (const { child } of fresh) child.kill('SIGKILL');
  await Promise.all(fresh.map(({ exited }) => exited));
  // The lease of the dead leader has not ended yet.
  const again = await Promise.all(fresh.map(({ data }) => start(data)));
  await expectAgents(again);
});

test('two relays share a ledger: a device paired at one is known at the other', async () => {
  const { postgres, start } = await sharedLedger();
  const [one, two] = [await start(), await start()];
  for (const { first, url } of [one, two]) {
    expect(first).toMatchObject({ pair_url: expect.stringContaining(`${url}/#pair=`) });
  }
  const paired = await drawbridge([
    'pair',
    '--role',
    'proxy',
    '--name',
    'Studio',
    '--json',
    '--data',
    two.data,
  ]);
  const { token } = JSON.parse(paired.text);
  for (const { url } of [one, two]) {
    const me = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(await me.json()).toMatchObject({ label: 'Studio', roles: ['proxy'] });
  }
  expect((await drawbridge(['devices', '--data', one.data])).text).toContain('Studio');
  const log = readFileSync(join(one.data, 'relay.log'), 'utf8');
  expect(log).not.toContain(postgres.url);
});
