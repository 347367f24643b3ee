import type { MessageRecord, WaitingMessage } from '../ledger/records.ts';
import type { CoreContext } from './core-context.ts';
import { createDeliveryQueue, type DeliveryQueue, type Prepared, type Waiting } from './delivery-queue.ts';
import { type FrameOf, forwardText, timeText } from './frames.ts';
import type { Ownership } from './ownership.ts';
import type { Peer } from './peer.ts';
import type { PendingSends } from './pending-sends.ts';
import { createProxyLoad } from './proxy-load.ts';
import { FAILURES, type Outcome, type Outcomes } from './send-outcomes.ts';
import type { LiveSession } from './sessions.ts';
import type { Transcript } from './transcript.ts';

/** Delivers a session's sends to its proxy in the order of acceptance (CHT-147). */
export interface Delivery {
  /** The proxy, if a send can be forwarded in the transaction that accepts it, because the queue is empty. */
  readonly queueTo: (session: LiveSession, chars: number) => Peer | undefined;
  /** Marks an accept-and-forward transaction as begun; the returned function marks its end. */
  readonly depart: (session: LiveSession) => () => void;
  /** The send is accepted and counted as forwarded; it is sent in its turn in the session. */
  readonly prepare: (session: LiveSession, prepared: Prepared) => void;
  /** True when the send was sent to the proxy; otherwise it waits, or has failed. */
  readonly accepted: (session: LiveSession, client_message_id: string, sequence: number) => boolean;
  /** Takes a send that is neither in flight nor settled out of delivery. The caller settles it when true. */
  readonly withhold: (message: MessageRecord) => boolean;
  readonly attach: (peer: Peer, sessions: readonly LiveSession[]) => void;
  readonly detach: (session: LiveSession) => void;
  readonly report: (peer: Peer, frame: FrameOf<'proxy_send_result'>) => void;
  /** The session ends: sends in flight become delivery unknown. */
  readonly cut: (session: LiveSession) => void;
  /** CHT-202 */
  readonly abandon: (session: LiveSession, queued: readonly WaitingMessage[]) => void;
  /** CHT-160: the proxy's connection has ended. */
  readonly gone: (peer: Peer) => void;
}

/** Sends beyond this limit stay in the relay, where people can cancel them. */
const MAX_IN_FLIGHT = 512;
const BATCH = 32;
const MAX_BATCH_CHARS = 1_048_576;
const RETRY_MS = 1_000;

