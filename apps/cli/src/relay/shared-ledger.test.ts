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

test('names an unreachable database or bus, without its password', async () => {
  vi.stubEnv('DRAWBRIDGE_DATABASE', 'postgres://user:hidden@127.0.0.1:1/name');
  vi.stubEnv('DRAWBRIDGE_BUS', 'nats://user:hidden@127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, errors } = await drawbridge([
    'up',
    '--no-browser',
    '--port',
    '0',
    '--data',
    temporaryFolder(),
  ]);
  expect(code).toBe(1);
  expect(errors).toMatch(/database/i);
  expect(errors).not.toContain('hidden');
});

test('two relays share a ledger: a device paired at one is known at the other', async () => {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  onTestFinished(() => nats[Symbol.asyncDispose]());
  const start = async () => {
    const data = temporaryFolder();
    const shared = { DRAWBRIDGE_DATABASE: postgres.url, DRAWBRIDGE_BUS: nats.url };
    const program = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data], shared);
    const first = await program.line(({ event }) => event === 'listening');
    return { data, url: String(first['url']), first };
  };
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
