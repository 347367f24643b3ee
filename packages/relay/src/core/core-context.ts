import {
  type AppendEvent,
  type Ledger,
  LedgerError,
  type LedgerErrorCode,
  type SessionRecord,
} from '@drawbridge/ledger';
import { type ClientMessages, createClientMessages } from './client-messages.ts';
import { createFeed, type Feed } from './feed.ts';
import { type EventBody, type EventType, trustJson } from './frames.ts';
import { createPeers, type Peers } from './peers.ts';
import {
  type Bus,
  type BusListener,
  type BusMessage,
  CORE_TIMES,
  type CoreClock,
  type CorePorts,
  type CoreTimes,
} from './ports.ts';
import { createRepeatedRequests, type RepeatedRequests } from './repeated-requests.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** Core context: everything that a part of the core uses. */
export interface CoreContext {
  /** True on a single relay and on the leader, which have the proxies. */
  readonly isLeader: boolean;
  /** New at each start. */
  readonly node_id: string;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly times: CoreTimes;
  readonly now: () => number;
  readonly id: (kind: string) => string;
  /** Runs after this time, unless it is cancelled or the relay stops first. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** Tracks work that a stop waits for; a rejection is reported to onError. */
  readonly run: (work: Promise<unknown>) => void;
  readonly onError: (error: unknown) => void;
  readonly onDelivered: ((seconds: number) => void) | undefined;
  /** Retries until the ledger stores the write. */
  readonly retryUntilStored: RetryUntilStored;
  readonly sessions: Sessions;
  readonly peers: Peers;
  readonly feed: Feed;
  readonly requests: RepeatedRequests;
  readonly clientMessages: ClientMessages;
  readonly commit: Feed['commit'];
  readonly event: <Type extends EventType>(
    session_id: string,
    type: Type,
    body: EventBody<Type>,
    more: { readonly at: number; readonly message_id?: string; readonly payload_text?: string },
  ) => AppendEvent;
}

interface OpenContext {
  readonly context: CoreContext;
  /** Sessions that were live in the ledger at the start. */
  readonly live: readonly SessionRecord[];
  /** First replays the bus messages received since the ledger was read. */
  readonly listen: (receive: BusListener) => void;
  /** Begins nothing new, and waits for work under way. */
  readonly close: () => Promise<void>;
}

/** On a follower, the bus message of another node's commit is in flight while our own commit is answered. */
const FEED_WAIT_MS = 25;

export async function openCoreContext(
  ports: CorePorts,
  changed: Partial<CoreTimes>,
  isLeader: boolean,
): Promise<OpenContext> {
  const { ledger, clock, id, onError, onDelivered } = ports;
  const { after, close: closeTimers } = createTimers(clock);
  const { run, idle } = createBackgroundWork(onError);
  const bus = ports.bus === undefined ? NO_BUS : withoutEchoes(ports.bus);
  const early: Parameters<BusListener>[] = [];
  let receive: BusListener = (...message) => void early.push(message);
  const stopListening = bus.onMessage((...message) => receive(...message));
  const [live, all] = await Promise.all([ledger.liveSessions(), ledger.heads()]).catch((error: unknown) => {
    stopListening();
    throw error;
  });
  // A live session's head comes from the same read as the rest of it.
  const heads = new Map([...all, ...live].map(({ session_id, head }) => [session_id, head]));
  const feed = createFeed({
    ...{ ledger, bus, heads, run, after, onError },
    ...(!isLeader && { waitMs: FEED_WAIT_MS }),
  });
  const sessions = createSessions({
    ...{ ledger, live, isLeader },
    known: new Set(heads.keys()),
    onLoaded: ({ session_id, head }) => void feed.reach(session_id, head),
  });
  const requests = createRepeatedRequests({ bus, after });
  const clientMessages = createClientMessages({ requests, id });
  return {
    context: {
      ...{ isLeader, ledger, bus, id, after, run, onError, onDelivered },
      ...{ sessions, feed, requests, clientMessages },
      node_id: id('node'),
      times: { ...CORE_TIMES, ...changed },
      now: clock.now,
      retryUntilStored: createRetryUntilStored({ after, run, onError }),
      peers: createPeers(clientMessages),
      commit: feed.commit,
      event: (session_id, type, body, more) => ({
        ...more,
        do: 'append_event',
        session_id,
        event_id: id('evt'),
        type,
        payload: trustJson(body),
      }),
    },
    live,
    listen: (now) => {
      receive = now;
      for (const message of early.splice(0)) now(...message);
    },
    close: async () => {
      closeTimers();
      await idle();
      stopListening();
    },
  };
}

/** The bus of a single relay. */
const NO_BUS: Bus = {
  publish: () => {},
  request: () => Promise.resolve(undefined),
  onMessage: () => () => {},
};

/** Drops a message that the bus returns to its sender at once; the feed has its events already. */
function withoutEchoes(bus: Bus): Bus {
  let own: BusMessage | undefined;
  return {
    publish: (message) => {
      own = message;
      bus.publish(message);
      own = undefined;
    },
    request: (message, timeout_ms) => {
      own = message;
      const reply = bus.request(message, timeout_ms);
      own = undefined;
      return reply;
    },
    onMessage: (listener) =>
      bus.onMessage((message, acknowledge) => {
        if (message !== own) listener(message, acknowledge);
      }),
  };
}

/** The longest delay of a timer; a proxy may ask for a prompt that lasts longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

function createTimers(clock: CoreClock) {
  const waiting = new Set<() => void>();
  let closed = false;
  const after = (ms: number, run: () => void): (() => void) => {
    if (closed) return () => {};
    const rest = Math.max(0, ms - LONGEST_WAIT_MS);
    let stop = clock.after(Math.max(0, ms - rest), () => {
      waiting.delete(cancel);
      if (rest > 0) stop = after(rest, run);
      else run();
    });
    const cancel = (): void => {
      stop();
      waiting.delete(cancel);
    };
    waiting.add(cancel);
    return cancel;
  };
  return {
    after,
    close: (): void => {
      closed = true;
      for (const cancel of waiting) cancel();
    },
  };
}

/** Work under way that a stop waits for (CHT-259). */
function createBackgroundWork(onError: (error: unknown) => void) {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    run: async (work: Promise<unknown>): Promise<void> => {
      running += 1;
      try {
        await work;
      } catch (error) {
        onError(error);
      }
      running -= 1;
      if (running > 0) return;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    idle: async (): Promise<void> => {
      while (running > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

export type RetryUntilStored = (work: () => Promise<unknown>) => Promise<void>;

/** A retry would fail again. */
const HOPELESS: ReadonlySet<LedgerErrorCode> = new Set([
  'ledger_closed',
  'ledger_invalid',
  'ledger_damaged',
  'ledger_fenced',
]);
const RETRY_MS = 1_000;

/**
 * Retries a fact that nobody will report again, such as a result, a deadline or an end, until the ledger
 * stores it, for example after a full disk. Resolves after the first try.
 */
export function createRetryUntilStored({
  after,
  run,
  onError,
}: Pick<CoreContext, 'after' | 'run' | 'onError'>): RetryUntilStored {
  const retryUntilStored: RetryUntilStored = async (work) => {
    try {
      await work();
    } catch (error) {
      onError(error);
      if (!(error instanceof LedgerError) || HOPELESS.has(error.code)) return;
      after(RETRY_MS, () => run(retryUntilStored(work)));
    }
  };
  return retryUntilStored;
}
