import type { CommitResult, MessageRecord, WaitingMessage, Write } from '@drawbridge/ledger';
import { withMembers } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import type { Echoes } from './echoes.ts';
import { type FrameOf, frameText, timeText, trustJson, trustStored } from './frames.ts';
import type { Peer } from './peer.ts';
import type { PendingSends, RelayEvent } from './ports.ts';
import {
  type Accepting,
  answersAgain,
  FAILURES,
  isDoubted,
  isEnding,
  type SendEffect,
  type SendEvent,
  type SendOutcome,
  stepSend,
  storedSend,
} from './send.ts';
import { createSendExpiry } from './send-expiry.ts';
import {
  countSend,
  createSendQueue,
  type DeliveredSend,
  hasRoom,
  isFree,
  nextBatch,
  putSend,
  type QueuedSend,
  type SendQueue,
  sortSends,
  takes,
} from './send-queue.ts';
import type { LiveSession } from './sessions.ts';

type Message = FrameOf<'message_event'>['message'];
export type Delivery = ReturnType<typeof createDelivery>;

/** Sends a frame that is no event to the watchers of a session that list the feature. */
type ShowFrame = (session_id: string, text: string, feature: string) => void;

const CHECKING = 'checking';
const RETRY_MS = 1_000;

/** The event of each outcome. */
const OUTCOMES: { readonly [type: string]: 'delivered' | 'failed' | 'cancelled' | undefined } = {
  message_delivered: 'delivered',
  message_failed: 'failed',
  message_cancelled: 'cancelled',
};

/**
 * Delivers sends to the proxies of their sessions, in the order of acceptance (CHT-147): runs the state machine
 * of `send.ts` over one queue per session. A follower only counts its sends, because the leader has the proxies.
 */
