import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNats, startPostgres } from '@drawbridge/testbed';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startProgram, temporaryFolder } from '../live/live.suite.ts';
import { drawbridge } from '../terminal.suite.ts';
import { readShared } from './shared-ledger.ts';

/** Each starts processes of its own, on a machine that does more than this. */
vi.setConfig({ testTimeout: 120_000 });

const DATABASE = 'postgres://user:hidden@host/name';
const BUS = 'nats://user:hidden@host:4222';

test('both or neither, from the line or the environment', () => {
  expect(readShared({}, {})).toBeUndefined();
  expect(readShared({}, { DRAWBRIDGE_DATABASE: '', DRAWBRIDGE_BUS: '' })).toBeUndefined();
  const shared = { database: DATABASE, bus: BUS };
  expect(readShared(shared, {})).toEqual(shared);
  expect(readShared({}, { DRAWBRIDGE_DATABASE: DATABASE, DRAWBRIDGE_BUS: BUS })).toEqual(shared);
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
  [{ database: DATABASE }, /--database and --bus go together/],
  [{ bus: BUS }, /--database and --bus go together/],
  [{ 'node-url': 'http://a:1' }, /--node-url is for relays that share/],
  [{ database: 'mysql://user:hidden@host', bus: BUS }, /--database is an address as postgres:/],
  [{ database: DATABASE, bus: 'http://user:hidden@host' }, /--bus is an address as nats:/],
  [{ database: DATABASE, bus: BUS, 'node-url': 'http://a/b' }, /--node-url is an address as https:/],
])('%j', (values, message) => {
  expect(() => readShared(values, {})).toThrow(message);
  expect(() => readShared(values, {})).not.toThrow(/hidden/);
});

test('a database or a bus that is not there is named, without its password', async () => {
  const nowhere = [
    '--database',
    'postgres://user:hidden@127.0.0.1:1/name',
    '--bus',
    'nats://user:hidden@127.0.0.1:1',
  ];
  const { code, errors } = await drawbridge([
    'up',
    '--no-browser',
    '--port',
    '0',
    '--data',
    temporaryFolder(),
    ...nowhere,
  ]);
  expect(code).toBe(1);
  expect(errors).toMatch(/database/i);
  expect(errors).not.toContain('hidden');
});

test('two relays share a ledger: what is paired at one is known at the other', async () => {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  onTestFinished(() => nats[Symbol.asyncDispose]());
  const start = async () => {
    const data = temporaryFolder();
    const shared = ['--database', postgres.url, '--bus', nats.url];
    const program = startProgram(['up', '--no-browser', '--json', '--port', '0', '--data', data, ...shared]);
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
