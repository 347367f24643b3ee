import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Ledger, Write } from '@drawbridge/ledger';

type Labels = Readonly<Record<string, string>>;

/** Metrics of the relay. None contains a session, a person or a text. */
export type Metrics = ReturnType<typeof createMetrics>;

const HELP = {
  connections: ['gauge', 'Open sockets, by port and role.'],
  frames_total: ['counter', 'Chat frames, in and out.'],
  frames_delayed_total: ['counter', 'Chat frames delayed by a rate limit.'],
  accepts_total: ['counter', 'Accepted sends.'],
  sends_pending: ['gauge', 'Sends without an outcome, by state: queued for a proxy, or in flight to one.'],
  outcomes_total: ['counter', 'Settled sends, by outcome: delivered, failed, cancelled, unknown.'],
  commit_seconds: ['histogram', 'Time of commits, with the wait for the disk or the database.'],
  delivery_seconds: [
    'histogram',
    'Time from a send’s acceptance to its delivery, with the wait for a proxy.',
  ],
  commits_pending: ['gauge', 'Commits that wait or are under way.'],
  commit_failures_total: ['counter', 'Failed commits.'],
  lagging_total: ['counter', 'Peers that left too much data unread.'],
  refused_total: ['counter', 'Refused requests and upgrades, by reason.'],
  auth_failures_total: ['counter', 'Wrong credentials.'],
  node_info: ['gauge', 'This node of a cluster.'],
  is_leader: ['gauge', '1 on the leader.'],
  leader_term: ['gauge', 'Term of the known leader; 0 when none is known.'],
  bus_up: ['gauge', 'Whether the bus to the other nodes is up.'],
  bus_messages_total: ['counter', 'Bus messages: received, sent, dropped, refused.'],
  proxied_requests_total: ['counter', 'Requests and upgrades proxied to the leader.'],
  limit: ['gauge', 'Limits of a device, by name.'],
  limit_used: ['gauge', 'Usage of a limit by the device that uses most of it, by name.'],
  over_limit_total: ['counter', 'Requests, frames and calls of devices beyond a limit, by its name.'],
  event_loop_p99_seconds: ['gauge', 'p99 event-loop delay, the worst ten seconds of the last minute.'],
  memory_bytes: ['gauge', 'Memory of the process: resident, and used by the JavaScript heap.'],
  disk_free_bytes: ['gauge', 'Free space of the data folder’s disk.'],
} as const satisfies Record<string, readonly [type: string, help: string]>;

/** Former names, served for one more release. */
const ALIASES: { readonly [name in MetricName]?: string } = {
  is_leader: 'keeps_house',
  leader_term: 'keeper_term',
  bus_messages_total: 'notes_total',
  proxied_requests_total: 'passed_on_total',
};

type MetricName = keyof typeof HELP;
const NAMES: readonly MetricName[] = Object.keys(HELP).filter((name): name is MetricName => name in HELP);
type Series = Map<string, { value: number }>;

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WINDOW_MS = 10_000;
const WINDOWS = 6;

