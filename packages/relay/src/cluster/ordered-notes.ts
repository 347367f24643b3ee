import { createFeed } from '../core/feed.ts';
import type { Bus, CoreClock, Note } from '../core/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface OrderedNotesOptions {
  readonly bus: Bus;
  readonly ledger: Ledger;
  readonly clock: CoreClock;
  readonly onFault: (error: unknown) => void;
}

export interface OrderedNotes {
  readonly bus: Bus;
  /** Reads from the ledger what the bus missed. */
  readonly resync: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Bus for leader services whose people are also on other nodes: delivers each event once and in order, like
 * the bus of a single relay, because a person would see a lost or repeated push notification.
 */
export async function orderNotes({
  bus,
  ledger,
  clock,
  onFault,
}: OrderedNotesOptions): Promise<OrderedNotes> {
  const listeners = new Set<(note: Note) => void>();
  const early: Note[] = [];
  const timers = new Set<() => void>();
  const after: CoreClock['after'] = (ms, run) => {
    const callOff = clock.after(ms, () => {
      timers.delete(callOff);
      run();
    });
    timers.add(callOff);
    return callOff;
  };
  let hear = (note: Note): void => void early.push(note);
  const stop = bus.onNote((note) => hear(note));
  const heads = await ledger.heads();
  const tell = (note: Note): void => {
    for (const listener of [...listeners]) listener(note);
  };
  const feed = createFeed({
    ...{ ledger, after, onFault },
    heads: new Map(heads.map(({ session_id, head }) => [session_id, head])),
    dispatch: (event) => tell({ kind: 'appended', session_id: event.session_id, events: [event] }),
    run: (work) => void work.catch(onFault),
    onGone: () => {},
  });
  const reach = (session_id: string, head: number): void => {
    if (feed.head(session_id) < head) feed.reach(session_id, head)?.catch(onFault);
  };
  hear = (note) => {
    if (note.kind === 'beat') for (const { session_id, head } of note.heads) reach(session_id, head);
    if (note.kind !== 'appended') return tell(note);
    const { session_id, events } = note;
    // Deleted and announced again, which only this node does.
    if (events[0]?.sequence === 1 && feed.head(session_id) > 0) feed.begin(session_id);
    feed.offer(session_id, events);
  };
  for (const note of early) hear(note);

  return {
    bus: {
      publish: bus.publish,
      onNote(listener) {
        listeners.add(listener);
        return () => {
          listeners.delete(listener);
        };
      },
    },
    async resync() {
      for (const { session_id, head } of await ledger.heads()) reach(session_id, head);
    },
    close() {
      stop();
      listeners.clear();
      for (const callOff of timers) callOff();
    },
  };
}
