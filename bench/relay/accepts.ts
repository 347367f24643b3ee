import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type Figure, figure } from '../../scripts/bench/figure.ts';
import { whole } from '../../scripts/bench/words.ts';
import { median, printTable } from '../measure.ts';
import { type Child, startChild } from './child.ts';
import { bareAcceptsPerSecond, ledgerAcceptsPerSecond, syncsPerSecond } from './disk.ts';
import { announce, sendFrame } from './peer.ts';
import { type BenchPhase, type RelayBench, startEcho, startRelay } from './relay-bench.ts';
import type { Pumped, SenderCalls } from './sender-program.ts';

const CONNECTIONS = 100;
/** Unanswered sends per connection: together more than one commit of the ledger takes. */
const WINDOW = 8;
const WARM_UP_MS = 1_000;
const HEARTBEAT_MS = 10_000;
/** On a shared machine the median of five rounds differed between runs. */
const ROUNDS = 9;
/** After this time without a frame, nothing more is in flight. */
const QUIET_MS = 1_000;
/** The same load in every run. */
const STEADY_PER_SECOND = 4_000;
const SESSIONS = Array.from({ length: CONNECTIONS }, (_, n) => `session-${n}`);

/** Durable accepts from a hundred connections, beside the disk, the ledger and the sockets alone. */
export const ACCEPTS: RelayBench = { name: 'accepts', play };

async function play({ folder, quick }: BenchPhase): Promise<readonly Figure[]> {
  const ms = quick ? 1_500 : 2_000;
  const sender = await startChild<SenderCalls>('./sender-program.ts');
  const echoing = await echoSide(sender);
  const delivering = await relaySide(sender, join(folder, 'deliveries'), true);
  const rounds: Round[] = [];
  // In turns, since machine load changes from one second to the next.
  for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
    const syncs = syncsPerSecond(folder, ms / 3);
    const bare = bareAcceptsPerSecond(await mkdtemp(join(folder, 'bare-')), ms);
    const alone = await ledgerAcceptsPerSecond(join(folder, `alone-${round}`), ms, CONNECTIONS * WINDOW);
    const echo = await echoing.pump(ms);
    // A new relay each time: the queue for an absent proxy is limited (CHT-277).
    const away = await relaySide(sender, join(folder, `accepts-${round}`), false);
    const full = await away.pump(ms);
    const half = await away.pump(ms, full.perSecond / 2);
    const steady = await away.pump(ms, STEADY_PER_SECOND);
    const waited = await away.comeBack();
    await away.end();
    const delivered = await delivering.pump(ms);
    rounds.push({ syncs, bare, alone, echo, full, half, steady, waited, delivered });
  }
  for (const { end } of [echoing, delivering]) await end();
  await sender.end();
  return report(rounds);
}

function report(rounds: readonly Round[]): readonly Figure[] {
  const of = (figure: (round: Round) => number) => spreadOf(rounds.map(figure));
  const accepts = of(({ full }) => full.perSecond);
  const bareShare = of(({ full, bare }) => full.perSecond / bare);
  const p99 = of(({ half }) => half.p99Ms);
  const steadyP99 = of(({ steady }) => steady.p99Ms);
  const row = (name: string, rate: (round: Round) => number, work?: (round: Round) => Worked) => [
    name,
    of(rate).text,
    of((round) => round.full.perSecond / rate(round)).text,
    work === undefined ? '' : of((round) => work(round).cpuEach).text,
    work === undefined ? '' : of((round) => work(round).ownCpuEach).text,
  ];
  console.log(`Medians of ${rounds.length} rounds (least to most).`);
  printTable(
    ['', 'a second', 'ours is … ×', 'µs of CPU each', "of them the sockets' thread"],
    [
      row('syncs of the disk, one after the other', ({ syncs }) => syncs),
      row('bare node:sqlite, committed in groups', ({ bare }) => bare),
      row('the ledger alone', ({ alone }) => alone),
      row('plain JSON echo', ({ echo }) => echo.perSecond),
      row(
        'ours, durable, proxies away',
        ({ full }) => full.perSecond,
        ({ full }) => full,
      ),
      row(
        'the same at half of that',
        ({ half }) => half.perSecond,
        ({ half }) => half,
      ),
      row(
        `the same at ${whole(STEADY_PER_SECOND)} a second`,
        ({ steady }) => steady.perSecond,
        ({ steady }) => steady,
      ),
      row(
        'ours, durable, each delivered too',
        ({ delivered }) => delivered.perSecond,
        ({ delivered }) => delivered,
      ),
      row(
        'what waited, taken by its proxy once it is back',
        ({ waited }) => waited.perSecond,
        ({ waited }) => waited,
      ),
    ],
  );
  printTable(
    ['', 'p50 ms', 'p99 ms', "the loop's p99 ms", "the sender's own p99 ms"],
    [
      [
        'plain JSON echo, full load',
        of(({ echo }) => echo.p50Ms).text,
        of(({ echo }) => echo.p99Ms).text,
        '',
        '',
      ],
      ...LOADS.map(([load, name]) => [
        `ours, proxies away, ${name}`,
        of((round) => round[load].p50Ms).text,
        of((round) => round[load].p99Ms).text,
        of((round) => round[load].loopP99Ms).text,
        load === 'full' ? '' : of((round) => round[load].lateP99Ms).text,
      ]),
    ],
  );
  const how = `${CONNECTIONS} connections on the same ${rounds.length === 1 ? 'cores, one round' : `cores; medians of ${rounds.length} rounds in turns with what is beside it`}`;
  return [
    figure({
      id: 'relay.accepts',
      headline: 'Messages stored for good and acknowledged, a second',
      what: 'durable accepts',
      unit: 'a second',
      better: 'more',
      ours: accepts.median,
      beside: [
        { name: 'bare node:sqlite, committed in groups', value: of(({ bare }) => bare).median },
        { name: 'plain JSON echo', value: of(({ echo }) => echo.perSecond).median },
        { name: 'the ledger alone', value: of(({ alone }) => alone).median },
        { name: 'syncs of the disk', value: of(({ syncs }) => syncs).median },
      ],
      ratio: bareShare.median,
      must: { ratio: 0.4 },
      how: `${how}; each is acknowledged after the disk has it`,
    }),
    figure({
      id: 'relay.accepts.delivered',
      what: 'durable accepts, each delivered to its agent too',
      unit: 'a second',
      better: 'more',
      ours: of(({ delivered }) => delivered.perSecond).median,
      beside: [{ name: 'plain JSON echo', value: of(({ echo }) => echo.perSecond).median }],
      how,
    }),
    figure({
      id: 'relay.accepts.p99',
      headline: 'Until 99 of 100 messages are acknowledged, at half load',
      what: 'acceptance at half load, 99th percentile',
      unit: 'ms',
      better: 'less',
      ours: p99.median,
      aim: { value: 20 },
      how: `${how}; half of what it accepted at full load`,
    }),
    figure({
      id: 'relay.accepts.p99.required',
      what: `acceptance at ${whole(STEADY_PER_SECOND)} a second, 99th percentile`,
      unit: 'ms',
      better: 'less',
      ours: steadyP99.median,
      how,
    }),
  ];
}