export function createDelivery(context: CoreContext, echoes: Echoes, show: ShowFrame) {
  const { ledger, isLeader } = context;
  /** Proxies at their limit, with sends queued for them. */
  const crowded = new Set<Peer>();
  const queues = new Map<string, SendQueue>();
  const expiry = createSendExpiry(context, ({ queue, client_message_id }) =>
    step(queue, client_message_id, { type: 'expired' }),
  );
  const queueOf = (session_id: string): SendQueue => {
    const there = queues.get(session_id);
    if (there !== undefined) return there;
    const queue = createSendQueue(session_id);
    queues.set(session_id, queue);
    return queue;
  };

  const checkingText = ({ queue: { session_id }, client_message_id }: QueuedSend): string =>
    frameText(
      { type: 'message_checking', session_id, message_id: client_message_id, client_message_id },
      context.now(),
    );

  const showDoubt = (entry: QueuedSend): void => {
    if (isLeader) show(entry.queue.session_id, checkingText(entry), CHECKING);
  };

  const step = (queue: SendQueue, client_message_id: string, event: SendEvent): void => {
    let entry = queue.sends.get(client_message_id);
    const before = entry?.send;
    const [send, effects] = stepSend(before, event) ?? [before, []];
    if (send !== undefined && send !== before) entry = putSend(queue, client_message_id, send);
    if (entry !== undefined && isDoubted(send) && !isDoubted(before)) showDoubt(entry);
    if (entry !== undefined && before?.state === 'in_flight' && send !== before) {
      entry.stopTimeout?.();
      if (crowded.delete(before.carrier)) wake(before.carrier);
    }
    for (const effect of effects) {
      if (effect.do === 'settle')
        context.run(settle(queue.session_id, client_message_id, effect.outcome, effect.attempt));
      else if (entry !== undefined && effect.do === 'transmit') transmit(entry, effect);
      else if (entry !== undefined && isLeader) expiry.watch(entry);
    }
    if (queue.waiting > 0) flush(queue);
  };

  const limitResult = (entry: QueuedSend): void => {
    const { queue, client_message_id } = entry;
    entry.stopTimeout?.();
    entry.stopTimeout = context.after(context.times.send_result_ms, () =>
      step(queue, client_message_id, { type: 'timed_out' }),
    );
  };

  const transmit = (entry: QueuedSend, effect: SendEffect & { do: 'transmit' }): void => {
    const { to, payload, payload_text, attempt } = effect;
    const { queue, client_message_id } = entry;
    limitResult(entry);
    echoes.left(queue.session_id, client_message_id, payload);
    // CHT-180: unstamped, because it is the person's frame.
    const text =
      payload_text === undefined
        ? JSON.stringify({ ...payload, attempt })
        : withMembers(payload_text, { attempt: `${attempt}` });
    to.send(text, 'answer');
  };

  const settleWrites = (
    session_id: string,
    client_message_id: string,
    outcome: SendOutcome,
    attempt = 0,
  ): readonly Write[] => {
    const at = context.now();
    const sent = { message_id: client_message_id, client_message_id };
    const { when = timeText(at) } = outcome;
    const settled = { do: 'settle_message', session_id, client_message_id, attempt, at } as const;
    if (outcome.state !== 'failed') {
      const body = { ...sent, status: outcome.state, delivered_at: when };
      return [
        { ...settled, state: outcome.state },
        context.event(session_id, 'message_delivered', body, { at }),
      ];
    }
    const { state, error, indeterminate } = outcome;
    const body = { ...sent, status: state, failed_at: when, error, ...(indeterminate && { indeterminate }) };
    return [
      { ...settled, state, error: trustJson({ ...error, ...(indeterminate && { indeterminate }) }) },
      context.event(session_id, 'message_failed', body, { at }),
    ];
  };

  /** CHT-154: does nothing when the send is already settled. */
  const settle = (
    session_id: string,
    client_message_id: string,
    outcome: SendOutcome,
    attempt: number,
  ): Promise<void> =>
    context.retryUntilStored(async () => {
      const result = await context.commit(
        session_id,
        settleWrites(session_id, client_message_id, outcome, attempt),
      );
      if (result.committed) return;
      const stored = result.refusal.reason === 'message_changed' ? result.refusal.message : undefined;
      // Only this node forwards: it counted a forward whose commit seemed to fail. A result has its own attempt.
      if (stored?.state === 'accepted' && outcome.when === undefined)
        await settle(session_id, client_message_id, outcome, stored.attempt);
      else refused(session_id, client_message_id, attempt, stored);
    });

  /** The ledger has another outcome, or none: no event will end this send's place in the queue. */
  const refused = (
    session_id: string,
    client_message_id: string,
    attempt: number,
    stored: MessageRecord | undefined,
  ): void => {
    const entry = queues.get(session_id)?.sends.get(client_message_id);
    if (entry === undefined || !isEnding(entry.send) || entry.send.attempt !== attempt) return;
    const { chars, sequence } = entry.send;
    drop(entry);
    if (stored?.state !== 'accepted') return;
    const inDoubt = storedSend({ chars, sequence, attempt: stored.attempt });
    const again = putSend(entry.queue, client_message_id, inDoubt);
    if (isDoubted(inDoubt)) showDoubt(again);
    sortSends(entry.queue);
    if (isLeader) expiry.watch(again);
    flush(entry.queue);
  };

  /** Flushes every session of a proxy that has room again. */
  const wake = (peer: Peer): void => {
    for (const { session_id } of context.sessions.ofProxy(peer)) flush(queueOf(session_id));
  };

  const flush = (queue: SendQueue): void => {
    if (queue.flushing || !queue.loaded || queue.waiting === 0) return;
    queue.flushing = true;
    context.run(flushAll(queue));
  };

  const flushAll = async (queue: SendQueue): Promise<void> => {
    try {
      for (;;) {
        const session = context.sessions.get(queue.session_id);
        const peer = session?.proxy;
        if (!peer?.isOpen() || !queue.loaded) return;
        const { batch, chars, isCrowded } = nextBatch(queue, peer);
        if (isCrowded) crowded.add(peer);
        if (batch.length === 0) return;
        // Reserved, because its other sessions forward at the same time.
        peer.inFlightChars += chars;
        try {
          await forward(queue, peer, batch);
        } finally {
          peer.inFlightChars -= chars;
          if (crowded.delete(peer)) wake(peer);
        }
      }
    } catch (error) {
      context.onError(error);
      context.after(RETRY_MS, () => flush(queue));
    } finally {
      queue.flushing = false;
    }
  };

  /** Counts the forwards of a batch, then sends them in order. */
  const forward = async (queue: SendQueue, peer: Peer, batch: readonly QueuedSend[]): Promise<void> => {
    const { session_id } = queue;
    for (const { client_message_id } of batch) step(queue, client_message_id, { type: 'leaving', to: peer });
    const leaving = batch.filter(({ send }) => 'isLeaving' in send && send.isLeaving);
    const results = await Promise.allSettled(leaving.map((entry) => countForward(entry)));
    const failure = results.find((result) => result.status === 'rejected');
    leaving.forEach((entry, index) => {
      const result = results[index];
      const message = result?.status === 'fulfilled' ? result.value : undefined;
      const { client_message_id } = entry;
      if (failure !== undefined) {
        // None leaves, so that none overtakes another.
        const attempt = message === undefined ? undefined : { attempt: message.attempt };
        step(queue, client_message_id, { type: 'held_back', ...attempt });
      } else if (message?.state !== 'accepted') drop(entry);
      else {
        const session = context.sessions.get(session_id);
        const isClosed = session?.closed === true;
        const mayGo = session?.proxy === peer && peer.isOpen();
        const { attempt, payload, payload_text } = message;
        const counted = { type: 'counted', attempt, payload, payload_text } as const;
        step(queue, client_message_id, { ...counted, to: peer, mayGo, isClosed });
      }
    });
    if (failure !== undefined) throw failure.reason;
  };

  /** Resolves with undefined when the send has its outcome already. */
  const countForward = async ({ queue: { session_id }, client_message_id }: QueuedSend) => {
    const writes = [{ do: 'forward_message', session_id, client_message_id }] as const;
    const { committed } = await context.commit(session_id, writes);
    // People could edit the send until this commit; the read returns its final text.
    return committed ? ledger.message(session_id, client_message_id) : undefined;
  };

  const drop = (entry: QueuedSend): void => {
    if (entry.batch !== undefined) expiry.unwatch(entry);
    entry.stopTimeout?.();
    const { queue, client_message_id, send } = entry;
    if (queue.sends.delete(client_message_id)) countSend(queue, send, -1);
  };

  const inFlightOf = (queue: SendQueue): readonly (readonly [string, Peer])[] =>
    queue.inFlight === 0
      ? []
      : [...queue.sends].flatMap(([id, { send }]) =>
          send.state === 'in_flight' ? [[id, send.carrier] as const] : [],
        );

  /**
   * Another process may have injected sends that are in flight on its connection: they stay there until that
   * connection ends. A new connection of the same process may take them over.
   */
  const blocks = (peer: Peer, other: Peer): boolean =>
    answersAgain(other) &&
    other !== peer &&
    other.isOpen() &&
    (other.client_id === null || other.client_id !== peer.client_id);

  const loadQueued = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    const stored = Map.groupBy(await ledger.queuedMessages(peer.device_id), ({ session_id }) => session_id);
    for (const session of sessions) {
      if (session.proxy !== peer) continue;
      const queue = queueOf(session.session_id);
      queue.postponed = queue.departing > 0;
      if (queue.postponed) continue;
      const inFlight = inFlightOf(queue);
      if (inFlight.some(([, carrier]) => blocks(peer, carrier))) continue;
      for (const [id, carrier] of inFlight) {
        if (carrier !== peer && answersAgain(carrier)) step(queue, id, { type: 'carrier_gone' });
      }
      for (const message of stored.get(session.session_id) ?? []) {
        const { client_message_id } = message;
        if (queue.sends.has(client_message_id)) continue;
        const entry = putSend(queue, client_message_id, storedSend(message));
        if (isDoubted(entry.send)) showDoubt(entry);
      }
      sortSends(queue);
      for (const id of [...queue.sends.keys()]) step(queue, id, { type: 'proxy_back', proxy: peer });
      queue.loaded = true;
      flush(queue);
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

  /** Takes up the queue of a session that waited for the end of an earlier connection. */
  const unblock = (queue: SendQueue): void => {
    const session = context.sessions.get(queue.session_id);
    if (session?.proxy !== undefined) context.run(loadOrRetry(session.proxy, [session]));
  };

  /** CHT-158: another node accepted the send while its session seemed connected, and it is not. */
  const failIfHurried = (queue: SendQueue, client_message_id: string): Promise<void> =>
    context.retryUntilStored(async () => {
      const message = await ledger.message(queue.session_id, client_message_id);
      if (message?.payload['queue'] === false) step(queue, client_message_id, { type: 'away' });
    });

  /** The outcome that a proxy's report says. */
  const outcomeOf = (frame: FrameOf<'proxy_send_result'>): SendOutcome => {
    const now = timeText(context.now());
    if (frame.result === 'delivered') return { state: 'delivered', when: frame.delivered_at ?? now };
    return {
      ...FAILURES.injection,
      ...(frame.error && { error: frame.error }),
      ...(frame.error?.code === FAILURES.lost.error.code && { indeterminate: true }),
      when: frame.failed_at ?? now,
    };
  };

  return {
    settleWrites,
    /** Sends a browser that comes later the sends in doubt that it may see (CHT-349). */
    repeatChecks: (peer: Peer): void => {
      if (!peer.features.has(CHECKING)) return;
      for (const queue of queues.values()) {
        const doubted = [...queue.sends.values()].filter(({ send }) => isDoubted(send));
        if (doubted.length === 0) continue;
        if (!context.sessions.isSeenBy(peer, context.sessions.get(queue.session_id))) continue;
        for (const entry of doubted) peer.send(checkingText(entry), 'answer');
      }
    },
    /** False when the session may queue no more. */
    hasRoom: (session_id: string, chars: number): boolean => hasRoom(queueOf(session_id), chars),
    /** The proxy, if a send can be forwarded in the transaction that accepts it, because the queue is empty. */
    proxyReadyNow: ({ session_id, proxy }: LiveSession, chars: number): Peer | undefined =>
      proxy !== undefined && isFree(queueOf(session_id)) && takes(proxy, chars) ? proxy : undefined,
    /** Commits the transaction that accepts a send. */
    accept: async (
      session: LiveSession,
      client_message_id: string,
      send: Accepting,
      writes: readonly Write[],
    ): Promise<CommitResult> => {
      const queue = queueOf(session.session_id);
      // A retry of a send that is there changes nothing.
      const entry = queue.sends.has(client_message_id) ? undefined : putSend(queue, client_message_id, send);
      const departing = send.carrier === undefined ? 0 : 1;
      queue.departing += departing;
      let isStored = false;
      try {
        const outcome = await context.commit(session.session_id, writes);
        isStored = outcome.committed;
        return outcome;
      } finally {
        if (!isStored && entry?.send === send) drop(entry);
        queue.departing -= departing;
        if (queue.departing === 0 && queue.postponed) {
          queue.postponed = false;
          unblock(queue);
        }
      }
    },
    onAccepted: (event: RelayEvent, session: LiveSession | undefined): void => {
      if (session === undefined) return;
      const { event_id, sequence, payload } = event;
      const client_message_id = String(payload['client_message_id']);
      const queue = queueOf(session.session_id);
      const before = queue.sends.get(client_message_id)?.send;
      const carrier = before?.state === 'accepting' ? before.carrier : undefined;
      const mayGo =
        carrier !== undefined &&
        session.proxy === carrier &&
        isFree(queue) &&
        takes(carrier, before?.chars ?? 0);
      const isClosed = isLeader && session.closed;
      step(queue, client_message_id, { type: 'accepted', event_id, sequence, mayGo, isClosed });
      const entry = queue.sends.get(client_message_id);
      if (entry !== undefined) entry.acceptedAt ??= context.now();
      if (before === undefined && isLeader && session.proxy === undefined)
        context.run(failIfHurried(queue, client_message_id));
    },
    /** The size of a send that another node accepted. */
    onMessage: ({ session_id, payload }: RelayEvent): void => {
      const { client_message_id = '', content } = trustStored<Message>(payload['message']);
      const queue = queues.get(session_id);
      const send = queue?.sends.get(client_message_id)?.send;
      if (queue === undefined || send === undefined || send.chars > 0 || send.state === 'in_flight') return;
      putSend(queue, client_message_id, { ...send, chars: content.length });
    },
    pending: (): PendingSends => {
      const all = [...queues.values()];
      return {
        queued: all.reduce((sum, { waiting }) => sum + waiting, 0),
        inFlight: all.reduce((sum, queue) => sum + queue.inFlight, 0),
      };
    },
    onSettled: ({ type, session_id, payload, at }: RelayEvent): void => {
      const client_message_id = String(payload['client_message_id']);
      // A send with unknown delivery may be in the agent.
      const mayBeThere = type === 'message_delivered' || payload['indeterminate'] === true;
      echoes.settled(session_id, client_message_id, mayBeThere);
      if (isLeader && type === 'message_delivered') queueOf(session_id).delivered = { client_message_id, at };
      const queue = queues.get(session_id);
      const entry = queue?.sends.get(client_message_id);
      if (queue === undefined || entry === undefined) return;
      step(queue, client_message_id, { type: 'settled', state: OUTCOMES[type] ?? 'failed' });
      drop(entry);
      if (type === 'message_delivered' && entry.acceptedAt !== undefined)
        context.onDelivered?.((context.now() - entry.acceptedAt) / 1_000);
    },
    takeDelivered: (session_id: string): DeliveredSend | undefined => {
      const queue = queues.get(session_id);
      const delivered = queue?.delivered;
      if (queue !== undefined) queue.delivered = undefined;
      return delivered;
    },
    attach: (peer: Peer, sessions: readonly LiveSession[]): void => {
      const attached = sessions.filter(({ proxy }) => proxy === peer);
      for (const { session_id } of attached) queueOf(session_id).loaded = false;
      if (attached.length > 0) context.run(loadOrRetry(peer, attached));
    },
    detach: ({ session_id }: LiveSession): void => {
      queueOf(session_id).loaded = false;
    },
    report: (peer: Peer, frame: FrameOf<'proxy_send_result'>): void => {
      const session = context.sessions.ofFrame(peer, frame);
      if (session === undefined) return;
      const queue = queueOf(session.session_id);
      const entry = queue.sends.get(frame.client_message_id);
      const isInFlight = entry?.send.state === 'in_flight';
      if (frame.result === 'launch_accepted') {
        // CHT-353: the agent is starting with the message, and the result is still to come.
        if (entry?.send.state === 'in_flight' && entry.send.carrier === peer) limitResult(entry);
        return;
      }
      const outcome = outcomeOf(frame);
      step(queue, frame.client_message_id, { type: 'reported', by: peer, attempt: frame.attempt, outcome });
      // A late result unblocks nothing.
      if (isInFlight && !queue.loaded) unblock(queue);
    },
    /** The session ends: sends in flight become delivery unknown. */
    failInFlight: ({ session_id }: LiveSession): void => {
      const queue = queueOf(session_id);
      for (const [id] of inFlightOf(queue)) step(queue, id, { type: 'session_closing' });
    },
    /** CHT-202 */
    failQueued: ({ session_id }: LiveSession, stored: readonly WaitingMessage[]): void => {
      const queue = queueOf(session_id);
      for (const message of stored) {
        const { client_message_id } = message;
        if (!queue.sends.has(client_message_id)) putSend(queue, client_message_id, storedSend(message));
        step(queue, client_message_id, { type: 'session_closed' });
      }
    },
    /** CHT-160, CHT-300: the proxy's connection has ended. */
    gone: (peer: Peer): void => {
      crowded.delete(peer);
      for (const queue of queues.values()) {
        for (const [id, carrier] of inFlightOf(queue)) {
          if (carrier === peer) step(queue, id, { type: 'carrier_gone' });
        }
        if (!queue.loaded) unblock(queue);
      }
    },
    /** Takes up a send that was accepted before the start, with its remaining time, at most the full time. */
    restore: async (message: WaitingMessage): Promise<void> => {
      const { session_id, client_message_id, attempt, expires_at } = message;
      // CHT-202: the session's end was stored, and this outcome was not.
      if (isLeader && context.sessions.get(session_id) === undefined) {
        const failure = attempt > 0 ? FAILURES.lost : FAILURES.away;
        await settle(session_id, client_message_id, failure, attempt);
        return;
      }
      const queue = queueOf(session_id);
      if (queue.sends.has(client_message_id)) return;
      const entry = putSend(queue, client_message_id, storedSend(message));
      if (isDoubted(entry.send)) showDoubt(entry);
      if (!isLeader) return;
      // CHT-300: in doubt until the proxy is back, which may know the outcome.
      if (attempt > 0) expiry.watch(entry);
      else expiry.watch(entry, Math.max(0, (expires_at ?? 0) - context.now()));
    },
  };
}
