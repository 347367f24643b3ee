import type { MessageRecord, WaitingMessage } from '../ledger/records.ts';
import type { Base } from './base.ts';
import { createLine, type Line, type Prepared, type Waiting } from './delivery-line.ts';
import { type FrameOf, forwardText, timeText } from './frames.ts';
import type { Ownership } from './ownership.ts';
import type { Peer } from './peer.ts';
import { createProxyLoad } from './proxy-load.ts';
import type { LiveSession } from './sessions.ts';
import { FAILURES, type Settlement, type Settlements } from './settlements.ts';
import type { Transcript } from './transcript.ts';
import type { UnsettledSends } from './unsettled-sends.ts';

/** Delivers a session's sends to its proxy in the order of acceptance (CHT-147). */
export interface Delivery {
  /** The proxy, if a send can be forwarded in the transaction that accepts it, because the queue is empty. */
  readonly lineTo: (session: LiveSession, chars: number) => Peer | undefined;
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
  base: Base,
  ownership: Ownership,
  settlements: Settlements,
  unsettled: UnsettledSends,
  { left }: Pick<Transcript, 'left'>,
): Delivery {
  const { ledger } = base;
  const load = createProxyLoad();
  /** Proxies at their limit, with sends queued for them. */
  const crowded = new Set<Peer>();
  const lines = new Map<string, Line>();
  const lineOf = (session_id: string): Line => {
    const there = lines.get(session_id);
    if (there !== undefined) return there;
    const line = createLine();
    lines.set(session_id, line);
    return line;
  };

  const settle = (session_id: string, client_message_id: string, settlement: Settlement): void =>
    base.run(settlements.settle(session_id, client_message_id, settlement));

  const transmit = (session: LiveSession, line: Line, sent: Omit<Prepared, 'sequence'>, attempt: number) => {
    const { session_id } = session;
    const { peer, client_message_id, payload } = sent;
    line.unsent.delete(client_message_id);
    const callOff = base.after(base.times.send_result_ms, () => {
      land(line, client_message_id);
      settle(session_id, client_message_id, { ...FAILURES.silent, attempt });
      flush(session, line);
    });
    const text = forwardText(payload, { attempt });
    load.add(peer, text.length);
    line.inFlight.set(client_message_id, { peer, chars: text.length, attempt, callOff });
    left(session_id, sent);
    peer.send(text, 'answer');
  };

  const land = (line: Line, client_message_id: string): void => {
    const flying = line.inFlight.get(client_message_id);
    if (flying === undefined) return;
    flying.callOff();
    line.inFlight.delete(client_message_id);
    load.remove(flying.peer, flying.chars);
    wake(flying.peer);
  };

  /** Flushes every session of a proxy that has room again. */
  const wake = (peer: Peer): void => {
    if (!crowded.delete(peer)) return;
    for (const session of base.sessions.ofProxy(peer)) flush(session, lineOf(session.session_id));
  };

  const queue = (session: LiveSession, line: Line, waiting: Waiting): void => {
    if (session.proxy === undefined) return;
    const { client_message_id } = waiting;
    if (line.waiting.has(client_message_id)) return;
    line.waiting.set(client_message_id, waiting);
    flush(session, line);
  };

  const mayLeave = (line: Line, message: MessageRecord | undefined): message is MessageRecord =>
    message?.state === 'accepted' && (message.attempt === 0 || line.unsent.has(message.client_message_id));

  const forward = async (session: LiveSession, line: Line, peer: Peer, batch: readonly Waiting[]) => {
    const { session_id } = session;
    const read = ({ client_message_id }: Waiting) => ledger.message(session_id, client_message_id);
    const leaving = (await Promise.all(batch.map(read))).filter((message) => mayLeave(line, message));
    const forwarded = await Promise.all(
      leaving.map(async ({ client_message_id, sequence }) => {
        const outcome = await base.commit(session_id, [
          { do: 'forward_message', session_id, client_message_id },
        ]);
        if (!outcome.committed) return undefined;
        line.unsent.add(client_message_id);
        // People could edit the send until this commit; the read returns its final text.
        return read({ client_message_id, sequence });
      }),
    );
    const kept = new Set<string>();
    for (const message of forwarded) {
      // The send may have been withheld since it was counted as forwarded.
      if (message === undefined || !line.unsent.has(message.client_message_id)) continue;
      const { client_message_id, attempt } = message;
      if (session.closed) settle(session_id, client_message_id, { ...FAILURES.away, attempt });
      else if (session.proxy === peer && peer.isOpen())
        transmit(session, line, { ...message, peer }, attempt);
      // Another connection has taken the session over and gets this send.
      else kept.add(client_message_id);
    }
    for (const { client_message_id } of batch) {
      if (!kept.has(client_message_id)) line.waiting.delete(client_message_id);
    }
  };

  const charsOf = ({ session_id }: LiveSession, { client_message_id }: Waiting): number =>
    unsettled.chars(session_id, client_message_id);

  const nextBatch = (session: LiveSession, line: Line, peer: Peer): readonly Waiting[] => {
    const batch: Waiting[] = [];
    let chars = 0;
    for (const waiting of line.waiting.values()) {
      if (batch.length >= Math.min(BATCH, MAX_IN_FLIGHT - line.inFlight.size)) break;
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
  const forwardCounted = async (session: LiveSession, line: Line, peer: Peer, batch: readonly Waiting[]) => {
    const chars = batch.reduce((sum, waiting) => sum + charsOf(session, waiting), 0);
    load.add(peer, chars);
    try {
      await forward(session, line, peer, batch);
    } finally {
      load.remove(peer, chars);
      wake(peer);
    }
  };

  const flushAll = async (session: LiveSession, line: Line): Promise<void> => {
    try {
      for (;;) {
        const peer = session.proxy;
        if (!peer?.isOpen() || !line.loaded) return;
        const batch = nextBatch(session, line, peer);
        if (batch.length === 0) return;
        await forwardCounted(session, line, peer, batch);
      }
    } catch (error) {
      base.onFault(error);
      base.after(RETRY_MS, () => flush(session, line));
    } finally {
      line.flushing = false;
    }
  };

  const flush = (session: LiveSession, line: Line): void => {
    if (line.flushing || !line.loaded || line.waiting.size === 0) return;
    line.flushing = true;
    base.run(flushAll(session, line));
  };

  const isFree = (line: Line): boolean => line.loaded && !line.flushing && line.waiting.size === 0;

  const takeUp = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    const queued = Map.groupBy(await ledger.queuedMessages(peer.device_id), ({ session_id }) => session_id);
    for (const session of sessions) {
      if (session.proxy !== peer) continue;
      const line = lineOf(session.session_id);
      line.postponed = line.departing > 0;
      if (line.postponed) continue;
      const found = (queued.get(session.session_id) ?? []).filter(
        ({ client_message_id, attempt }) =>
          !line.waiting.has(client_message_id) && (attempt === 0 || line.unsent.has(client_message_id)),
      );
      const inOrder = [...line.waiting.values(), ...found].toSorted((a, b) => a.sequence - b.sequence);
      line.waiting = new Map(inOrder.map((each) => [each.client_message_id, each]));
      line.loaded = true;
      flush(session, line);
    }
  };

  const loadOrRetry = async (peer: Peer, sessions: readonly LiveSession[]): Promise<void> => {
    try {
      await takeUp(peer, sessions);
    } catch (error) {
      base.onFault(error);
      base.after(RETRY_MS, () => base.run(loadOrRetry(peer, sessions)));
    }
  };

  const lose = (session_id: string, line: Line, ofPeer: (peer: Peer) => boolean): void => {
    for (const [client_message_id, { peer, attempt }] of line.inFlight) {
      if (!ofPeer(peer)) continue;
      land(line, client_message_id);
      settle(session_id, client_message_id, { ...FAILURES.lost, attempt });
    }
  };

  return {
    lineTo: (session, chars) => {
      const line = session.proxy && lineOf(session.session_id);
      if (line === undefined || !isFree(line) || line.inFlight.size >= MAX_IN_FLIGHT) return undefined;
      return session.proxy && load.hasRoom(session.proxy, chars) ? session.proxy : undefined;
    },
    depart: (session) => {
      const line = lineOf(session.session_id);
      line.departing += 1;
      return () => {
        line.departing -= 1;
        if (line.departing > 0 || !line.postponed) return;
        line.postponed = false;
        if (session.proxy !== undefined) base.run(loadOrRetry(session.proxy, [session]));
      };
    },
    prepare: (session, prepared) => {
      const line = lineOf(session.session_id);
      const { client_message_id, sequence } = prepared;
      if (base.feed.head(session.session_id) < sequence) {
        line.prepared.set(client_message_id, prepared);
        return;
      }
      // The send's event was read from the ledger before the commit was answered.
      line.unsent.add(client_message_id);
      queue(session, line, { client_message_id, sequence });
    },
    accepted: (session, client_message_id, sequence) => {
      const line = lineOf(session.session_id);
      const prepared = line.prepared.get(client_message_id);
      line.prepared.delete(client_message_id);
      if (session.closed) {
        const attempt = prepared === undefined ? 0 : 1;
        settle(session.session_id, client_message_id, { ...FAILURES.away, attempt });
        return false;
      }
      const chars = unsettled.chars(session.session_id, client_message_id);
      const mayGo = prepared !== undefined && session.proxy === prepared.peer && isFree(line);
      if (mayGo && load.hasRoom(prepared.peer, chars)) {
        transmit(session, line, prepared, 1);
        return true;
      }
      if (prepared !== undefined) line.unsent.add(client_message_id);
      queue(session, line, { client_message_id, sequence });
      return false;
    },
    withhold: (message) => {
      const { session_id, client_message_id } = message;
      const line = lineOf(session_id);
      if (!mayLeave(line, message)) return false;
      line.unsent.delete(client_message_id);
      return true;
    },
    attach: (peer, sessions) => {
      const attached = sessions.filter(({ proxy }) => proxy === peer);
      for (const session of attached) lineOf(session.session_id).loaded = false;
      if (attached.length > 0) base.run(loadOrRetry(peer, attached));
    },
    detach: ({ session_id }) => {
      const line = lineOf(session_id);
      line.loaded = false;
      line.waiting = new Map();
    },
    cut: ({ session_id }) => lose(session_id, lineOf(session_id), () => true),
    report: (peer, frame) => {
      const session = ownership.of(peer, frame);
      if (session === undefined) return;
      const { session_id, client_message_id, result } = frame;
      const line = lineOf(session_id);
      const flying = line.inFlight.get(client_message_id);
      if (flying === undefined || (frame.attempt ?? flying.attempt) !== flying.attempt) return;
      land(line, client_message_id);
      const { attempt } = flying;
      const at = (time: string | undefined) => time ?? timeText(base.now());
      const settlement: Settlement =
        result === 'delivered'
          ? { state: 'delivered', attempt, when: at(frame.delivered_at) }
          : {
              ...FAILURES.injection,
              ...(frame.error && { error: frame.error }),
              ...(frame.error?.code === FAILURES.lost.error.code && { indeterminate: true }),
              attempt,
              when: at(frame.failed_at),
            };
      settle(session_id, client_message_id, settlement);
      flush(session, line);
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
      for (const [session_id, line] of lines) lose(session_id, line, (each) => each === peer);
    },
  };
}
