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

/** What a keeper and a branch begin with. */
export interface Foundation {
  readonly base: Base;
  readonly node_id: string;
  readonly courier: Courier;
  readonly post: Post;
  /** As the ledger had them at the start. */
  readonly live: readonly SessionRecord[];
  /** What was noted since the ledger was read comes first. */
  readonly listen: (hear: (note: Note) => void) => void;
  /** Begins nothing new, and waits for what was begun. */
  readonly close: () => Promise<void>;
}

interface Role {
  readonly keeps: boolean;
  readonly hasOthers: () => boolean;
  readonly dispatch: (event: RelayEvent) => void;
  /** A session that the ledger does not have any more. */
  readonly onGone: (session_id: string) => void;
  readonly onCommitted?: (session_id: string) => void;
}

/** On a branch: the note of what another relay stored is on its way while our own commit is answered. */
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
  // A session's own head is of the moment in which the rest of it was read.
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
