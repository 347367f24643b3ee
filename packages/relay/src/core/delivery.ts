import type { MessageRecord, WaitingMessage } from '../ledger/records.ts';
import type { CoreContext } from './core-context.ts';
import { createDeliveryQueue, type DeliveryQueue, type Prepared, type Waiting } from './delivery-queue.ts';
import { type FrameOf, forwardText, timeText } from './frames.ts';
import type { Ownership } from './ownership.ts';
import type { Peer } from './peer.ts';
import type { PendingSends } from './pending-sends.ts';
import { createProxyLoad } from './proxy-load.ts';
import { FAILURES, type SendOutcome, type SendOutcomes } from './send-outcomes.ts';
import type { LiveSession } from './sessions.ts';
import type { Transcript } from './transcript.ts';

/** Delivers a session's sends to its proxy in the order of acceptance (CHT-147). */
export interface Delivery {
  /** The proxy, if a send can be forwarded in the transaction that accepts it, because the queue is empty. */
  readonly proxyReadyNow: (session: LiveSession, chars: number) => Peer | undefined;
  /** Marks an accept-and-forward transaction as begun; the returned function marks its end. */
  readonly depart: (session: LiveSession) => () => void;
  /** The send is accepted and counted as forwarded; it is sent in its turn in the session. */
  readonly prepare: (session: LiveSession, prepared: Prepared) => void;
  /** True when the send was sent to the proxy; otherwise it waits, or has failed. */
  readonly onAccepted: (session: LiveSession, client_message_id: string, sequence: number) => boolean;
  /** Takes a send that is neither in flight nor settled out of delivery. The caller settles it when true. */
  readonly removeUnsent: (message: MessageRecord) => boolean;
  /** Gives up a send that stayed in doubt for its whole time. The caller settles it when true. */
  readonly giveUp: (message: MessageRecord) => boolean;
  readonly attach: (peer: Peer, sessions: readonly LiveSession[]) => void;
  readonly detach: (session: LiveSession) => void;
  readonly report: (peer: Peer, frame: FrameOf<'proxy_send_result'>) => void;
  /** The session ends: sends in flight become delivery unknown. */
  readonly failInFlight: (session: LiveSession) => void;
  /** CHT-202 */
  readonly failQueued: (session: LiveSession, queued: readonly WaitingMessage[]) => void;
  /** CHT-160, CHT-300: the proxy's connection has ended. */
  readonly gone: (peer: Peer) => void;
}

type Counted = Pick<MessageRecord, 'session_id' | 'client_message_id' | 'attempt'>;

/** Sends beyond this limit stay in the relay, where people can cancel them. */
const MAX_IN_FLIGHT = 512;
const BATCH = 32;
const MAX_BATCH_CHARS = 1_048_576;
const RETRY_MS = 1_000;

/** CHT-300: the proxy answers a repeated send from its own record. */
const answersAgain = ({ features }: Peer): boolean => features.has('resend');

