import type { Foundation } from './foundation.ts';
import type { Bus, Head, Note, NoteOf, RelayCore, RelayEvent } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

interface HearingOptions extends Pick<Foundation, 'base' | 'node_id' | 'courier' | 'post'> {
  readonly bus: Bus;
  readonly keeps: boolean;
  readonly dismiss: RelayCore['dismiss'];
  /** Called for heartbeats of other nodes. */
  readonly onBeat: (note: NoteOf<'beat'>) => void;
  readonly onAsked: (note: NoteOf<'asked'>) => void;
  /** Called when a client message was delivered to a peer here. */
  readonly onTold: (note: NoteOf<'told'>) => void;
}

/**
 * Bus inbox: handles messages of other nodes. They may be lost or repeated; the ledger is the source of truth.
 */
export interface Hearing extends Pick<RelayCore, 'resync'> {
  readonly hear: (note: Note) => void;
  /** Ends a session that the ledger no longer has, and whose end was not received here. */
  readonly gone: (session_id: string) => void;
}

/** Only the leader knows the proxy of a session. */
const UNKNOWN_PROXY = '';
const REMEMBERED = 10_000;
/** Sessions read concurrently. */
const READS = 32;

export function createHearing(options: HearingOptions): Hearing {
  const { base, node_id, courier, post, bus, keeps, dismiss, onBeat, onAsked, onTold } = options;
  const { ledger, sessions, feed, peers } = base;
  const told = createRecentIds(REMEMBERED);
  let resyncing: Promise<void> | undefined;
  let again = false;

  const catchUp = async ({ session_id, head }: Head): Promise<void> => {
    if (sessions.get(session_id) === undefined) await sessions.load(session_id);
    await feed.reach(session_id, head);
  };

  const catchUpAll = async (behind: readonly Head[]): Promise<void> => {
    for (let from = 0; from < behind.length; from += READS) {
      await Promise.all(behind.slice(from, from + READS).map(catchUp));
    }
  };

  /**
   * Restarts a session that was deleted and announced again, with new sequences. The leader did both itself.
   */
  const renew = async (session_id: string): Promise<void> => {
    const head = feed.head(session_id);
    const page = await ledger.eventsAfter(session_id, head - 1, 1);
    const session = sessions.get(session_id);
    if (page === undefined || session === undefined || feed.head(session_id) !== head) return;
    const known = feed.headId(session_id);
    const isOther = page.oldest <= head && known !== undefined && page.events[0]?.event_id !== known;
    if (page.head >= head && !isOther) return;
    sessions.forget(session);
    feed.begin(session_id);
    await sessions.load(session_id);
  };

  /** A new session's first events contain all of its state, so a follower need not read it. */
  const begun = (session_id: string, events: readonly RelayEvent[], isKnown: boolean): void => {
    const isRepeat = events.some(({ event_id }) => event_id === feed.headId(session_id));
    if (feed.head(session_id) === 0 && !isKnown) sessions.create(session_id, UNKNOWN_PROXY).created = true;
    else if (!isRepeat) {
      base.run(renew(session_id).then(() => feed.offer(session_id, events)));
      return;
    }
    feed.offer(session_id, events);
  };

  const appended = ({ session_id, events }: NoteOf<'appended'>): void => {
    const [first] = events;
    if (first === undefined) return;
    const isKnown = sessions.get(session_id) !== undefined;
    if (first.sequence === 1 && !keeps) begun(session_id, events, isKnown);
    else if (isKnown) feed.offer(session_id, events);
    else base.run(sessions.load(session_id).then(() => feed.offer(session_id, events)));
  };

  const tell = (note: NoteOf<'told'>): void => {
    if (post.isOwn(note)) return;
    const isRepeat = told.has(note.told_id);
    if (!isRepeat && !peers.tell(note, note.text)) return;
    told.add(note.told_id);
    bus.publish({ kind: 'heard', id: note.told_id, node_id });
    if (!isRepeat) onTold(note);
  };

  const beat = (note: NoteOf<'beat'>): void => {
    const behind = note.heads.filter(({ session_id, head }) => feed.head(session_id) < head);
    if (behind.length > 0) base.run(catchUpAll(behind));
    for (const device_id of note.revoked) dismiss(device_id);
    onBeat(note);
  };

  const gone = (session_id: string): void => {
    const session = sessions.get(session_id);
    if (session === undefined || session.closed) return;
    const event = base.event(session_id, 'session_closed', {}, { at: base.now() });
    const { event_id, type, payload, at } = event;
    const sequence = feed.head(session_id) + 1;
    feed.offer(session_id, [{ session_id, sequence, event_id, type, payload, at, message_id: null }]);
  };

  const compare = async (): Promise<void> => {
    const before = feed.heads();
    const heads = await ledger.heads();
    await catchUpAll(heads.filter(({ session_id, head }) => head > (before.get(session_id) ?? 0)));
    const shorter = heads.filter(({ session_id, head }) => head < (before.get(session_id) ?? 0));
    for (const { session_id } of keeps ? [] : shorter) await renew(session_id);
    const there = new Set(heads.map(({ session_id }) => session_id));
    for (const [session_id, head] of before) if (head > 0 && !there.has(session_id)) gone(session_id);
  };

  const resync = async (): Promise<void> => {
    try {
      do {
        again = false;
        await base.insist(compare);
      } while (again);
    } finally {
      resyncing = undefined;
    }
  };

  const take = (note: Note): void => {
    if (note.kind === 'appended') appended(note);
    else if (note.kind === 'told') tell(note);
    else if (note.kind === 'heard') courier.heard(note);
    else if (note.kind === 'node' || note.node_id === node_id) return;
    else if (note.kind === 'beat') beat(note);
    else onAsked(note);
  };

  return {
    hear: (note) => {
      try {
        take(note);
      } catch (error) {
        // A malformed bus message must not stop the node.
        base.onFault(error);
      }
    },
    resync: () => {
      again = resyncing !== undefined;
      resyncing ??= resync();
      return resyncing;
    },
    gone,
  };
}
