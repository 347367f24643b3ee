import { join } from 'node:path';
import { median, printTable } from '../measure.ts';
import { type Child, startChild } from './child.ts';
import { ledgerAcceptsPerSecond, syncsPerSecond } from './disk.ts';
import { announce, say } from './peer.ts';
import {
  atLeast,
  atMost,
  type Findings,
  type Scene,
  type Stage,
  startEcho,
  startRelay,
  times,
  whole,
} from './scene.ts';
import type { Pumped, SenderCalls } from './sender-program.ts';

const CONNECTIONS = 100;
/** How many may be unanswered for each connection: more than 256 all together fill the ledger's commits. */
const WINDOW = 8;
const WARM_UP_MS = 1_000;
const HEARTBEAT_MS = 10_000;
const SESSIONS = Array.from({ length: CONNECTIONS }, (_, n) => `session-${n}`);

/** Durable accepts from a hundred connections, beside what the disk, the ledger and the sockets could do alone. */
export const ACCEPTS: Scene = { name: 'accepts', play };

async function play({ folder, quick }: Stage): Promise<Findings> {
  const ms = quick ? 1_500 : 2_000;
  const sender = await startChild<SenderCalls>('./sender-program.ts');
  const echoing = await echoSide(sender);
  const delivering = await relaySide(sender, join(folder, 'deliveries'), true);
  const rounds: Round[] = [];
  // By turns: what else the machine does changes from one second to the next.
  for (let round = 0; round < (quick ? 1 : 5); round += 1) {
    const syncs = syncsPerSecond(folder, ms / 3);
    const alone = await ledgerAcceptsPerSecond(join(folder, `alone-${round}`), ms, CONNECTIONS * WINDOW);
    const echo = await echoing.pump(ms);
    // A new one each time: only so many sends wait for a proxy that is away (CHT-277).
    const away = await relaySide(sender, join(folder, `accepts-${round}`), false);
    const full = await away.pump(ms);
    const half = await away.pump(ms, full.perSecond / 2);
    await away.end();
    rounds.push({ syncs, alone, echo, full, half, delivered: await delivering.pump(ms) });
  }
  for (const { end } of [echoing, delivering]) await end();
  await sender.end();
  return report(rounds);
}

function report(rounds: readonly Round[]): Findings {
  const of = (figure: (round: Round) => number) => spreadOf(rounds.map(figure));
  const accepts = of(({ full }) => full.perSecond);
  const echoShare = of(({ full, echo }) => full.perSecond / echo.perSecond);
  const p99 = of(({ half }) => half.p99Ms);
  const row = (name: string, rate: (round: Round) => number, cpu?: (round: Round) => number) => [
    name,
    of(rate).text,
    of((round) => round.full.perSecond / rate(round)).text,
    cpu === undefined ? '' : of(cpu).text,
  ];
  console.log(`Medians of ${rounds.length} rounds (least to most).`);
  printTable(
    ['', 'a second', 'ours is … ×', 'µs of CPU each'],
    [
      row('syncs of the disk, one after the other', ({ syncs }) => syncs),
      row('the ledger alone', ({ alone }) => alone),
      row('plain JSON echo', ({ echo }) => echo.perSecond),
      row(
        'ours, durable, proxies away',
        ({ full }) => full.perSecond,
        ({ full }) => full.cpuEach,
      ),
      row(
        'ours, durable, each delivered too',
        ({ delivered }) => delivered.perSecond,
        ({ delivered }) => delivered.cpuEach,
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
      ...(['full', 'half'] as const).map((load) => [
        `ours, proxies away, ${load} load`,
        of((round) => round[load].p50Ms).text,
        of((round) => round[load].p99Ms).text,
        of((round) => round[load].loopP99Ms).text,
        load === 'half' ? of(({ half }) => half.lateP99Ms).text : '',
      ]),
    ],
  );
  return {
    musts: [
      atLeast('durable accepts', accepts.median, 8_000, 'a second'),
      atMost('acceptance at half load, p99', p99.median, 20, 'ms'),
    ],
    aims: [
      atLeast('durable accepts', accepts.median, 15_000, 'a second'),
      {
        promise: 'at least half of the plain echo',
        measured: times(echoShare.median),
        met: echoShare.median >= 0.5,
      },
    ],
  };
}

interface Round {
  readonly syncs: number;
  readonly alone: number;
  readonly echo: Pumped;
  readonly full: PumpedRelay;
  readonly half: PumpedRelay;
  readonly delivered: PumpedRelay;
}

interface PumpedRelay extends Pumped {
  readonly cpuEach: number;
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
  // Each sees its own session alone: a hundred who see all would make two hundred frames of each send.
  const [proxyToken = '', ...tokens] = await relay.call('mint', [
    { role: 'proxy' },
    ...SESSIONS.map((session_id) => ({ role: 'person' as const, scopes: [`session:${session_id}`] })),
  ]);
  const proxy = await announce(url, proxyToken, SESSIONS);
  const beat = setInterval(() => say(proxy, { type: 'heartbeat' }), HEARTBEAT_MS);
  if (!delivers) proxy.terminate();
  const senders = SESSIONS.map((session_id, n) => ({ token: tokens[n] ?? '', session_id }));
  await sender.call('open', { name, url, senders, echo: false });
  await sender.call('pump', { name, ms: WARM_UP_MS, window: WINDOW });
  return {
    async pump(ms: number, perSecond?: number): Promise<PumpedRelay> {
      await relay.call('figures', undefined);
      const paced = perSecond === undefined ? {} : { perSecond };
      const pumped = await sender.call('pump', { name, ms, window: WINDOW, ...paced });
      const { cpuSeconds, loopP99Ms, faults } = await relay.call('figures', undefined);
      if (faults[0] !== undefined) throw new Error(`the relay had a fault: ${faults[0]}`);
      return { ...pumped, cpuEach: (cpuSeconds * 1e6) / pumped.answers, loopP99Ms };
    },
    async end() {
      clearInterval(beat);
      proxy.terminate();
      await relay.end();
    },
  };
}
