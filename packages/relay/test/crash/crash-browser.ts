import { createDeferred } from '@drawbridge/base';
import type { Log } from './client-log.ts';
import { type Frame, openWire, type Say } from './crash-wire.ts';
import type { Service } from './outages.ts';
import type { RelayLives } from './relay-lives.ts';

export interface BrowserOptions {
  readonly name: string;
  readonly token: string;
  readonly session_id: string;
  readonly log: Log;
  /** True to retry sends that were refused because the ledger could not store them. */
  readonly insists?: boolean;
  /** Called for each acceptance and outcome of one of its sends, with the time at which it was last sent. */
  readonly onServed?: (service: Service, since: number) => void;
}

export interface CrashBrowser {
  /** Resolves when one of its sends was delivered. */
  readonly delivered: Promise<void>;
  /** Number of its sends without an outcome. */
  readonly unsettled: () => number;
  /** Breaks its connection, as a network does. */
  readonly cut: () => void;
  /** Sends nothing new; resolves when each of its sends has an outcome. */
  readonly settle: () => Promise<void>;
  readonly close: () => void;
}

const SEND_EVERY_MS = 40;
const AGAIN_MS = 300;
/** Sends per tick: twenty browsers send five hundred a second, or three times that on a dedicated machine. */
const BATCH = process.env['DRAWBRIDGE_DEEP'] === undefined ? 1 : 3;
const MOST_UNANSWERED = 8 * BATCH;
/** Frames that a node sends in normal operation, also when it stops. */
const UNREMARKABLE: readonly string[] = ['session_snapshot', 'reconnect_hint'];
const OUTCOMES: readonly string[] = ['message_delivered', 'message_failed'];

/** Watches one session, sends to it, and repeats unaccepted sends after a reconnect. */
export function startBrowser(
  lives: Pick<RelayLives, 'url'>,
  { name, token, session_id, log, insists = false, onServed = () => {} }: BrowserOptions,
): CrashBrowser {
  const unaccepted = new Set<string>();
  /** With the time at which each was last sent. */
  const unsettled = new Map<string, number>();
  const delivered = createDeferred();
  const settled = createDeferred();
  let ending = false;
  let seen = 0;
  let epoch: string | undefined;
  let sent = 0;
  let speak: Say = () => {};

  const send = (id: string, say: Say): void => {
    unsettled.set(id, performance.now());
    say({
      type: 'send_message',
      session_id,
      client_message_id: id,
      content: `message ${id}`,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  };

  const see = (frame: Frame): void => {
    const { type, sequence = 0, event_id = '', client_message_id: id } = frame;
    const isAnswer = type === 'message_accepted' && id !== undefined && unaccepted.delete(id);
    if (isAnswer) {
      log({ did: 'accepted', session_id, id, sequence, event_id });
      onServed('accepted', unsettled.get(id) ?? 0);
    }
    // CHT-143: the answer to a retry has its first sequence; as an event it comes in order.
    if (type === 'message_accepted' && sequence <= seen) return;
    if (isAnswer && sequence > seen + 1) return;
    log({ did: 'see', session_id, sequence, event_id, type, ...(id !== undefined && { id }) });
    seen = sequence;
    if (type === 'message_delivered') delivered.resolve();
    const since = id === undefined || !OUTCOMES.includes(type) ? undefined : unsettled.get(id);
    if (id !== undefined && since !== undefined) {
      unsettled.delete(id);
      onServed('settled', since);
    }
    if (ending && unsettled.size === 0) settled.resolve();
  };

  const wire = openWire(lives, token, {
    onOpen: (say) => {
      const resume = {
        ...(epoch !== undefined && { epoch }),
        sessions: [{ session_id, last_sequence: seen }],
      };
      say({ type: 'connection_hello', peer_role: 'browser', client_name: name, resume });
    },
    onFrame: (frame, say) => {
      if (frame.type === 'connection_ack') {
        epoch ??= frame.epoch;
        log({ did: 'connect', session_id, from: seen, epoch: frame.epoch ?? '' });
        speak = say;
        for (const id of unaccepted) send(id, say);
      } else if (frame.type === 'history_delta') for (const event of frame.events ?? []) see(event);
      else if (frame.event_id !== undefined) see(frame);
      else if (insists && frame.type === 'connection_error' && frame.code === 'send_rejected') again(frame);
      else if (!UNREMARKABLE.includes(frame.type)) log({ did: 'wonder', frame });
    },
  });

  const again = ({ client_message_id: id = '' }: Frame): void => {
    setTimeout(() => {
      if (unaccepted.has(id)) send(id, speak);
    }, AGAIN_MS).unref();
  };

  const sendNext = (): void => {
    sent += 1;
    const id = `${name}-${sent}`;
    log({ did: 'send', session_id, id });
    unaccepted.add(id);
    send(id, speak);
  };
  const pace = setInterval(() => {
    for (let n = 0; n < BATCH; n += 1) {
      if (epoch !== undefined && unaccepted.size < MOST_UNANSWERED) sendNext();
    }
  }, SEND_EVERY_MS);

  return {
    delivered: delivered.promise,
    unsettled: () => unsettled.size,
    cut: wire.cut,
    settle: () => {
      ending = true;
      clearInterval(pace);
      if (unsettled.size === 0) settled.resolve();
      return settled.promise;
    },
    close: () => {
      clearInterval(pace);
      wire.close();
    },
  };
}
