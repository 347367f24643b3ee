import type { Write } from '@drawbridge/ledger';
import type { Session } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import type { Delivery } from './delivery.ts';
import { charsOf, ENTRY_TOO_LARGE, MAX_ENTRY_CHARS, MAX_NEW_SESSIONS_PER_HOUR } from './frame-budget.ts';
import { type FrameOf, timeText, trustJson } from './frames.ts';
import type { Peer, Refused } from './peer.ts';
import { storedOrRefused } from './refusals.ts';
import { isThoughtAlone, sameActivity, sameMetadata, settledActivity } from './session-changes.ts';
import { away, type LiveSession } from './sessions.ts';

/** Each stored thought has its whole text: a longer one is stored less often. */
const THOUGHT_MS = 1_000;
const THOUGHT_CHARS_PER_MS = 2;

/** Prefix of a browser's own session id; its device id follows. */
const BROWSER_SESSION = 'browser_';

const TOO_MANY_NEW = `A proxy may announce ${MAX_NEW_SESSIONS_PER_HOUR} new sessions an hour. Announce fewer, or try again in an hour.`;
const TOO_MUCH_STANDING =
  'The sessions of this proxy have reached their limit. Close or delete some, or announce them with shorter texts.';

/** Session announcements of proxies. */
export interface Announcements {
  readonly list: (peer: Peer, frame: FrameOf<'proxy_session_snapshot'>) => Promise<void>;
  /** CHT-189: adds one session to those that the proxy has listed. */
  readonly announce: (peer: Peer, frame: Refused, session: Session) => Promise<LiveSession | undefined>;
  readonly status: (peer: Peer, frame: FrameOf<'proxy_status'>) => void;
  /** CHT-371 */
  readonly goalSet: (session_id: string, goal_state: 'active' | 'paused') => void;
  /** CHT-119 */
  readonly gone: (peer: Peer) => void;
  /** CHT-117: ends a session that was up when the relay stopped. */
  readonly down: (session: LiveSession, reason: string) => Promise<void>;
}

