import { transportFailed } from './transport-error.ts';

export interface OutboxEntry {
  /** The first item of a stream is 1. */
  readonly number: number;
  readonly text: string;
}

export interface OutboxLimits {
  readonly maxItems?: number;
  readonly maxChars?: number;
}

export const OUTBOX_MAX_ITEMS = 1_000;
export const OUTBOX_MAX_CHARS = 4 * 1_048_576;

/** What was sent and not yet confirmed, numbered, so that it can be sent again after a reconnect. */
export interface Outbox {
  /** How many were ever sent in this stream. */
  readonly last: () => number;
  /** Throws `transport_failed` when full: older items keep their place, the new one is refused. */
  readonly push: (text: string) => OutboxEntry;
  readonly confirm: (upTo: number) => void;
  /** A peer that has received so many can go on from there. */
  readonly canResumeAfter: (received: number) => boolean;
  readonly after: (number: number) => readonly OutboxEntry[];
  /** Forgets what cannot be confirmed any more, the oldest first, to make room: for peers that confirm nothing. */
  readonly makeRoom: (chars: number) => void;
  /** So many were sent before this outbox began, by a process that is gone. */
  readonly startAfter: (sent: number) => void;
  /** Ends the stream and tells what was unconfirmed in it. */
  readonly drain: () => readonly OutboxEntry[];
}

export function createOutbox(limits: OutboxLimits = {}): Outbox {
  const { maxItems = OUTBOX_MAX_ITEMS, maxChars = OUTBOX_MAX_CHARS } = limits;
  let entries: OutboxEntry[] = [];
  let last = 0;
  let chars = 0;

  const isFullFor = (more: number) => entries.length >= maxItems || chars + more > maxChars;

  const confirm = (upTo: number): void => {
    const kept = entries.findIndex(({ number }) => number > upTo);
    const gone = entries.splice(0, kept < 0 ? entries.length : kept);
    for (const { text } of gone) chars -= text.length;
  };

  return {
    last: () => last,
    push: (text) => {
      if (isFullFor(text.length)) {
        throw transportFailed(
          'The peer has not confirmed earlier items, and the buffer for them is full. Try again when the link is open and has caught up.',
          { reason: 'buffer_full', unconfirmed: entries.length, limit: { items: maxItems, chars: maxChars } },
        );
      }
      last += 1;
      const entry = { number: last, text };
      entries.push(entry);
      chars += text.length;
      return entry;
    },
    confirm,
    canResumeAfter: (received) => {
      const first = entries[0]?.number ?? last + 1;
      return Number.isSafeInteger(received) && received >= first - 1 && received <= last;
    },
    after: (number) => entries.filter((entry) => entry.number > number),
    makeRoom: (more) => {
      let [oldest] = entries;
      while (oldest !== undefined && isFullFor(more)) {
        confirm(oldest.number);
        [oldest] = entries;
      }
    },
    startAfter: (sent) => {
      entries = entries.map(({ number, text }) => ({ number: number + sent, text }));
      last += sent;
    },
    drain: () => {
      const drained = entries;
      entries = [];
      last = 0;
      chars = 0;
      return drained;
    },
  };
}

export const BATCH_MAX_ITEMS = 200;
const BATCH_MAX_CHARS = 1_048_576;

/** As many of the first entries as one request carries; never none of some. */
export function batchOf(entries: readonly OutboxEntry[], maxItems = BATCH_MAX_ITEMS): readonly OutboxEntry[] {
  let chars = 0;
  const first = entries.slice(0, maxItems);
  const tooMuch = first.findIndex(({ text }, index) => {
    chars += text.length;
    return index > 0 && chars > BATCH_MAX_CHARS;
  });
  return tooMuch < 0 ? first : first.slice(0, tooMuch);
}