const LOADS = [
  ['full', 'full load'],
  ['half', 'half of that'],
  ['steady', `${whole(STEADY_PER_SECOND)} a second`],
] as const;

interface Round {
  readonly syncs: number;
  readonly bare: number;
  readonly alone: number;
  readonly echo: Pumped;
  readonly full: PumpedRelay;
  readonly half: PumpedRelay;
  readonly steady: PumpedRelay;
  readonly waited: Worked & { readonly perSecond: number };
  readonly delivered: PumpedRelay;
}

/** Microseconds of CPU. */
interface Worked {
  readonly cpuEach: number;
  readonly ownCpuEach: number;
}

interface PumpedRelay extends Pumped, Worked {
  readonly loopP99Ms: number;
}

function spreadOf(values: readonly number[]): { readonly median: number; readonly text: string } {
  const middle = median(values);
  return {
    median: middle,
    text:
      values.length === 1
        ? whole(middle)
        : `${whole(middle)} (${whole(Math.min(...values))} to ${whole(Math.max(...values))})`,
  };
}

async function echoSide(sender: Child<SenderCalls>) {
  const server = await startEcho();
  const { url } = await server.call('place', undefined);
  const senders = SESSIONS.map((session_id) => ({ token: '', session_id }));
  await sender.call('open', { name: 'echo', url, senders, echo: true });
  await sender.call('pump', { name: 'echo', ms: WARM_UP_MS, window: WINDOW });
  return {
    pump: (ms: number) => sender.call('pump', { name: 'echo', ms, window: WINDOW }),
    end: () => server.end(),
  };
}

async function relaySide(sender: Child<SenderCalls>, name: string, delivers: boolean) {
  const relay = await startRelay({ data: name });
  const { url } = await relay.call('place', undefined);
  // Each device sees only its session: a hundred that see all would make two hundred frames of each send.
  const [proxyToken = '', ...tokens] = await relay.call('mint', [
    { role: 'proxy' },
    ...SESSIONS.map((session_id) => ({ role: 'person' as const, scopes: [`session:${session_id}`] })),
  ]);
  const proxy = await announce(url, proxyToken, SESSIONS);
  const beat = setInterval(() => sendFrame(proxy, { type: 'heartbeat' }), HEARTBEAT_MS);
  if (!delivers) proxy.terminate();
  const senders = SESSIONS.map((session_id, n) => ({ token: tokens[n] ?? '', session_id }));
  await sender.call('open', { name, url, senders, echo: false });
  await sender.call('pump', { name, ms: WARM_UP_MS, window: WINDOW });
  const figuresOf = async (count: number) => {
    const { cpuSeconds, ownCpuSeconds, loopP99Ms, faults } = await relay.call('figures', undefined);
    if (faults[0] !== undefined) throw new Error(`the relay had a fault: ${faults[0]}`);
    return { cpuEach: (cpuSeconds * 1e6) / count, ownCpuEach: (ownCpuSeconds * 1e6) / count, loopP99Ms };
  };
  return {
    async pump(ms: number, perSecond?: number): Promise<PumpedRelay> {
      await relay.call('figures', undefined);
      const paced = perSecond === undefined ? {} : { perSecond };
      const pumped = await sender.call('pump', { name, ms, window: WINDOW, ...paced });
      const { loopP99Ms, ...worked } = await figuresOf(pumped.answers);
      return { ...pumped, ...worked, loopP99Ms };
    },
    async comeBack(): Promise<Round['waited']> {
      await relay.call('figures', undefined);
      const began = performance.now();
      let taken = 0;
      let last = began;
      const back = await announce(url, proxyToken, SESSIONS, () => {
        taken += 1;
        last = performance.now();
      });
      while (taken === 0 || performance.now() - last < QUIET_MS) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const worked = await figuresOf(taken);
      back.terminate();
      return { perSecond: (taken * 1_000) / (last - began), ...worked };
    },
    async end() {
      clearInterval(beat);
      proxy.terminate();
      await relay.end();
    },
  };
}
