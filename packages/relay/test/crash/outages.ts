import { createDeferred } from '@drawbridge/base';

/** Answer that a client got: the acceptance of a send, or its outcome. */
export type Service = 'accepted' | 'settled';

interface Figures {
  /** Seconds from each fault until every client had a later send accepted. */
  readonly accepted: number[];
  /** Seconds from each fault until every client had the outcome of a later send. */
  readonly settled: number[];
  /** Sends without an outcome when the faults struck. */
  inFlight: number;
}

/** Time without service of the client that waited longest, for each fault. */
export interface Outages {
  /** Call for each acceptance and outcome of a send that was sent at `since`, by `performance.now`. */
  readonly served: (client: string, service: Service, since: number) => void;
  /** Runs a fault; resolves when every client is served again. */
  readonly during: (kind: string, inFlight: number, fault: () => Promise<void>) => Promise<void>;
  /** Sends without an outcome at all faults. */
  readonly inFlight: () => number;
  /** For `console.table`. */
  readonly table: () => Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Wait {
  readonly since: number;
  readonly clients: Readonly<Record<Service, Set<string>>>;
  readonly over: Readonly<Record<Service, ReturnType<typeof createDeferred<number>>>>;
}

export function createOutages(clients: readonly string[]): Outages {
  const kinds = new Map<string, Figures>();
  const all = (): readonly Figures[] => [...kinds.values()];
  let wait: Wait | undefined;

  return {
    served(client, service, since) {
      if (wait === undefined || since < wait.since || !wait.clients[service].delete(client)) return;
      if (wait.clients[service].size === 0)
        wait.over[service].resolve((performance.now() - wait.since) / 1_000);
    },
    async during(kind, inFlight, fault) {
      const figures = kinds.get(kind) ?? { accepted: [], settled: [], inFlight: 0 };
      kinds.set(kind, figures);
      figures.inFlight += inFlight;
      const over = { accepted: createDeferred<number>(), settled: createDeferred<number>() };
      const left = { accepted: new Set(clients), settled: new Set(clients) };
      wait = { since: performance.now(), clients: left, over };
      await fault();
      figures.accepted.push(await over.accepted.promise);
      figures.settled.push(await over.settled.promise);
    },
    inFlight: () => all().reduce((sum, { inFlight }) => sum + inFlight, 0),
    table() {
      const rows = [...kinds].map(([kind, figures]) => [kind, rowOf(figures)] as const);
      const accepted = all().flatMap((figures) => figures.accepted);
      const settled = all().flatMap((figures) => figures.settled);
      const inFlight = all().reduce((sum, figures) => sum + figures.inFlight, 0);
      return Object.fromEntries([...rows, ['all', rowOf({ accepted, settled, inFlight })]]);
    },
  };
}

function rowOf({ accepted, settled, inFlight }: Figures): Readonly<Record<string, number>> {
  return {
    faults: accepted.length,
    'in flight': inFlight,
    'accepted again, p50 s': quantile(accepted, 0.5),
    'max s': quantile(accepted, 1),
    'settled again, p50 s': quantile(settled, 0.5),
    'settled, max s': quantile(settled, 1),
  };
}

function quantile(seconds: readonly number[], share: number): number {
  const sorted = seconds.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
  return Number((sorted[index] ?? 0).toFixed(2));
}
