import type { Ledger } from '@drawbridge/ledger';
import { type MemoryDisk, openMemoryLedger, type Transaction } from '@drawbridge/ledger/memory';
import type { SeededRandom } from '@drawbridge/testbed';
import type { CorePorts, CoreTimes, Identity, PeerPort, RelayCore } from '../../src/core/ports.ts';
import type { createRelayCore } from '../../src/core/relay-core.ts';
import type { WantedSend } from '../../src/core/scheduled-sends.ts';
import { createLine, type Line, type Side, type Weather } from './line.ts';
import type { SimulationContext } from './simulation-context.ts';

export type CreateCore = typeof createRelayCore;

export interface Synced {
  readonly order: number;
  readonly at: number;
  readonly transaction: Transaction;
}

export interface RelayLog {
  /** Scheduled sends that were confirmed. */
  readonly scheduled: (WantedSend & { readonly client_message_id: string })[];
  readonly synced: Synced[];
  /** Errors that the core could report to no peer. */
  readonly faults: unknown[];
  readonly starts: number[];
  readonly dismissed: Map<string, number>;
}

export interface DiskMood {
  delay_ms: number;
  fault: 'ledger_full' | 'ledger_io' | undefined;
  /** Probability of the fault. */
  faulty: number;
}

export const CALM_DISK: DiskMood = { delay_ms: 2, fault: undefined, faulty: 1 };

const SLOWEST_MS = 2_000;

export interface RelayOptions {
  readonly createCore: CreateCore;
  readonly createBus: (random: SeededRandom) => CorePorts['bus'];
  readonly times: Partial<CoreTimes>;
  readonly weather: Weather;
  readonly disk: MemoryDisk;
  readonly mood: DiskMood;
  readonly lies: boolean;
  readonly maxUnread: number;
}

/** The relay as a process that can be started, stopped and killed; only the disk survives. */
export interface RelayProcess {
  readonly log: RelayLog;
  readonly isUp: () => boolean;
  readonly start: () => Promise<void>;
  /** Stops gracefully; calls `then` unless it is killed before. */
  readonly stop: (then: () => void) => void;
  readonly crash: (hears: readonly Side[]) => void;
  /** Undefined while nothing listens. */
  readonly dial: (identity: Identity | undefined) => Line | undefined;
  readonly dismiss: (device_id: string) => void;
  readonly schedule: (by: Identity, wanted: WantedSend) => void;
}

/** Schedules a send like the HTTP route, which only the leader answers. */
export function scheduleOn(
  context: SimulationContext,
  core: RelayCore | undefined,
  log: RelayLog,
  by: Identity,
  wanted: WantedSend,
): void {
  context.stir();
  core?.scheduledSends.schedule(by, wanted).then(
    (job) => {
      context.stir();
      if (typeof job === 'object')
        log.scheduled.push({ ...wanted, client_message_id: job.client_message_id });
    },
    (error: unknown) => log.faults.push(error),
  );
}

/** Pending disk work is dropped once `while_` is false. */
export function openDisk(
  context: SimulationContext,
  { disk, mood, lies }: Pick<RelayOptions, 'disk' | 'mood' | 'lies'>,
  log: RelayLog,
  while_: () => boolean,
): Ledger {
  let busyUntil = 0;
  const schedule = (work: () => void): void => {
    const delay = context.random.chance(0.02) ? Math.min(mood.delay_ms * 100, SLOWEST_MS) : mood.delay_ms;
    busyUntil = Math.max(busyUntil, context.now() + context.random.int(1, delay));
    context.after(busyUntil - context.now(), work, while_);
  };
  return openMemoryLedger(disk, {
    schedule,
    fault: () => (mood.fault !== undefined && context.random.chance(mood.faulty) ? mood.fault : undefined),
    onSync: (transaction) => log.synced.push({ order: context.order(), at: context.now(), transaction }),
    lies,
  });
}

export function createRelayProcess(context: SimulationContext, options: RelayOptions): RelayProcess {
  const log: RelayLog = { scheduled: [], synced: [], faults: [], starts: [], dismissed: new Map() };
  let life = 0;
  let core: RelayCore | undefined;
  let listening = false;
  let starting = -1;
  let lines = new Set<Line>();

  const end = (): Set<Line> => {
    life += 1;
    core = undefined;
    listening = false;
    const before = lines;
    lines = new Set();
    return before;
  };

  const start = async (): Promise<void> => {
    if (starting === life) return;
    const mine = life;
    const alive = () => life === mine;
    const stirring = () => {
      context.stir();
      return alive();
    };
    starting = life;
    context.trace('relay starts');
    log.starts.push(context.order());
    context.stir();
    const ports: CorePorts = {
      ledger: openDisk(context, options, log, stirring),
      clock: { now: context.wall, after: (ms, run) => context.after(ms, run, stirring) },
      id: context.id,
      bus: options.createBus(context.random.fork(life)),
      onError: (error) => {
        context.trace('fault', String(error));
        log.faults.push(error);
      },
    };
    const made = await options.createCore(ports, options.times);
    if (!alive()) return;
    core = made;
    listening = true;
    context.trace('relay is up');
  };

  return {
    log,
    isUp: () => listening,
    start,
    stop: (then) => {
      const mine = life;
      const stopping = core?.stop();
      listening = false;
      context.trace('relay stops');
      context.stir();
      stopping?.then(
        () => {
          if (life !== mine) return;
          context.trace('relay has stopped');
          for (const line of end()) line.cut(['client']);
          then();
        },
        (error: unknown) => log.faults.push(error),
      );
    },
    crash: (hears) => {
      context.trace('relay dies');
      for (const line of end()) line.cut(hears);
    },
    dial: (identity) => {
      if (core === undefined || !listening) return undefined;
      const line = createLine(context, options.weather);
      lines.add(line);
      acceptLine(context, {
        core,
        identity,
        line,
        maxUnread: options.maxUnread,
        onClosed: () => lines.delete(line),
      });
      return line;
    },
    dismiss: (device_id) => {
      log.dismissed.set(device_id, context.order());
      context.stir();
      core?.dismiss(device_id);
    },
    schedule: (by, wanted) => scheduleOn(context, core, log, by, wanted),
  };
}

interface Accepted {
  readonly core: RelayCore;
  readonly identity: Identity | undefined;
  readonly line: Line;
  readonly maxUnread: number;
  readonly onClosed: () => void;
}

/** The relay's end of a connection. */
export function acceptLine(
  context: SimulationContext,
  { core, identity, line, maxUnread, onClosed }: Accepted,
): void {
  const { relay } = line;
  let lagging = false;
  const peer: PeerPort = {
    identity,
    send: (text, sendClass) => {
      lagging ||= sendClass === 'live' && relay.unread() >= maxUnread;
      if (!lagging) relay.send(text, sendClass === 'live');
      return !lagging;
    },
    drained: relay.drained,
    close: (code) => relay.close(code),
  };
  const connection = core.connect(peer);
  relay.onText((text) => {
    context.stir();
    connection.receive(text);
  });
  relay.onClose(() => {
    context.stir();
    onClosed();
    connection.closed();
  });
}
