import type { JsonObject, Ledger, SessionRecord } from '@drawbridge/ledger';
import type { Session } from '@drawbridge/protocol';
import {
  charsOf,
  LEAST_STANDING_CHARS,
  MAX_NEW_SESSIONS_PER_HOUR,
  MAX_STANDING_CHARS,
} from './frame-budget.ts';
import { type FrameOf, timeText, trustSession, trustStored } from './frames.ts';
import type { Peer, Refused } from './peer.ts';
import type { RelayEvent } from './ports.ts';

/** A session as this node knows it. */
export interface LiveSession {
  readonly session_id: string;
  /** CHT-127 */
  readonly proxy_device_id: string;
  /** State by the events dispatched so far, as in a snapshot. Undefined before the first event is stored. */
  shown: Session | undefined;
  /** True when the session is in the ledger, or its write is under way. */
  created: boolean;
  config: JsonObject | null;
  closed: boolean;
  /** The end is not stored yet: the session accepts nothing more, and is shown until then. */
  closing: boolean;
  /** The proxy's last report, stored or not; undefined while the session is disconnected. */
  reported: Session | undefined;
  /** The write under way; `stored` is the last report that was stored. */
  storing: Promise<unknown> | undefined;
  stored: Session | undefined;
  /** The latest session_up event, if it came since the relay started. */
  up: Pick<RelayEvent, 'event_id' | 'sequence'> | undefined;
  /** The connection that announced the session. */
  proxy: Peer | undefined;
  /** Counts reports and disconnects, so that a late result is told from a current one. */
  turn: number;
}

export type Sessions = ReturnType<typeof createSessions>;

interface SessionsOptions {
  readonly ledger: Ledger;
  readonly live: readonly SessionRecord[];
  readonly known: ReadonlySet<string>;
  /**
   * A leader starts without proxies, so every session is disconnected; a follower shows the ledger's state.
   */
  readonly isLeader: boolean;
  /** The ledger may have more of the session than was received. */
  readonly onLoaded: (record: SessionRecord) => void;
}

const NOT_ANNOUNCED = 'This session was not announced. Send proxy_session_snapshot first.';