export function createAnnouncements(context: CoreContext, delivery: Delivery): Announcements {
  const { sessions } = context;
  /** By session: cancels the write of a thought that goes on. */
  const thoughts = new Map<string, { frame: FrameOf<'proxy_status'>; readonly cancel: () => void }>();

  const dropThought = (session_id: string): void => {
    thoughts.get(session_id)?.cancel();
    thoughts.delete(session_id);
  };

  const downWrites = (session: LiveSession, last: Session, reason: string): readonly Write[] => {
    const { session_id } = session;
    const at = context.now();
    return [
      { do: 'update_session', session_id, metadata: trustJson(away(last, at)) },
      context.event(session_id, 'session_down', { reason }, { at }),
    ];
  };

  const down = async (session: LiveSession, reason: string): Promise<void> => {
    session.reported = undefined;
    session.proxy = undefined;
    session.turn += 1;
    dropThought(session.session_id);
    const { turn, storing } = session;
    delivery.detach(session);
    const store = async (): Promise<void> => {
      if (storing !== undefined) await storing.catch(() => undefined);
      const { stored } = session;
      // The session may have come back before the ledger accepts the write.
      if (session.turn !== turn || session.closed || stored === undefined) return;
      await context.commit(session.session_id, downWrites(session, stored, reason));
    };
    await context.retryUntilStored(store);
  };

  const changes = (session: LiveSession, now: Session): readonly Write[] => {
    const { session_id, reported, closed } = session;
    const at = context.now();
    // CHT-126
    const seen = { last_seen_at: timeText(at), ...now };
    const metadata = trustJson(seen);
    const up = context.event(session_id, 'session_up', { session: seen }, { at });
    if (!session.created) {
      return [
        { do: 'create_session', session_id, proxy_device_id: session.proxy_device_id, metadata, at },
        up,
      ];
    }
    if (reported === undefined || closed || !sameMetadata(reported, now)) {
      return [{ do: 'update_session', session_id, metadata, ...(closed && { closed_at: null }) }, up];
    }
    const { status, activity } = now;
    if (status === reported.status && sameActivity(activity, reported.activity)) return [];
    const body = { status, ...(activity && { activity }) };
    // Other nodes read the current state from the ledger.
    return [
      { do: 'update_session', session_id, metadata: trustJson({ ...lastSeen(session.shown), ...now }) },
      context.event(session_id, 'session_status', body, { at }),
    ];
  };

  /** Decides synchronously, because the next frame builds on the result. */
  const take = (peer: Peer, frame: Refused, found: LiveSession | undefined, said: Session) => {
    const { activity } = said;
    const now = activity ? { ...said, activity: settledActivity(found?.reported?.activity, activity) } : said;
    if (found !== undefined && found.proxy_device_id !== peer.device_id) {
      peer.refuse(
        { ...frame, session_id: now.session_id },
        'unauthorized',
        'This session belongs to another proxy.',
      );
      return undefined;
    }
    const chars = charsOf(now);
    if (chars > MAX_ENTRY_CHARS) {
      peer.refuse({ ...frame, session_id: now.session_id }, 'invalid_message', ENTRY_TOO_LARGE);
      return undefined;
    }
    const standing = chars + charsOf(found?.config);
    if (!sessions.hasRoomFor(peer.device_id, now.session_id, standing, context.now())) {
      peer.refuse({ ...frame, session_id: now.session_id }, 'send_rejected', TOO_MUCH_STANDING);
      return undefined;
    }
    // People trust questions in a browser's own session, so no other device may ask there.
    if (now.session_id.startsWith(BROWSER_SESSION) && now.session_id !== BROWSER_SESSION + peer.device_id) {
      const problem = `Ids that begin with ${BROWSER_SESSION} are for browsers. Use another.`;
      peer.refuse({ ...frame, session_id: now.session_id }, 'unauthorized', problem);
      return undefined;
    }
    dropThought(now.session_id);
    const session = found ?? sessions.create(now.session_id, peer.device_id);
    const writes = changes(session, now);
    const moved = session.proxy !== peer;
    const wasDown = session.reported === undefined;
    if (writes.length > 0) session.turn += 1;
    session.created = true;
    session.reported = now;
    session.closed = false;
    session.proxy = peer;
    return {
      session,
      moved,
      stored: writes.length > 0 ? store(peer, frame, session, writes, wasDown) : undefined,
    };
  };

  /** CHT-296 */
  const admits = (peer: Peer, frame: Refused, count: number): boolean => {
    if (count === 0 || sessions.admitNew(peer.device_id, count, context.now())) return true;
    peer.refuse(frame, 'send_rejected', TOO_MANY_NEW);
    return false;
  };

  const store = async (
    peer: Peer,
    frame: Refused,
    session: LiveSession,
    writes: readonly Write[],
    wasDown: boolean,
  ) => {
    const { session_id, turn, reported } = session;
    const about = { ...frame, session_id };
    const isNew = writes.some((write) => write.do === 'create_session');
    const begin = (sequence: number): void => {
      if (sequence === 1) context.feed.begin(session_id);
    };
    const work = context.commit(session_id, writes, begin).then((outcome) => {
      if (outcome.committed) {
        session.stored = reported;
        return;
      }
      // Deleted, or announced on another node at the same time; a later announcement decides for itself.
      if (session.turn === turn) sessions.forget(session);
      peer.refuse(about, 'session_unknown', 'The session was changed by another. Announce it again.');
    });
    const storing = storedOrRefused(context, peer, about, work);
    session.storing = storing;
    const isStored = await storing;
    if (session.storing === storing) session.storing = undefined;
    if (isStored) return;
    // Not stored: the next snapshot announces the session again.
    if (isNew) session.created = false;
    session.reported = undefined;
    // The last session_down may be missing, because the session seemed to be back.
    const unsaid = wasDown && !isNew && session.shown?.status !== 'disconnected';
    if (unsaid && session.turn === turn) context.run(down(session, 'proxy_disconnected'));
  };

  const report = (peer: Peer, frame: FrameOf<'proxy_status'>, session: LiveSession, now: Session): void => {
    const stored = take(peer, frame, session, now)?.stored;
    if (stored !== undefined) context.run(stored);
  };

  /** CHT-354: a thought that grows by the word is no event for each word. */
  const keepThought = (peer: Peer, frame: FrameOf<'proxy_status'>, session: LiveSession): void => {
    const { session_id } = session;
    const kept = thoughts.get(session_id);
    if (kept !== undefined) {
      kept.frame = frame;
      return;
    }
    const chars = charsOf(frame.activity);
    const cancel = context.after(Math.max(THOUGHT_MS, chars / THOUGHT_CHARS_PER_MS), () => {
      const latest = thoughts.get(session_id)?.frame;
      thoughts.delete(session_id);
      const { reported, proxy } = session;
      if (latest?.activity === undefined || reported === undefined || proxy !== peer) return;
      report(peer, latest, session, { ...reported, activity: latest.activity });
    });
    thoughts.set(session_id, { frame, cancel });
  };

  const announcements: Announcements = {
    list: async (peer, frame) => {
      const listed = new Map(frame.sessions.map((session) => [session.session_id, session]));
      const found = await Promise.all([...listed.keys()].map((id) => sessions.find(id)));
      if (!peer.isOpen()) return;
      if (!admits(peer, frame, found.filter((session) => session === undefined).length)) return;
      const missing = sessions.ofProxy(peer).filter(({ session_id }) => !listed.has(session_id));
      for (const session of missing) context.run(down(session, 'target_closed'));
      const taken = [...listed.values()].map((now, index) => take(peer, frame, found[index], now));
      peer.charge(taken.filter((each) => each?.stored !== undefined).length + missing.length);
      // Stored before the proxy's next frame about a new session is handled.
      await Promise.all(taken.map((each) => each?.stored));
      const moved = taken.filter((each) => each?.moved).flatMap((each) => each?.session ?? []);
      delivery.attach(peer, moved);
    },
    announce: async (peer, frame, now) => {
      const found = await sessions.find(now.session_id);
      if (found?.proxy === peer || !peer.isOpen()) return found;
      if (found === undefined && !admits(peer, frame, 1)) return undefined;
      const taken = take(peer, frame, found, found?.shown ? { ...found.shown, ...now } : now);
      if (taken === undefined) return undefined;
      await taken.stored;
      delivery.attach(peer, [taken.session]);
      return taken.session;
    },
    status: (peer, frame) => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return;
      if (session.reported === undefined || session.proxy !== peer) {
        const problem = 'The session is not connected. Announce it with proxy_session_snapshot first.';
        peer.refuse(frame, 'session_not_connected', problem);
        return;
      }
      const latest = thoughts.get(session.session_id)?.frame.activity ?? session.reported.activity;
      const { status = session.reported.status, activity = latest } = frame;
      const now = { ...session.reported, status, ...(activity && { activity }) };
      if (isThoughtAlone(session.reported, now)) keepThought(peer, frame, session);
      else report(peer, frame, session, now);
    },
    goalSet: (session_id, goal_state) => {
      const { proxy, reported } = sessions.get(session_id) ?? {};
      if (proxy === undefined || reported?.activity?.goal === undefined) return;
      const activity = { ...reported.activity, goal_state };
      announcements.status(proxy, { type: 'proxy_status', protocol_version: 1, session_id, activity });
    },
    gone: (peer) => {
      for (const session of sessions.ofProxy(peer)) context.run(down(session, 'proxy_disconnected'));
    },
    down,
  };
  return announcements;
}

const lastSeen = (shown: Session | undefined): Pick<Session, 'last_seen_at'> =>
  shown?.last_seen_at === undefined ? {} : { last_seen_at: shown.last_seen_at };
