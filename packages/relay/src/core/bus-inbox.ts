import type { CoreContext } from './core-context.ts';
import type { BusListener, BusMessageOf, Head, RelayCore, RelayEvent } from './ports.ts';
import { createRecentIds } from './recent-ids.ts';

interface BusInboxOptions {
  readonly dismiss: RelayCore['dismiss'];
  /** Called when a client message was delivered to a peer here. */
  readonly onDelivered?: (message: BusMessageOf<'client_message'>) => void;
  /** Called with the frame of a message that grew at the leader. */
  readonly onGrown: (session_id: string, text: string) => void;
  /** Called with any other frame about a session; true if it was kept and shown. */
  readonly onLatest: (session_id: string, text: string, feature: string) => boolean;
}

/**
 * Bus inbox: handles messages of other nodes. They may be lost or repeated; the ledger is the source of truth.
 */
export interface BusInbox extends Pick<RelayCore, 'resync'> {
  readonly receive: BusListener;
  readonly appended: RelayCore['appended'];
  /** Ends a session that the ledger no longer has, and whose end was not received here. */
  readonly gone: (session_id: string) => void;
}

/** Only the leader knows the proxy of a session. */
const UNKNOWN_PROXY = '';
const REMEMBERED = 10_000;
/** Sessions read concurrently. */
const READS = 32;

export function createBusInbox(
  context: CoreContext,
  { dismiss, onDelivered = () => {}, onGrown, onLatest }: BusInboxOptions,
): BusInbox {
  const { ledger, sessions, feed, peers, node_id, isLeader, clientMessages } = context;
  const delivered = createRecentIds(REMEMBERED);
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
      context.run(renew(session_id).then(() => feed.offer(session_id, events)));
      return;
    }
    feed.offer(session_id, events);
  };

  const appended: BusInbox['appended'] = (session_id, events) => {
    const [first] = events;
    if (first === undefined) return;
    const isKnown = sessions.get(session_id) !== undefined;
    if (first.sequence === 1 && !isLeader) begun(session_id, events, isKnown);
    else if (isKnown) feed.offer(session_id, events);
    else context.run(sessions.load(session_id).then(() => feed.offer(session_id, events)));
  };

  const deliver = (message: BusMessageOf<'client_message'>, acknowledge: (node_id: string) => void): void => {
    if (clientMessages.isOwn(message)) return;
    const isRepeat = delivered.has(message.delivery_id);
    if (!isRepeat && !peers.send(message, message.text, message.feature)) return;
    delivered.add(message.delivery_id);
    acknowledge(node_id);
    if (!isRepeat) onDelivered(message);
  };

  const heartbeat = (message: BusMessageOf<'heartbeat'>): void => {
    const behind = message.heads.filter(({ session_id, head }) => feed.head(session_id) < head);
    if (behind.length > 0) context.run(catchUpAll(behind));
    for (const device_id of message.revoked) dismiss(device_id);
  };

  const gone = (session_id: string): void => {
    const session = sessions.get(session_id);
    if (session === undefined || session.closed) return;
    const event = context.event(session_id, 'session_closed', {}, { at: context.now() });
    const { event_id, type, payload, at } = event;
    const sequence = feed.head(session_id) + 1;
    feed.offer(session_id, [{ session_id, sequence, event_id, type, payload, at, message_id: null }]);
  };

  const compare = async (): Promise<void> => {
    const before = feed.heads();
    const heads = await ledger.heads();
    await catchUpAll(heads.filter(({ session_id, head }) => head > (before.get(session_id) ?? 0)));
    const shorter = heads.filter(({ session_id, head }) => head < (before.get(session_id) ?? 0));
    for (const { session_id } of isLeader ? [] : shorter) await renew(session_id);
    const there = new Set(heads.map(({ session_id }) => session_id));
    for (const [session_id, head] of before) if (head > 0 && !there.has(session_id)) gone(session_id);
  };

  const resync = async (): Promise<void> => {
    try {
      do {
        again = false;
        await context.retryUntilStored(compare);
      } while (again);
    } finally {
      resyncing = undefined;
    }
  };

  return {
    receive: (message, acknowledge) => {
      if (message.kind === 'appended') appended(message.session_id, message.events);
      else if (message.kind === 'grown') {
        const { session_id, text, feature } = message;
        if (isLeader) return;
        if (feature === undefined) onGrown(session_id, text);
        else if (!onLatest(session_id, text, feature)) peers.show(session_id, text, feature);
      } else if (message.kind === 'client_message') deliver(message, acknowledge);
      else if (message.kind === 'heartbeat') heartbeat(message);
    },
    resync: () => {
      again = resyncing !== undefined;
      resyncing ??= resync();
      return resyncing;
    },
    appended,
    gone,
  };
}