export function createDelivery(
  context: CoreContext,
  ownership: Ownership,
  outcomes: Outcomes,
  pendingSends: PendingSends,
  { left }: Pick<Transcript, 'left'>,
): Delivery {
  const { ledger } = context;
  const load = createProxyLoad();
  /** Proxies at their limit, with sends queued for them. */
  const crowded = new Set<Peer>();
  const lines = new Map<string, DeliveryQueue>();
  const lineOf = (session_id: string): DeliveryQueue => {
    const there = lines.get(session_id);
    if (there !== undefined) return there;
    const deliveryQueue = createDeliveryQueue();
    lines.set(session_id, deliveryQueue);
    return deliveryQueue;
  };

  const settle = (session_id: string, client_message_id: string, outcome: Outcome): void =>
    context.run(outcomes.settle(session_id, client_message_id, outcome));

  const transmit = (
    session: LiveSession,
    deliveryQueue: DeliveryQueue,
    sent: Omit<Prepared, 'sequence'>,
    attempt: number,
  ) => {
    const { session_id } = session;
    const { peer, client_message_id, payload } = sent;
    deliveryQueue.unsent.delete(client_message_id);
    const cancel = context.after(context.times.send_result_ms, () => {
      land(deliveryQueue, client_message_id);
      settle(session_id, client_message_id, { ...FAILURES.silent, attempt });
      flush(session, deliveryQueue);
    });
    const text = forwardText(payload, { attempt });
    load.add(peer, text.length);
    deliveryQueue.inFlight.set(client_message_id, { peer, chars: text.length, attempt, cancel });
    left(session_id, sent);
    peer.send(text, 'answer');
  };

  const land = (deliveryQueue: DeliveryQueue, client_message_id: string): void => {
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
    for (const session of context.sessions.ofProxy(peer)) flush(session, lineOf(session.session_id));
  };

  const queue = (session: LiveSession, deliveryQueue: DeliveryQueue, waiting: Waiting): void => {
    if (session.proxy === undefined) return;
    const { client_message_id } = waiting;
    if (deliveryQueue.waiting.has(client_message_id)) return;
    deliveryQueue.waiting.set(client_message_id, waiting);
    flush(session, deliveryQueue);
  };

  const mayLeave = (
    deliveryQueue: DeliveryQueue,
    message: MessageRecord | undefined,
  ): message is MessageRecord =>
    message?.state === 'accepted' &&
    (message.attempt === 0 || deliveryQueue.unsent.has(message.client_message_id));

  const forward = async (
    session: LiveSession,
    deliveryQueue: DeliveryQueue,
    peer: Peer,
    batch: readonly Waiting[],
  ) => {
    const { session_id } = session;
    const read = ({ client_message_id }: Waiting) => ledger.message(session_id, client_message_id);
    const leaving = (await Promise.all(batch.map(read))).filter((message) =>
      mayLeave(deliveryQueue, message),
    );
    const forwarded = await Promise.all(
      leaving.map(async ({ client_message_id, sequence }) => {
        const outcome = await context.commit(session_id, [
          { do: 'forward_message', session_id, client_message_id },
        ]);
        if (!outcome.committed) return undefined;
        deliveryQueue.unsent.add(client_message_id);
        // People could edit the send until this commit; the read returns its final text.
        return read({ client_message_id, sequence });
      }),
    );
    const kept = new Set<string>();
    for (const message of forwarded) {
      // The send may have been withheld since it was counted as forwarded.
      if (message === undefined || !deliveryQueue.unsent.has(message.client_message_id)) continue;
      const { client_message_id, attempt } = message;
      if (session.closed) settle(session_id, client_message_id, { ...FAILURES.away, attempt });
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

  const takeUp = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    const queued = Map.groupBy(await ledger.queuedMessages(peer.device_id), ({ session_id }) => session_id);
    for (const session of sessions) {
      if (session.proxy !== peer) continue;
      const deliveryQueue = lineOf(session.session_id);
      deliveryQueue.postponed = deliveryQueue.departing > 0;
      if (deliveryQueue.postponed) continue;
      const found = (queued.get(session.session_id) ?? []).filter(
        ({ client_message_id, attempt }) =>
          !deliveryQueue.waiting.has(client_message_id) &&
          (attempt === 0 || deliveryQueue.unsent.has(client_message_id)),
      );
      const inOrder = [...deliveryQueue.waiting.values(), ...found].toSorted(
        (a, b) => a.sequence - b.sequence,
      );
      deliveryQueue.waiting = new Map(inOrder.map((each) => [each.client_message_id, each]));
      deliveryQueue.loaded = true;
      flush(session, deliveryQueue);
    }
  };

  const loadOrRetry = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    try {
      await takeUp(peer, sessions);
    } catch (error) {
      context.onError(error);
      context.after(RETRY_MS, () => context.run(loadOrRetry(peer, sessions)));
    }
  };

  const lose = (session_id: string, deliveryQueue: DeliveryQueue, ofPeer: (peer: Peer) => boolean): void => {
    for (const [client_message_id, { peer, attempt }] of deliveryQueue.inFlight) {
      if (!ofPeer(peer)) continue;
      land(deliveryQueue, client_message_id);
      settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
    }
  };

  return {
    queueTo: (session, chars) => {
      const deliveryQueue = session.proxy && lineOf(session.session_id);
      if (
        deliveryQueue === undefined ||
        !isFree(deliveryQueue) ||
        deliveryQueue.inFlight.size >= MAX_IN_FLIGHT
      )
        return undefined;
      return session.proxy && load.hasRoom(session.proxy, chars) ? session.proxy : undefined;
    },
    depart: (session) => {
      const deliveryQueue = lineOf(session.session_id);
      deliveryQueue.departing += 1;
      return () => {
        deliveryQueue.departing -= 1;
        if (deliveryQueue.departing > 0 || !deliveryQueue.postponed) return;
        deliveryQueue.postponed = false;
        if (session.proxy !== undefined) context.run(loadOrRetry(session.proxy, [session]));
      };
    },
    prepare: (session, prepared) => {
      const deliveryQueue = lineOf(session.session_id);
      const { client_message_id, sequence } = prepared;
      if (context.feed.head(session.session_id) < sequence) {
        deliveryQueue.prepared.set(client_message_id, prepared);
        return;
      }
      // The send's event was read from the ledger before the commit was answered.
      deliveryQueue.unsent.add(client_message_id);
      queue(session, deliveryQueue, { client_message_id, sequence });
    },
    accepted: (session, client_message_id, sequence) => {
      const deliveryQueue = lineOf(session.session_id);
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
    withhold: (message) => {
      const { session_id, client_message_id } = message;
      const deliveryQueue = lineOf(session_id);
      if (!mayLeave(deliveryQueue, message)) return false;
      deliveryQueue.unsent.delete(client_message_id);
      return true;
    },
    attach: (peer, sessions) => {
      const attached = sessions.filter(({ proxy }) => proxy === peer);
      for (const session of attached) lineOf(session.session_id).loaded = false;
      if (attached.length > 0) context.run(loadOrRetry(peer, attached));
    },
    detach: ({ session_id }) => {
      const deliveryQueue = lineOf(session_id);
      deliveryQueue.loaded = false;
      deliveryQueue.waiting = new Map();
    },
    cut: ({ session_id }) => lose(session_id, lineOf(session_id), () => true),
    report: (peer, frame) => {
      const session = ownership.of(peer, frame);
      if (session === undefined) return;
      const { session_id, client_message_id, result } = frame;
      const deliveryQueue = lineOf(session_id);
      const flying = deliveryQueue.inFlight.get(client_message_id);
      if (flying === undefined || (frame.attempt ?? flying.attempt) !== flying.attempt) return;
      land(deliveryQueue, client_message_id);
      const { attempt } = flying;
      const at = (time: string | undefined) => time ?? timeText(context.now());
      const outcome: Outcome =
        result === 'delivered'
          ? { state: 'delivered', attempt, when: at(frame.delivered_at) }
          : {
              ...FAILURES.injection,
              ...(frame.error && { error: frame.error }),
              ...(frame.error?.code === FAILURES.lost.error.code && { indeterminate: true }),
              attempt,
              when: at(frame.failed_at),
            };
      settle(session_id, client_message_id, outcome);
      flush(session, deliveryQueue);
    },
    abandon: (session, queued) => {
      const { session_id } = session;
      const { unsent } = lineOf(session_id);
      for (const { client_message_id, attempt } of queued) {
        if (attempt > 0 && !unsent.has(client_message_id)) continue;
        settle(session_id, client_message_id, { ...FAILURES.away, attempt });
      }
    },
    gone: (peer) => {
      crowded.delete(peer);
      for (const [session_id, deliveryQueue] of lines)
        lose(session_id, deliveryQueue, (each) => each === peer);
    },
  };
}
