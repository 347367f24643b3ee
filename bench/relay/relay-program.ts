import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type RelayLimits, startRelay } from '@drawbridge/relay';
import { answerCalls, trustInput } from './child.ts';

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
const { data, port = 0, limits = {} } = trustInput<RelayInput>();
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
  /**
   * RSS after a garbage collection. Separate from the other figures: the collection discards compiled code.
   */
  rss: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
  /** Event-loop delay and CPU since the last call. */
  figures: () => {
    const used = process.cpuUsage(cpu);
    const own = process.threadCpuUsage(ownCpu);
    const figures = {
      loopP99Ms: delay.percentile(99) / 1e6,
      cpuSeconds: (used.user + used.system) / 1e6,
      /** The thread with the sockets; the rest belongs to the ledger and the garbage collector. */
      ownCpuSeconds: (own.user + own.system) / 1e6,
      faults: faults.splice(0),
    };
    delay.reset();
    cpu = process.cpuUsage();
    ownCpu = process.threadCpuUsage();
    return figures;
  },
  /** Writes events to the ledger directly, and times reading them without a socket. */
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
    // The first read warms caches and compiler, or the replay after it would seem faster than reading.
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
