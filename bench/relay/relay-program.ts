import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type RelayLimits, startRelay } from '@drawbridge/relay';
import { answerCalls, parseInput } from './child.ts';

export interface RelayInput {
  readonly data: string;
  readonly port?: number;
  readonly limits?: Partial<RelayLimits>;
}

export interface DeviceOrder {
  readonly role: 'person' | 'proxy' | 'runtime' | 'agent';
  readonly scopes?: readonly string[];
}

const began = performance.now();
const { data, port = 0, limits = {} } = parseInput<RelayInput>();
const faults: string[] = [];
const relay = await startRelay({
  data,
  port,
  limits,
  log: (line) => {
    if (line.includes('"fault"')) faults.push(line);
  },
});
const startMs = performance.now() - began;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let cpu = process.cpuUsage();
let ownCpu = process.threadCpuUsage();

const calls = {
  place: () => ({ url: relay.url, port: relay.port, startMs }),
  mint: (orders: readonly DeviceOrder[]) =>
    Promise.all(
      orders.map(async ({ role, scopes = [] }) => {
        const { token } = await relay.devices.mint({ roles: [role], scopes, label: role, by: 'machine' });
        return token;
      }),
    ),
  /** What it holds, after a collection. No other figure is asked for with it: its code would have to warm up again. */
  rss: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
  /** Since the last look: how late its loop was, and how much it has worked. */
  figures: () => {
    const used = process.cpuUsage(cpu);
    const own = process.threadCpuUsage(ownCpu);
    const figures = {
      loopP99Ms: delay.percentile(99) / 1e6,
      cpuSeconds: (used.user + used.system) / 1e6,
      /** Of the thread that has the sockets; the rest is the ledger's, and the collector's. */
      ownCpuSeconds: (own.user + own.system) / 1e6,
      faults: faults.splice(0),
    };
    delay.reset();
    cpu = process.cpuUsage();
    ownCpu = process.threadCpuUsage();
    return figures;
  },
  /** Events straight into the ledger, and how long it takes to read them from there without a socket. */
  async seed({ session_id, events }: { readonly session_id: string; readonly events: number }) {
    for (let at = 0; at < events; at += 500) {
      await relay.ledger.commit(
        Array.from({ length: Math.min(500, events - at) }, (_, n) => ({
          do: 'append_event' as const,
          session_id,
          event_id: `evt_${at + n}`,
          type: 'message_event',
          payload: {
            message: {
              message_id: `m${at + n}`,
              role: 'assistant',
              content: `Line ${at + n} of what the agent said, with some words in it.`,
              created_at: '2026-01-01T00:00:00.000Z',
            },
          },
          at: 1_763_200_000_000,
          message_id: `m${at + n}`,
        })),
      );
    }
    // The first time is for the caches and the compiler, or the replay that follows would seem faster than reading.
    await readAll(session_id);
    const began = performance.now();
    const head = await readAll(session_id);
    return { head, readMs: performance.now() - began };
  },
};
export type RelayCalls = typeof calls;
answerCalls(calls);

async function readAll(session_id: string): Promise<number> {
  let cursor = 0;
  for (;;) {
    const page = await relay.ledger.eventsAfter(session_id, cursor, 200);
    const last = page?.events.at(-1)?.sequence;
    if (last === undefined) return cursor;
    cursor = last;
  }
}
