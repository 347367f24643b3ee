import type { Peer } from './peer.ts';
import { isWaiting, type Send, type WaitingSend } from './send.ts';
import type { ExpiryBatch } from './send-expiry.ts';

/** A send in the queue of its session. */
export interface QueuedSend {
  readonly queue: SendQueue;
  readonly client_message_id: string;
  send: Send;
  /** Cancels the timeout of a send in flight. */
  stopTimeout: (() => void) | undefined;
  batch: ExpiryBatch | undefined;
  /** Unknown for a send that the ledger held at the start. */
  acceptedAt: number | undefined;
}

export interface DeliveredSend {
  readonly client_message_id: string;
  readonly at: number;
}

/** A session's sends without a stored outcome. */
export interface SendQueue {
  readonly session_id: string;
  /** In sequence order, except for those that are accepted now. */
  sends: Map<string, QueuedSend>;
  chars: number;
  waiting: number;
  inFlight: number;
  /** Accept-and-forward transactions under way: the ledger may count a forward before the send is in flight. */
  departing: number;
  /** True when the sends that the ledger holds were added. */
  loaded: boolean;
  /** Loading waits until no send departs, or later sends would overtake those. */
  postponed: boolean;
  flushing: boolean;
  /** The latest delivered send, until the agent starts its work. */
  delivered: DeliveredSend | undefined;
}

export const createSendQueue = (session_id: string): SendQueue => ({
  session_id,
  ...{ sends: new Map(), chars: 0, waiting: 0, inFlight: 0, departing: 0 },
  ...{ loaded: false, postponed: false, flushing: false, delivered: undefined },
});

const MAX_SENDS = 1_000;
const MAX_CHARS = 32 * 1_048_576;
/** Sends beyond this limit stay in the relay, where people can cancel them. */
const MAX_IN_FLIGHT = 512;
/** Unanswered characters in flight per proxy connection; bounds memory when a proxy stops reading. */
const MAX_PROXY_CHARS = 8 * 1_048_576;
const BATCH = 32;
const MAX_BATCH_CHARS = 1_048_576;

export const countSend = (queue: SendQueue, send: Send, by: 1 | -1): void => {
  queue.chars += by * send.chars;
  if (isWaiting(send)) queue.waiting += by;
  if (send.state === 'in_flight') {
    queue.inFlight += by;
    send.carrier.inFlightChars += by * send.chars;
  }
};

export function putSend(queue: SendQueue, client_message_id: string, send: Send): QueuedSend {
  const there = queue.sends.get(client_message_id);
  if (there !== undefined) {
    countSend(queue, there.send, -1);
    // Acceptances are dispatched in sequence order.
    if (there.send.state === 'accepting') queue.sends.delete(client_message_id);
  }
  const entry = there ?? {
    ...{ queue, client_message_id, send },
    ...{ stopTimeout: undefined, batch: undefined, acceptedAt: undefined },
  };
  entry.send = send;
  queue.sends.set(client_message_id, entry);
  countSend(queue, send, 1);
  return entry;
}

/** Puts sends that were added later, and accepted earlier, into sequence order. */
export function sortSends(queue: SendQueue): void {
  const inOrder = [...queue.sends.values()].toSorted((a, b) => a.send.sequence - b.send.sequence);
  queue.sends = new Map(inOrder.map((entry) => [entry.client_message_id, entry]));
}

/** CHT-277 */
export const hasRoom = (queue: SendQueue, chars: number): boolean =>
  queue.sends.size < MAX_SENDS && queue.chars + chars <= MAX_CHARS;

/** True when the next send may leave at once. */
export const isFree = ({ loaded, flushing, waiting, inFlight }: SendQueue): boolean =>
  loaded && !flushing && waiting === 0 && inFlight < MAX_IN_FLIGHT;

/** One send always fits; more only within the limit. */
export const takes = ({ inFlightChars }: Peer, chars: number): boolean =>
  inFlightChars === 0 || inFlightChars + chars <= MAX_PROXY_CHARS;

type Batch = readonly (QueuedSend & { readonly send: WaitingSend })[];

const isInLine = (entry: QueuedSend): entry is Batch[number] =>
  isWaiting(entry.send) && !entry.send.isLeaving;

/** The sends to forward next; `isCrowded` when the proxy has no room for more. */
export function nextBatch(
  { sends, inFlight }: SendQueue,
  proxy: Peer,
): { readonly batch: Batch; readonly chars: number; readonly isCrowded: boolean } {
  const batch: Batch[number][] = [];
  let chars = 0;
  for (const entry of sends.values()) {
    if (!isInLine(entry)) continue;
    if (batch.length >= Math.min(BATCH, MAX_IN_FLIGHT - inFlight)) break;
    if (!takes(proxy, chars + entry.send.chars)) return { batch, chars, isCrowded: true };
    chars += entry.send.chars;
    batch.push(entry);
    if (chars > MAX_BATCH_CHARS) break;
  }
  return { batch, chars, isCrowded: false };
}