export function createSessions({ ledger, live, known, isLeader, onLoaded }: SessionsOptions) {
  const sessions = new Map<string, LiveSession>();
  const unloaded = new Set(known);
  const created = new Map<string, { readonly hour: number; readonly count: number }>();
  const keep = (record: SessionRecord): LiveSession => {
    unloaded.delete(record.session_id);
    const there = sessions.get(record.session_id);
    if (there !== undefined) return there;
    const session: LiveSession = {
      session_id: record.session_id,
      proxy_device_id: record.proxy_device_id,
      shown: isLeader
        ? { ...trustSession(record.metadata), status: 'disconnected' }
        : trustSession(record.metadata),
      created: true,
      config: record.config,
      closed: record.closed_at !== null,
      closing: false,
      reported: undefined,
      storing: undefined,
      stored: trustSession(record.metadata),
      up: undefined,
      proxy: undefined,
      turn: 0,
    };
    sessions.set(record.session_id, session);
    return session;
  };
  for (const record of live) keep(record);

  const load = async (session_id: string): Promise<LiveSession | undefined> => {
    const record = await ledger.session(session_id);
    if (record === undefined) return undefined;
    const session = keep(record);
    onLoaded(record);
    return session;
  };

  /** CHT-92: a peer with a few sessions does not scan all of them. */
  const seenBy = ({ sessions: given }: Peer): readonly LiveSession[] =>
    given === undefined
      ? [...sessions.values()]
      : [...given].flatMap((session_id) => sessions.get(session_id) ?? []);

  return {
    /** A promise only for a session closed before this node started; on a follower for any unknown session. */
    find: (session_id: string): LiveSession | undefined | Promise<LiveSession | undefined> =>
      sessions.get(session_id) ?? (!isLeader || unloaded.has(session_id) ? load(session_id) : undefined),
    get: (session_id: string): LiveSession | undefined => sessions.get(session_id),
    /** CHT-127, CHT-128: the session of a proxy's frame; otherwise refuses the frame. */
    ofFrame: (peer: Peer, frame: Refused & { readonly session_id: string }): LiveSession | undefined => {
      const session = sessions.get(frame.session_id);
      if (session?.proxy_device_id === peer.device_id) return session;
      if (session === undefined) peer.refuse(frame, 'session_unknown', NOT_ANNOUNCED);
      else peer.refuse(frame, 'unauthorized', 'This session belongs to another proxy.');
      return undefined;
    },
    /** CHT-92: a session that the peer may not see looks like an unknown one. */
    isSeenBy: (peer: Peer, session: LiveSession | undefined): session is LiveSession =>
      session?.shown !== undefined && (peer.sessions?.has(session.session_id) ?? true),
    create: (session_id: string, proxy_device_id: string): LiveSession => {
      const session: LiveSession = {
        session_id,
        proxy_device_id,
        shown: undefined,
        created: false,
        config: null,
        closed: false,
        closing: false,
        reported: undefined,
        storing: undefined,
        stored: undefined,
        up: undefined,
        proxy: undefined,
        turn: 0,
      };
      sessions.set(session_id, session);
      return session;
    },
    /** Reads the session from the ledger, where another node may have stored it. */
    load,
    /** Drops a stale session, so that it is read from the ledger again. */
    forget: (session: LiveSession): void => {
      session.proxy = undefined;
      sessions.delete(session.session_id);
      unloaded.add(session.session_id);
    },
    /**
     * True when a device's sessions, this one with `chars`, stay within what every new connection can be sent.
     */
    hasRoomFor: (device_id: string, session_id: string, chars: number, now: number): boolean => {
      const before = sessions.get(session_id);
      if (before !== undefined && chars <= LEAST_STANDING_CHARS) return true;
      let total = Math.max(chars, LEAST_STANDING_CHARS);
      for (const session of sessions.values()) {
        if (session.proxy_device_id !== device_id || session === before || hasEnded(session)) continue;
        const shown = session.reported ?? session.shown;
        if (shown !== undefined && isLongGone(shown, now)) continue;
        total += Math.max(charsOf(shown) + charsOf(session.config), LEAST_STANDING_CHARS);
      }
      return total <= MAX_STANDING_CHARS;
    },
    /** Counts new sessions of a device, or refuses all of them. */
    admitNew: (device_id: string, count: number, now: number): boolean => {
      const hour = Math.floor(now / HOUR_MS);
      const last = created.get(device_id);
      const sum = (last?.hour === hour ? last.count : 0) + count;
      if (sum > MAX_NEW_SESSIONS_PER_HOUR) return false;
      created.set(device_id, { hour, count: sum });
      return true;
    },
    ofProxy: (peer: Peer): readonly LiveSession[] =>
      [...sessions.values()].filter(({ proxy }) => proxy === peer),
    /** Without sessions that were not seen for 30 days. */
    shownTo: (peer: Peer, now: number): readonly (LiveSession & { readonly shown: Session })[] =>
      seenBy(peer).filter(
        (session): session is LiveSession & { readonly shown: Session } =>
          session.shown !== undefined && !hasEnded(session) && !isLongGone(session.shown, now),
      ),
    /** Must be called in sequence order. */
    apply: applyEvent,
  };
}

function applyEvent(session: LiveSession, event: RelayEvent): void {
  const { type, payload, at, event_id, sequence } = event;
  switch (type) {
    case 'session_up':
      session.shown = trustSession(payload['session']);
      session.closed = false;
      session.closing = false;
      session.up = { event_id, sequence };
      return;
    case 'session_down':
      session.shown = session.shown && away(session.shown, at);
      return;
    case 'session_status': {
      const { status, activity } = trustStored<FrameOf<'session_status'>>(payload);
      if (session.shown === undefined) return;
      session.shown = {
        ...session.shown,
        ...(status === undefined ? undefined : { status }),
        ...(activity === undefined ? undefined : { activity }),
      };
      return;
    }
    case 'session_closed':
      session.closed = true;
      session.closing = false;
      return;
    case 'agent_config':
      session.config = payload;
  }
}

/**
 * True when the end is stored: an unstored end may never be, and new connections must still see the session.
 */
export const hasEnded = ({ closed, closing }: LiveSession): boolean => closed && !closing;

const HOUR_MS = 3_600_000;
const LONG_MS = 30 * 86_400_000;

/** The history stays readable, and the next announcement brings the session back. */
const isLongGone = ({ status, last_seen_at }: Session, now: number): boolean =>
  status === 'disconnected' && last_seen_at !== undefined && Date.parse(last_seen_at) < now - LONG_MS;

/** CHT-117: the activity is unknown, and the session was there until now (CHT-126). */
export function away({ activity: _, ...session }: Session, at: number): Session {
  const { last_seen_at = '' } = session;
  const seen = Date.parse(last_seen_at) > at ? last_seen_at : timeText(at);
  return { ...session, last_seen_at: seen, status: 'disconnected' };
}
