import type { SessionRecord } from '../ledger/records.ts';
import { type Base, createEventWriter } from './base.ts';
import { type Courier, createCourier } from './courier.ts';
import { createFeed } from './feed.ts';
import { createInsist } from './insistence.ts';
import { createJournal } from './journal.ts';
import { createPeers } from './peers.ts';
import { CORE_TIMES, type CorePorts, type CoreTimes, type Note, type RelayEvent } from './ports.ts';
import { createPost, type Post } from './post.ts';
import { createSessions } from './sessions.ts';
import { createTasks } from './tasks.ts';
import { createTimers } from './timers.ts';

/** The parts that a leader and a follower share. */
export interface Foundation {
  readonly base: Base;
  readonly node_id: string;
  readonly courier: Courier;
  readonly post: Post;
  /** Sessions that were live in the ledger at the start. */
  readonly live: readonly SessionRecord[];
  /** First replays the bus messages received since the ledger was read. */
  readonly listen: (hear: (note: Note) => void) => void;
  /** Begins nothing new, and waits for work under way. */
  readonly close: () => Promise<void>;
}

interface Role {
  readonly keeps: boolean;
  readonly hasOthers: () => boolean;
  readonly dispatch: (event: RelayEvent) => void;
  /** The ledger no longer has the session. */
  readonly onGone: (session_id: string) => void;
  readonly onCommitted?: (session_id: string) => void;
}

/** On a follower, the bus message of another node's commit is in flight while our own commit is answered. */
const PATIENCE_MS = 25;

export async function layFoundation(
  ports: CorePorts,
  changed: Partial<CoreTimes>,
  role: Role,
): Promise<Foundation> {
  const { ledger, clock, bus, id, onFault } = ports;
  const { keeps, hasOthers, dispatch, onGone, onCommitted = () => {} } = role;
  const times = { ...CORE_TIMES, ...changed };
  const timers = createTimers(clock);
  const tasks = createTasks(onFault);
  const early: Note[] = [];
  let hear = (note: Note): void => {
    early.push(note);
  };
  const stopListening = bus.onNote((note) => hear(note));
  const [live, all] = await Promise.all([ledger.liveSessions(), ledger.heads()]).catch((error: unknown) => {
    stopListening();
    throw error;
  });
  // A live session's head comes from the same read as the rest of it.
  const heads = new Map([...all, ...live].map(({ session_id, head }) => [session_id, head]));
  const courier = createCourier({ bus, after: timers.after });
  const post = createPost({ courier, id });
  const feed = createFeed({
    ...{ ledger, heads, dispatch, onGone, onFault },
    ...(!keeps && { patienceMs: PATIENCE_MS }),
    run: tasks.run,
    after: timers.after,
  });
  const sessions = createSessions({
    ...{ ledger, live, keeps },
    known: new Set(heads.keys()),
    onLoaded: ({ session_id, head }) => void feed.reach(session_id, head),
  });
  const base: Base = {
    ledger,
    times,
    now: clock.now,
    id,
    after: timers.after,
    run: tasks.run,
    onFault,
    insist: createInsist({ after: timers.after, run: tasks.run, onFault }),
    sessions,
    peers: createPeers(post, hasOthers),
    feed,
    commit: createJournal({ ledger, bus, feed, onCommitted }),
    event: createEventWriter(id),
  };
  return {
    ...{ base, courier, post, live },
    node_id: id('node'),
    listen: (now) => {
      hear = now;
      for (const note of early.splice(0)) now(note);
    },
    close: async () => {
      timers.close();
      await tasks.idle();
      stopListening();
    },
  };
}
