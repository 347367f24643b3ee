import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres } from '@drawbridge/testbed/find-postgres';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { times, whole } from '../../scripts/bench/words.ts';
import { printTable } from '../measure.ts';
import { type Child, startChild } from '../relay/child.ts';
import { announce } from '../relay/peer.ts';
import { startRelay } from '../relay/relay-bench.ts';
import type { SenderCalls } from '../relay/sender-program.ts';
import type { ClusterBench } from './cluster-bench.ts';

const CONNECTIONS = 100;
const WINDOW = 8;
const WARM_UP_MS = 1_000;
const run = promisify(execFile);

interface Rate {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU of all relays together. */
  readonly cpuEach: number;
}

/** Durable accepts on one, two and three nodes, beside one relay on SQLite and plain single-row inserts. */
export async function playAccepts(cluster: ClusterBench, ms: number): Promise<readonly Figure[]> {
  const sender = await startChild<SenderCalls>('./sender-program.ts');
  const plain = await plainInserts(cluster, ms);
  const sqlite = await onSqlite(cluster, sender, ms);
  const rates: Rate[] = [];
  for (const count of [1, 2, 3]) {
    await cluster.grow(count);
    rates.push(await onNodes(cluster, sender, count, ms));
  }
  await sender.end();
  const [one, , three] = rates;
  const row = (name: string, rate: Rate) => [
    name,
    whole(rate.perSecond),
    times(rate.perSecond / sqlite.perSecond),
    plain === undefined ? '' : times(rate.perSecond / plain),
    whole(rate.p50Ms),
    whole(rate.p99Ms),
    whole(rate.cpuEach),
  ];
  printTable(
    [
      'durable accepts',
      'a second',
      'to SQLite',
      'to plain inserts',
      'p50 ms',
      'p99 ms',
      'µs of CPU of relays',
    ],
    [
      ...(plain === undefined
        ? []
        : [['pgbench, single-row inserts', whole(plain), times(plain / sqlite.perSecond), '', '', '', '']]),
      row('one relay on SQLite', sqlite),
      ...rates.map((rate, index) => row(`${index + 1} on PostgreSQL and NATS`, rate)),
    ],
  );
  const beside = { name: 'pgbench, single-row inserts', value: plain ?? Number.NaN };
  const onOne = { name: 'one relay on SQLite', value: sqlite.perSecond };
  const how = `${CONNECTIONS} people; relays, load, database and bus on the same cores`;
  return [
    figure({
      id: 'cluster.accepts',
      headline: 'Messages stored on PostgreSQL by one relay, a second',
      what: 'durable accepts of one node on PostgreSQL and NATS',
      unit: 'a second',
      better: 'more',
      ours: one?.perSecond,
      beside: [beside, onOne],
      aim: { ratio: 1 },
      how,
      ...(plain === undefined && { note: 'pgbench is not beside the PostgreSQL that was found' }),
    }),
    figure({
      id: 'cluster.accepts.three',
      what: 'durable accepts of three nodes',
      unit: 'a second',
      better: 'more',
      ours: three?.perSecond,
      beside: [onOne, beside],
      how: `${how}, so that more nodes cannot be faster`,
    }),
  ];
}

async function plainInserts({ folder, postgres }: ClusterBench, ms: number): Promise<number | undefined> {
  const pgbench = join(findPostgres() ?? '', 'pgbench');
  if (!existsSync(pgbench)) {
    console.log('did not run: pgbench, which is not beside the PostgreSQL that was found');
    return undefined;
  }
  const script = join(folder, 'insert.sql');
  await run(join(findPostgres() ?? '', 'psql'), [
    postgres.url,
    '-c',
    'CREATE TABLE plain (id bigserial PRIMARY KEY, body text NOT NULL)',
  ]);
  await writeFile(script, `INSERT INTO plain (body) VALUES (repeat('x', 200));\n`);
  const { stdout } = await run(pgbench, [
    ...['--no-vacuum', '--client', String(CONNECTIONS), '--jobs', '2', '--protocol', 'prepared'],
    ...['--time', String(Math.ceil(ms / 1_000)), '--file', script, postgres.url],
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

async function onSqlite({ folder }: ClusterBench, sender: Child<SenderCalls>, ms: number): Promise<Rate> {
  const relay = await startRelay({ data: join(folder, 'sqlite') });
  const { url } = await relay.call('place', undefined);
  const sessions = sessionsOf('sqlite');
  const [proxyToken = '', ...tokens] = await relay.call('mint', ordersFor(sessions));
  (await announce(url, proxyToken, sessions)).terminate();
  await open(sender, 'sqlite', sessions, tokens, [url]);
  await relay.call('figures', undefined);
  const pumped = await sender.call('pump', { name: 'sqlite', ms, window: WINDOW });
  const { cpuSeconds } = await relay.call('figures', undefined);
  await relay.end();
  return { ...pumped, cpuEach: (cpuSeconds * 1e6) / pumped.answers };
}

async function onNodes(
  { nodes }: ClusterBench,
  sender: Child<SenderCalls>,
  count: number,
  ms: number,
): Promise<Rate> {
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no node.');
  const name = `nodes-${count}`;
  const sessions = sessionsOf(name);
  const [proxyToken = '', ...tokens] = await first.call('mint', ordersFor(sessions));
  (await announce(first.url, proxyToken, sessions)).terminate();
  const urls = nodes.slice(0, count).map(({ url }) => url);
  await open(sender, name, sessions, tokens, urls);
  for (const node of nodes) await node.call('figures', undefined);
  const pumped = await sender.call('pump', { name, ms, window: WINDOW });
  const figures = await Promise.all(nodes.map((node) => node.call('figures', undefined)));
  const fault = figures.flatMap(({ faults }) => faults)[0];
  if (fault !== undefined) throw new Error(`a node had a fault: ${fault}`);
  const cpuSeconds = figures.reduce((sum, each) => sum + each.cpuSeconds, 0);
  return { ...pumped, cpuEach: (cpuSeconds * 1e6) / pumped.answers };
}

const sessionsOf = (name: string): readonly string[] =>
  Array.from({ length: CONNECTIONS }, (_, n) => `${name}-${n}`);

/** Each device sees only its session: a hundred that see all would make two hundred frames of each send. */
const ordersFor = (sessions: readonly string[]) => [
  { role: 'proxy' as const },
  ...sessions.map((session_id) => ({ role: 'person' as const, scopes: [`session:${session_id}`] })),
];

async function open(
  sender: Child<SenderCalls>,
  name: string,
  sessions: readonly string[],
  tokens: readonly string[],
  urls: readonly string[],
): Promise<void> {
  const senders = sessions.map((session_id, n) => ({
    session_id,
    token: tokens[n] ?? '',
    url: urls[n % urls.length] ?? '',
  }));
  await sender.call('open', { name, url: urls[0] ?? '', senders, echo: false });
  await sender.call('pump', { name, ms: WARM_UP_MS, window: WINDOW });
}
