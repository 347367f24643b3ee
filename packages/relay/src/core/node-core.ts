import type { SessionRecord } from '../ledger/records.ts';
import { type AckedPublish, createAckedPublish } from './acked-publish.ts';
import { createBackgroundWork } from './background-work.ts';
import { type ClientMessages, createClientMessages } from './client-messages.ts';
import { createCommit } from './commit-and-publish.ts';
import { type CoreContext, createEventWriter } from './core-context.ts';
import { createFeed } from './feed.ts';
import { createPeers } from './peers.ts';
import { type BusMessage, CORE_TIMES, type CorePorts, type CoreTimes, type RelayEvent } from './ports.ts';
import { createRetryUntilStored } from './retry-until-stored.ts';
import { createSessions } from './sessions.ts';
import { createTimers } from './timers.ts';

/** The parts that a leader and a follower share. */
export interface NodeCore {
  readonly context: CoreContext;
  readonly node_id: string;
  readonly ackedPublish: AckedPublish;
  readonly clientMessages: ClientMessages;
  /** Sessions that were live in the ledger at the start. */
  readonly live: readonly SessionRecord[];
  /** First replays the bus messages received since the ledger was read. */
  readonly listen: (receive: (message: BusMessage) => void) => void;
  /** Begins nothing new, and waits for work under way. */
  readonly close: () => Promise<void>;
}

interface Role {
  readonly isLeader: boolean;
  readonly hasOthers: () => boolean;
  readonly dispatch: (event: RelayEvent) => void;
  /** The ledger no longer has the session. */
  readonly onGone: (session_id: string) => void;
  readonly onCommitted?: (session_id: string) => void;
}

/** On a follower, the bus message of another node's commit is in flight while our own commit is answered. */
const FEED_WAIT_MS = 25;

export async function openNodeCore(
  ports: CorePorts,
  changed: Partial<CoreTimes>,
  role: Role,
): Promise<NodeCore> {
  const { ledger, clock, bus, id, onError } = ports;
  const { isLeader, hasOthers, dispatch, onGone, onCommitted = () => {} } = role;
  const times = { ...CORE_TIMES, ...changed };
  const timers = createTimers(clock);
  const backgroundWork = createBackgroundWork(onError);
  const early: BusMessage[] = [];
  let receive = (message: BusMessage): void => {
    early.push(message);
  };
  const stopListening = bus.onMessage((message) => receive(message));
  const [live, all] = await Promise.all([ledger.liveSessions(), ledger.heads()]).catch((error: unknown) => {
    stopListening();
    throw error;
  });
  // A live session's head comes from the same read as the rest of it.
  const heads = new Map([...all, ...live].map(({ session_id, head }) => [session_id, head]));
  const ackedPublish = createAckedPublish({ bus, after: timers.after });
  const clientMessages = createClientMessages({ ackedPublish, id });
  const feed = createFeed({
    ...{ ledger, heads, dispatch, onGone, onError },
    ...(!isLeader && { waitMs: FEED_WAIT_MS }),
    run: backgroundWork.run,
    after: timers.after,
  });
  const sessions = createSessions({
    ...{ ledger, live, isLeader },
    known: new Set(heads.keys()),
    onLoaded: ({ session_id, head }) => void feed.reach(session_id, head),
  });
  const context: CoreContext = {
    isLeader,
    ledger,
    times,
    now: clock.now,
    id,
    after: timers.after,
    run: backgroundWork.run,
    onError,
    retryUntilStored: createRetryUntilStored({ after: timers.after, run: backgroundWork.run, onError }),
    sessions,
    peers: createPeers(clientMessages, hasOthers),
    feed,
    commit: createCommit({ ledger, bus, feed, onCommitted }),
    event: createEventWriter(id),
  };
  return {
    ...{ context, ackedPublish, clientMessages, live },
    node_id: id('node'),
    listen: (now) => {
      receive = now;
      for (const message of early.splice(0)) now(message);
    },
    close: async () => {
      timers.close();
      await backgroundWork.idle();
      stopListening();
    },
  };
}
