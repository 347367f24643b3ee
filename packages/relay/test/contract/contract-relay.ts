import { join } from 'node:path';
import { type Ledger, openSqliteLedger } from '@drawbridge/ledger';
import { systemClock } from '@drawbridge/link';
import { type Nats, startNats, startPostgres, type TestPostgres } from '@drawbridge/testbed';
import { startNode } from '../../src/cluster/start-node.ts';
import type { CoreClock, RelayCore } from '../../src/core/ports.ts';
import type { RelayOptions } from '../../src/server/options.ts';
import { type Relay, startRelay } from '../../src/server/start-relay.ts';

/** The relay under test. */
export interface ContractRelay extends Pick<Relay, 'url'> {
  readonly ledger: Ledger;
  readonly devices: Pick<Relay['devices'], 'mint' | 'revoke'>;
  /** Only of a single relay. */
  readonly core?: RelayCore;
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ContractStart extends RelayOptions {
  /** Wraps the relay's ledger. */
  readonly store?: ((ledger: Ledger) => Ledger) | undefined;
}

/** Runs the same rules on PostgreSQL and NATS, with everyone connected to a follower. */
export const isCluster = process.env['DRAWBRIDGE_CONTRACT'] === 'cluster';

/** Waits until pending work is stored: the ledger answers in order, so two round trips flush everything. */
async function rounds(ledger: Ledger): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await ledger.heads();
    await ledger.commit([{ do: 'put_setting', key: 'idle', value: round }]);
  }
}

export async function startAlone({ store, ...options }: ContractStart): Promise<ContractRelay> {
  const ledger = store && (await openSqliteLedger({ path: join(options.data, 'ledger.db') }));
  const relay = await startRelay({ ...options, ...(ledger && { ledger: store(ledger) }) });
  return {
    url: relay.url,
    core: relay.core,
    ledger: relay.ledger,
    devices: relay.devices,
    idle: () => rounds(relay.ledger),
    async close() {
      await relay.close();
      await ledger?.close();
    },
  };
}

const HEARTBEAT_MS = 1_000;
const BEATS_AT_ONCE = 200;
const HOUR_MS = 3_600_000;

/**
 * A test that advances a month in one step would make nodes send millions of heartbeats, so their interval
 * grows within a step.
 */
function withRareBeats(clock: CoreClock): CoreClock {
  let inStep = 0;
  const rare = new Set<() => void>();
  const beat: CoreClock['after'] = (_, run) => {
    if (inStep === 0) {
      setImmediate(() => {
        inStep = 0;
        for (const soon of [...rare]) soon();
      });
    }
    inStep += 1;
    const isRare = inStep > BEATS_AT_ONCE;
    const due = (): void => {
      rare.delete(soon);
      run();
    };
    let cancel = clock.after(isRare ? HOUR_MS : HEARTBEAT_MS, due);
    const soon = (): void => {
      rare.delete(soon);
      cancel();
      cancel = clock.after(HEARTBEAT_MS, run);
    };
    if (isRare) rare.add(soon);
    return () => {
      rare.delete(soon);
      cancel();
    };
  };
  return { now: clock.now, after: (ms, run) => (ms === HEARTBEAT_MS ? beat : clock.after)(ms, run) };
}

/** One database and one bus for all starts of a test. */
export interface ContractCluster extends AsyncDisposable {
  readonly start: (options: ContractStart) => Promise<ContractRelay>;
}

export async function openCluster(): Promise<ContractCluster> {
  const [postgres, nats]: [TestPostgres, Nats] = await Promise.all([startPostgres(), startNats()]);
  return {
    async start({ store: _, ledger: __, data, clock = systemClock, ...options }) {
      const shared = { ...options, clock: withRareBeats(clock), database: postgres.url, bus: nats.url };
      const leader = await startNode({ ...shared, data: join(data, 'leader') });
      const follower = await startNode({ ...shared, data: join(data, 'branch') });
      if (!leader.isLeader() || follower.isLeader()) throw new Error('The wrong node is the leader.');
      const { url, ledger, devices } = follower;
      return {
        ...{ url, ledger, devices },
        async idle() {
          // A message of one node is received and stored by the other: there and back.
          for (let way = 0; way < 2; way += 1) {
            await rounds(ledger);
            await rounds(leader.ledger);
          }
        },
        async close() {
          await follower.close();
          await leader.close();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await nats[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
