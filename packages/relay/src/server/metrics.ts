import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Ledger } from '../ledger/ledger.ts';

type Labels = Readonly<Record<string, string>>;

/** Metrics of the relay. None contains a session, a person or a text. */
export interface Metrics {
  /** Returns a counter's increment function, resolved once because a lookup per frame is too slow. */
  readonly counter: (name: MetricName, labels?: Labels) => (by?: number) => void;
  /** Read at each scrape. */
  readonly gauge: (name: MetricName, read: () => number, labels?: Labels) => void;
  /** https://prometheus.io/docs/instrumenting/exposition_formats/ */
  readonly text: () => string;
  readonly close: () => void;
}

const HELP = {
  connections: ['gauge', 'Open sockets, by port and role.'],
  frames_total: ['counter', 'Chat frames, in and out.'],
  frames_delayed_total: ['counter', 'Chat frames delayed by a rate limit.'],
  accepts_total: ['counter', 'Accepted sends.'],
  commit_seconds_sum: ['counter', 'Total time of commits.'],
  commit_seconds_count: ['counter', 'Commits.'],
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
  event_loop_p99_seconds: ['gauge', 'p99 event-loop delay since the last scrape.'],
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

export function createMetrics(): Metrics {
  const series = new Map<MetricName, Series>(NAMES.map((name) => [name, new Map()]));
  /** Keyed by cell: a port that is opened again replaces the former one. */
  const gauges = new Map<{ value: number }, () => number>();
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();

  const cellOf = (name: MetricName, labels: Labels = {}): { value: number } => {
    const key = labelText(labels);
    const cell = series.get(name)?.get(key) ?? { value: 0 };
    series.get(name)?.set(key, cell);
    return cell;
  };

  const eventLoopP99 = (): number => {
    const p99 = delay.percentile(99) / 1e9;
    delay.reset();
    return p99;
  };

  return {
    counter(name, labels) {
      const cell = cellOf(name, labels);
      return (by = 1) => {
        cell.value += by;
      };
    },
    gauge(name, read, labels) {
      const cell = cellOf(name, labels);
      gauges.set(cell, read);
    },
    text() {
      for (const [cell, read] of gauges) cell.value = read();
      cellOf('event_loop_p99_seconds').value = eventLoopP99();
      return NAMES.map((name) => seriesText(name, series.get(name) ?? new Map())).join('');
    },
    close: () => void delay.disable(),
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

/** Counts and times the ledger's commits. */
export function measured(ledger: Ledger, { counter }: Metrics): Ledger {
  const accepted = counter('accepts_total');
  const failed = counter('commit_failures_total');
  const committed = counter('commit_seconds_count');
  const took = counter('commit_seconds_sum');
  return {
    ...ledger,
    commit(writes) {
      const start = performance.now();
      const done = (): void => {
        committed();
        took((performance.now() - start) / 1_000);
      };
      const outcome = ledger.commit(writes);
      outcome.then(
        (it) => {
          if (it.committed) for (const write of writes) if (write.do === 'accept_message') accepted();
          done();
        },
        () => {
          failed();
          done();
        },
      );
      return outcome;
    },
  };
}