export function createMetrics() {
  const series = new Map<MetricName, Series>(NAMES.map((name) => [name, new Map()]));
  /** Keyed by cell: a port that is opened again replaces the former one. */
  const gauges = new Map<{ value: number }, () => number>();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();

  const cellOf = (name: MetricName, labels: Labels = {}, suffix = ''): { value: number } => {
    const key = suffix + labelText(labels);
    const cell = series.get(name)?.get(key) ?? { value: 0 };
    series.get(name)?.set(key, cell);
    return cell;
  };

  /** Windows end by time and not by scrape, so that each scraper reads the same. */
  const delays: number[] = [];
  const window = setInterval(() => {
    delays.push(delay.percentile(99) / 1e9);
    if (delays.length > WINDOWS) delays.shift();
    delay.reset();
  }, WINDOW_MS).unref();
  const eventLoopP99 = (): number => Math.max(delay.percentile(99) / 1e9, ...delays);

  return {
    /** Returns a counter's increment function, resolved once because a lookup per frame is too slow. */
    counter(name: MetricName, labels?: Labels): (by?: number) => void {
      const cell = cellOf(name, labels);
      return (by = 1) => {
        cell.value += by;
      };
    },
    /** Read at each scrape. */
    gauge(name: MetricName, read: () => number, labels?: Labels): void {
      const cell = cellOf(name, labels);
      gauges.set(cell, read);
    },
    /** Returns a histogram's observe function. */
    histogram(name: MetricName): (seconds: number) => void {
      const buckets = BUCKETS.map((le) => ({ le, cell: cellOf(name, { le: String(le) }, '_bucket') }));
      const all = cellOf(name, { le: '+Inf' }, '_bucket');
      const sum = cellOf(name, {}, '_sum');
      const count = cellOf(name, {}, '_count');
      return (seconds) => {
        for (const { le, cell } of buckets) if (seconds <= le) cell.value += 1;
        all.value += 1;
        sum.value += seconds;
        count.value += 1;
      };
    },
    /** https://prometheus.io/docs/instrumenting/exposition_formats/ */
    text(): string {
      for (const [cell, read] of gauges) cell.value = read();
      cellOf('event_loop_p99_seconds').value = eventLoopP99();
      const { rss, heapUsed } = process.memoryUsage();
      cellOf('memory_bytes', { kind: 'resident' }).value = rss;
      cellOf('memory_bytes', { kind: 'heap' }).value = heapUsed;
      return NAMES.map((name) => seriesText(name, series.get(name) ?? new Map())).join('');
    },
    close(): void {
      clearInterval(window);
      delay.disable();
    },
  };
}

function seriesText(name: MetricName, series: Series): string {
  const [type, help] = HELP[name];
  const alias = ALIASES[name];
  const textAs = (shown: string, shownHelp: string): string => {
    const lines = [...series].map(([labels, { value }]) => `drawbridge_${shown}${labels} ${value}\n`);
    return `# HELP drawbridge_${shown} ${shownHelp}\n# TYPE drawbridge_${shown} ${type}\n${lines.join('')}`;
  };
  return textAs(name, help) + (alias === undefined ? '' : textAs(alias, `Deprecated: drawbridge_${name}.`));
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}

function outcomeOf({ state, error }: Extract<Write, { do: 'settle_message' }>) {
  if (state === 'delivered') return state;
  const code = error?.['code'];
  return code === 'delivery_unknown' ? 'unknown' : code === 'cancelled' ? code : 'failed';
}

export interface CommitHooks {
  /** Rejects where nothing may be committed; undefined admits at once. */
  readonly admit?: (writes: readonly Write[]) => Promise<void> | undefined;
  readonly onStored?: () => void;
  readonly onFailed?: (error: unknown) => void;
}

/** Counts and times the ledger's commits: the only layer around them. */
export function measured(
  ledger: Ledger,
  { counter, histogram }: Metrics,
  { admit, onStored, onFailed }: CommitHooks = {},
): Ledger {
  const accepted = counter('accepts_total');
  const failed = counter('commit_failures_total');
  const took = histogram('commit_seconds');
  const pending = counter('commits_pending');
  const settled = {
    delivered: counter('outcomes_total', { outcome: 'delivered' }),
    failed: counter('outcomes_total', { outcome: 'failed' }),
    cancelled: counter('outcomes_total', { outcome: 'cancelled' }),
    unknown: counter('outcomes_total', { outcome: 'unknown' }),
  };
  return {
    ...ledger,
    async commit(writes) {
      const start = performance.now();
      pending();
      try {
        const admitting = admit?.(writes);
        // Commits that need no wait reach the ledger in the order of the calls.
        if (admitting !== undefined) await admitting;
        const outcome = await ledger.commit(writes);
        onStored?.();
        for (const write of outcome.committed ? writes : []) {
          if (write.do === 'accept_message') accepted();
          else if (write.do === 'settle_message') settled[outcomeOf(write)]();
        }
        return outcome;
      } catch (error) {
        onFailed?.(error);
        failed();
        throw error;
      } finally {
        pending(-1);
        took((performance.now() - start) / 1_000);
      }
    },
  };
}
