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

/** Sent and unconfirmed items, numbered, for a resend after a reconnect. */
export function createOutbox(limits: OutboxLimits = {}) {
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
    /** The number of items ever sent in this stream. */
    last: (): number => last,
    /** Throws `transport_failed` when full: older items stay, the new one is refused. */
    push: (text: string): OutboxEntry => {
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
    /** Whether a peer with this many received items can resume. */
    canResumeAfter: (received: number): boolean => {
      const first = entries[0]?.number ?? last + 1;
      return Number.isSafeInteger(received) && received >= first - 1 && received <= last;
    },
    after: (number: number): readonly OutboxEntry[] => entries.filter((entry) => entry.number > number),
    /** Drops the oldest items to make room, for peers that confirm nothing. */
    makeRoom: (more: number): void => {
      let [oldest] = entries;
      while (oldest !== undefined && isFullFor(more)) {
        confirm(oldest.number);
        [oldest] = entries;
      }
    },
    /** A dead process has sent this many before. */
    startAfter: (sent: number): void => {
      entries = entries.map(({ number, text }) => ({ number: number + sent, text }));
      last += sent;
    },
    /** Ends the stream and returns its unconfirmed entries. */
    drain: (): readonly OutboxEntry[] => {
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

/** The first entries that fit one request; at least one. */
export function batchOf(entries: readonly OutboxEntry[], maxItems = BATCH_MAX_ITEMS): readonly OutboxEntry[] {
  let chars = 0;
  const first = entries.slice(0, maxItems);
  const tooMuch = first.findIndex(({ text }, index) => {
    chars += text.length;
    return index > 0 && chars > BATCH_MAX_CHARS;
  });
  return tooMuch < 0 ? first : first.slice(0, tooMuch);
}