export function createDelivery(
  context: CoreContext,
  ownership: Ownership,
  outcomes: SendOutcomes,
  pendingSends: PendingSends,
  { left }: Pick<Transcript, 'left'>,
  /** Called for a send in doubt, whose time to be settled is limited. */
  onHeld: (session_id: string, client_message_id: string) => void,
): Delivery {
  const { ledger } = context;
  const load = createProxyLoad();
  /** Proxies at their limit, with sends queued for them. */
  const crowded = new Set<Peer>();
  const queues = new Map<string, DeliveryQueue>();
  const queueOf = (session_id: string): DeliveryQueue => {
    const there = queues.get(session_id);
    if (there !== undefined) return there;
    const deliveryQueue = createDeliveryQueue();
    queues.set(session_id, deliveryQueue);
    return deliveryQueue;
  };

  const settle = (session_id: string, client_message_id: string, outcome: SendOutcome): void =>
    context.run(outcomes.settle(session_id, client_message_id, outcome));

  const transmit = (session: LiveSession, deliveryQueue: DeliveryQueue, sent: Prepared, attempt: number) => {
    const { session_id } = session;
    const { peer, client_message_id, payload, sequence } = sent;
    deliveryQueue.unsent.delete(client_message_id);
    const cancel = context.after(context.times.send_result_ms, () => {
      endFlight(deliveryQueue, client_message_id);
      if (answersAgain(peer)) askAgain(session, deliveryQueue, [{ client_message_id, sequence }]);
      else settle(session_id, client_message_id, { ...FAILURES.silent, attempt });
      flush(session, deliveryQueue);
    });
    const text = forwardText(payload, { attempt });
    load.add(peer, text.length);
    deliveryQueue.inFlight.set(client_message_id, { peer, chars: text.length, attempt, cancel });
    left(session_id, sent);
    peer.send(text, 'answer');
  };

  const endFlight = (deliveryQueue: DeliveryQueue, client_message_id: string): void => {
    const flying = deliveryQueue.inFlight.get(client_message_id);
    if (flying === undefined) return;
    flying.cancel();
    deliveryQueue.inFlight.delete(client_message_id);
    load.remove(flying.peer, flying.chars);
    wake(flying.peer);
  };

  /** Flushes every session of a proxy that has room again. */
  const wake = (peer: Peer): void => {
    if (!crowded.delete(peer)) return;
    for (const session of context.sessions.ofProxy(peer)) flush(session, queueOf(session.session_id));
  };

  const queue = (session: LiveSession, deliveryQueue: DeliveryQueue, waiting: Waiting): void => {
    if (session.proxy === undefined) return;
    const { client_message_id } = waiting;
    if (deliveryQueue.waiting.has(client_message_id)) return;
    deliveryQueue.waiting.set(client_message_id, waiting);
    flush(session, deliveryQueue);
  };

  /** Adds sends to the queue, in sequence order. */
  const enqueue = (deliveryQueue: DeliveryQueue, sends: readonly Waiting[]): void => {
    const inOrder = [...deliveryQueue.waiting.values(), ...sends].toSorted((a, b) => a.sequence - b.sequence);
    deliveryQueue.waiting = new Map(inOrder.map((each) => [each.client_message_id, each]));
  };

  /** CHT-300: forwards sends in doubt again, now or when the proxy is back. */
  const askAgain = (session: LiveSession, deliveryQueue: DeliveryQueue, sends: readonly Waiting[]): void => {
    for (const { client_message_id } of sends) onHeld(session.session_id, client_message_id);
    if (session.proxy !== undefined && deliveryQueue.loaded) enqueue(deliveryQueue, sends);
  };

  const isNew = (deliveryQueue: DeliveryQueue, { attempt, client_message_id }: Counted): boolean =>
    attempt === 0 || deliveryQueue.unsent.has(client_message_id);

  const mayLeave = (deliveryQueue: DeliveryQueue, message: MessageRecord): boolean =>
    message.state === 'accepted' && isNew(deliveryQueue, message);

  const isInDoubt = (deliveryQueue: DeliveryQueue, message: MessageRecord): boolean =>
    message.state === 'accepted' &&
    !isNew(deliveryQueue, message) &&
    !deliveryQueue.inFlight.has(message.client_message_id);

  const forward = async (
    session: LiveSession,
    deliveryQueue: DeliveryQueue,
    peer: Peer,
    batch: readonly Waiting[],
  ) => {
    const { session_id } = session;
    const read = ({ client_message_id }: Waiting) => ledger.message(session_id, client_message_id);
    const stored = (await Promise.all(batch.map(read))).filter((message) => message !== undefined);
    const doubted = stored.filter((message) => isInDoubt(deliveryQueue, message));
    if (!answersAgain(peer)) doubted.forEach(lost);
    const asked = new Set(
      answersAgain(peer) ? doubted.map(({ client_message_id }) => client_message_id) : [],
    );
    const leaving = stored.filter(
      (message) => mayLeave(deliveryQueue, message) || asked.has(message.client_message_id),
    );
    const forwarded = await Promise.all(
      leaving.map(async ({ client_message_id, sequence }) => {
        const outcome = await context.commit(session_id, [
          { do: 'forward_message', session_id, client_message_id },
        ]);
        if (!outcome.committed) return undefined;
        if (!asked.has(client_message_id)) deliveryQueue.unsent.add(client_message_id);
        // People could edit the send until this commit; the read returns its final text.
        return read({ client_message_id, sequence });
      }),
    );
    const kept = new Set<string>();
    for (const message of forwarded) {
      if (message?.state !== 'accepted') continue;
      const { client_message_id, attempt } = message;
      const isAsked = asked.has(client_message_id);
      // The send may have been withheld since it was counted as forwarded.
      if (!isAsked && !deliveryQueue.unsent.has(client_message_id)) continue;
      if (session.closed)
        settle(session_id, client_message_id, { ...(isAsked ? FAILURES.lost : FAILURES.away), attempt });
      else if (session.proxy === peer && peer.isOpen())
        transmit(session, deliveryQueue, { ...message, peer }, attempt);
      // Another connection has taken the session over and gets this send.
      else kept.add(client_message_id);
    }
    for (const { client_message_id } of batch) {
      if (!kept.has(client_message_id)) deliveryQueue.waiting.delete(client_message_id);
    }
  };

  const charsOf = ({ session_id }: LiveSession, { client_message_id }: Waiting): number =>
    pendingSends.chars(session_id, client_message_id);

  const nextBatch = (session: LiveSession, deliveryQueue: DeliveryQueue, peer: Peer): readonly Waiting[] => {
    const batch: Waiting[] = [];
    let chars = 0;
    for (const waiting of deliveryQueue.waiting.values()) {
      if (batch.length >= Math.min(BATCH, MAX_IN_FLIGHT - deliveryQueue.inFlight.size)) break;
      chars += charsOf(session, waiting);
      if (!load.hasRoom(peer, chars)) {
        crowded.add(peer);
        break;
      }
      batch.push(waiting);
      if (chars > MAX_BATCH_CHARS) break;
    }
    return batch;
  };

  /** Reserves room at the proxy during the forward, because its other sessions forward at the same time. */
  const forwardCounted = async (
    session: LiveSession,
    deliveryQueue: DeliveryQueue,
    peer: Peer,
    batch: readonly Waiting[],
  ) => {
    const chars = batch.reduce((sum, waiting) => sum + charsOf(session, waiting), 0);
    load.add(peer, chars);
    try {
      await forward(session, deliveryQueue, peer, batch);
    } finally {
      load.remove(peer, chars);
      wake(peer);
    }
  };

  const flushAll = async (session: LiveSession, deliveryQueue: DeliveryQueue): Promise<void> => {
    try {
      for (;;) {
        const peer = session.proxy;
        if (!peer?.isOpen() || !deliveryQueue.loaded) return;
        const batch = nextBatch(session, deliveryQueue, peer);
        if (batch.length === 0) return;
        await forwardCounted(session, deliveryQueue, peer, batch);
      }
    } catch (error) {
      context.onError(error);
      context.after(RETRY_MS, () => flush(session, deliveryQueue));
    } finally {
      deliveryQueue.flushing = false;
    }
  };

  const flush = (session: LiveSession, deliveryQueue: DeliveryQueue): void => {
    if (deliveryQueue.flushing || !deliveryQueue.loaded || deliveryQueue.waiting.size === 0) return;
    deliveryQueue.flushing = true;
    context.run(flushAll(session, deliveryQueue));
  };

  const isFree = (deliveryQueue: DeliveryQueue): boolean =>
    deliveryQueue.loaded && !deliveryQueue.flushing && deliveryQueue.waiting.size === 0;

  const lost = ({ session_id, client_message_id, attempt }: Counted): void =>
    settle(session_id, client_message_id, { ...FAILURES.lost, attempt });

  /**
   * Another process may have injected sends that are in flight on its connection: they stay there until that
   * connection ends. A new connection of the same process may take them over.
   */
  const blocks = (peer: Peer, other: Peer): boolean =>
    answersAgain(other) &&
    other !== peer &&
    other.isOpen() &&
    (other.client_id === null || other.client_id !== peer.client_id);

  const takeOver = (deliveryQueue: DeliveryQueue, peer: Peer): void => {
    for (const [client_message_id, { peer: other }] of deliveryQueue.inFlight) {
      if (other !== peer && answersAgain(other)) endFlight(deliveryQueue, client_message_id);
    }
  };

  const loadQueued = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    const queued = Map.groupBy(await ledger.queuedMessages(peer.device_id), ({ session_id }) => session_id);
    for (const session of sessions) {
      if (session.proxy !== peer) continue;
      const deliveryQueue = queueOf(session.session_id);
      deliveryQueue.postponed = deliveryQueue.departing > 0;
      if (deliveryQueue.postponed) continue;
      if ([...deliveryQueue.inFlight.values()].some((flying) => blocks(peer, flying.peer))) continue;
      takeOver(deliveryQueue, peer);
      const { waiting, inFlight, prepared } = deliveryQueue;
      const found = (queued.get(session.session_id) ?? []).filter(
        ({ client_message_id: id }) => !waiting.has(id) && !inFlight.has(id) && !prepared.has(id),
      );
      const doubted = found.filter((message) => !isNew(deliveryQueue, message));
      enqueue(
        deliveryQueue,
        found.filter((message) => isNew(deliveryQueue, message)),
      );
      deliveryQueue.loaded = true;
      if (answersAgain(peer)) askAgain(session, deliveryQueue, doubted);
      else doubted.forEach(lost);
      flush(session, deliveryQueue);
    }
  };

  const loadOrRetry = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    try {
      await loadQueued(peer, sessions);
    } catch (error) {
      context.onError(error);
      context.after(RETRY_MS, () => context.run(loadOrRetry(peer, sessions)));
    }
  };

  /** The outcome that a proxy's report says. */
  const outcomeOf = (frame: FrameOf<'proxy_send_result'>, attempt: number): SendOutcome => {
    const at = (time: string | undefined) => time ?? timeText(context.now());
    if (frame.result === 'delivered') return { state: 'delivered', attempt, when: at(frame.delivered_at) };
    return {
      ...FAILURES.injection,
      ...(frame.error && { error: frame.error }),
      ...(frame.error?.code === FAILURES.lost.error.code && { indeterminate: true }),
      attempt,
      when: at(frame.failed_at),
    };
  };

  /** Takes up the queue of a session that waited for the end of an earlier connection. */
  const unblock = (session: LiveSession | undefined, deliveryQueue: DeliveryQueue): void => {
    if (session?.proxy === undefined || deliveryQueue.loaded) return;
    context.run(loadOrRetry(session.proxy, [session]));
  };

  return {
    proxyReadyNow: (session, chars) => {
      const deliveryQueue = session.proxy && queueOf(session.session_id);
      if (
        deliveryQueue === undefined ||
        !isFree(deliveryQueue) ||
        deliveryQueue.inFlight.size >= MAX_IN_FLIGHT
      )
        return undefined;
      return session.proxy && load.hasRoom(session.proxy, chars) ? session.proxy : undefined;
    },
    depart: (session) => {
      const deliveryQueue = queueOf(session.session_id);
      deliveryQueue.departing += 1;
      return () => {
        deliveryQueue.departing -= 1;
        if (deliveryQueue.departing > 0 || !deliveryQueue.postponed) return;
        deliveryQueue.postponed = false;
        if (session.proxy !== undefined) context.run(loadOrRetry(session.proxy, [session]));
      };
    },
    prepare: (session, prepared) => {
      const deliveryQueue = queueOf(session.session_id);
      const { client_message_id, sequence } = prepared;
      if (context.feed.head(session.session_id) < sequence) {
        deliveryQueue.prepared.set(client_message_id, prepared);
        return;
      }
      // The send's event was read from the ledger before the commit was answered.
      deliveryQueue.unsent.add(client_message_id);
      queue(session, deliveryQueue, { client_message_id, sequence });
    },
    onAccepted: (session, client_message_id, sequence) => {
      const deliveryQueue = queueOf(session.session_id);
      const prepared = deliveryQueue.prepared.get(client_message_id);
      deliveryQueue.prepared.delete(client_message_id);
      if (session.closed) {
        const attempt = prepared === undefined ? 0 : 1;
        settle(session.session_id, client_message_id, { ...FAILURES.away, attempt });
        return false;
      }
      const chars = pendingSends.chars(session.session_id, client_message_id);
      const mayGo = prepared !== undefined && session.proxy === prepared.peer && isFree(deliveryQueue);
      if (mayGo && load.hasRoom(prepared.peer, chars)) {
        transmit(session, deliveryQueue, prepared, 1);
        return true;
      }
      if (prepared !== undefined) deliveryQueue.unsent.add(client_message_id);
      queue(session, deliveryQueue, { client_message_id, sequence });
      return false;
    },
    removeUnsent: (message) => {
      const { session_id, client_message_id } = message;
      const deliveryQueue = queueOf(session_id);
      if (!mayLeave(deliveryQueue, message)) return false;
      deliveryQueue.unsent.delete(client_message_id);
      return true;
    },
    giveUp: (message) => {
      const deliveryQueue = queueOf(message.session_id);
      const { client_message_id, attempt } = message;
      // The first attempt may still be answered in its own time.
      if (attempt < 2 && deliveryQueue.inFlight.has(client_message_id)) return false;
      endFlight(deliveryQueue, client_message_id);
      return isInDoubt(deliveryQueue, message);
    },
    attach: (peer, sessions) => {
      const attached = sessions.filter(({ proxy }) => proxy === peer);
      for (const session of attached) queueOf(session.session_id).loaded = false;
      if (attached.length > 0) context.run(loadOrRetry(peer, attached));
    },
    detach: ({ session_id }) => {
      const deliveryQueue = queueOf(session_id);
      deliveryQueue.loaded = false;
      deliveryQueue.waiting = new Map();
    },
    failInFlight: ({ session_id }) => {
      const deliveryQueue = queueOf(session_id);
      for (const [client_message_id, { attempt }] of deliveryQueue.inFlight) {
        endFlight(deliveryQueue, client_message_id);
        settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
      }
    },
    report: (peer, frame) => {
      const session = ownership.of(peer, frame);
      if (session === undefined) return;
      const { session_id, client_message_id } = frame;
      const deliveryQueue = queueOf(session_id);
      const flying = deliveryQueue.inFlight.get(client_message_id);
      // CHT-301: a late result counts, unless the ledger has a later attempt or an outcome.
      if (flying === undefined && frame.attempt !== undefined && answersAgain(peer))
        settle(session_id, client_message_id, outcomeOf(frame, frame.attempt));
      if (flying === undefined || (frame.attempt ?? flying.attempt) !== flying.attempt) return;
      endFlight(deliveryQueue, client_message_id);
      settle(session_id, client_message_id, outcomeOf(frame, flying.attempt));
      unblock(session, deliveryQueue);
      flush(session, deliveryQueue);
    },
    failQueued: (session, queued) => {
      const { session_id } = session;
      const { unsent } = queueOf(session_id);
      for (const { client_message_id, attempt } of queued) {
        const failure = attempt > 0 && !unsent.has(client_message_id) ? FAILURES.lost : FAILURES.away;
        settle(session_id, client_message_id, { ...failure, attempt });
      }
    },
    gone: (peer) => {
      crowded.delete(peer);
      for (const [session_id, deliveryQueue] of queues) {
        const session = context.sessions.get(session_id);
        for (const [client_message_id, { peer: carrier, attempt }] of deliveryQueue.inFlight) {
          if (carrier !== peer) continue;
          endFlight(deliveryQueue, client_message_id);
          if (answersAgain(peer) && session !== undefined) onHeld(session_id, client_message_id);
          else settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
        }
        unblock(session, deliveryQueue);
      }
    },
  };
}
