import type { EventPage, EventRecord, JsonObject, Ledger } from '@drawbridge/ledger';
import { messageText, trustStored } from './frames.ts';

/** Part of a session's transcript, the oldest message first, each as JSON text. */
interface TranscriptPage {
  readonly last_sequence: number;
  /** CHT-270: set when older messages exist before it. */
  readonly before_sequence?: number;
  readonly messages: readonly string[];
}

export interface Transcript extends Pick<Ledger, 'latestOfMessage' | 'message'> {
  readonly transcriptBefore: (
    session_id: string,
    sequence: number,
    limit: number,
  ) => Promise<EventPage | undefined>;
}

export interface TranscriptQuery {
  readonly before_sequence?: number;
  readonly limit?: number;
  readonly maxChars: number;
  /** In UTF-8. */
  readonly maxBytes?: number | undefined;
  /** CHT-316: adds blocks made of a message's details. */
  readonly withBlocks?: boolean;
  /** CHT-319: adds the message's number as `id`. */
  readonly withIds?: boolean;
}

interface Entry {
  /** First sequence of the message, as far as was read. */
  sequence: number;
  /** The message without its status and number. */
  readonly text: string;
  readonly newest: EventRecord;
}

const PAGE_EVENTS = 200;
/** Characters that a delivery status adds to a message. */
const STATUS_CHARS = 24;

/** Undefined when the history is not available (CHT-179). */
export async function readTranscript(
  ledger: Transcript,
  session_id: string,
  query: TranscriptQuery,
): Promise<TranscriptPage | undefined> {
  const {
    before_sequence,
    limit = Number.POSITIVE_INFINITY,
    maxChars,
    maxBytes,
    withBlocks = false,
    withIds,
  } = query;
  const entries = new Map<string, Entry>();
  let before = before_sequence ?? Number.MAX_SAFE_INTEGER;
  let chars = 0;
  let bytes = 0;
  let head: number | undefined;
  let more = false;
  reading: for (;;) {
    const page = await ledger.transcriptBefore(session_id, before, PAGE_EVENTS);
    if (page === undefined || (page.head > 0 && page.oldest > page.head)) return undefined;
    head ??= page.head;
    if (page.events.length === 0) break;
    for (const event of page.events.toReversed()) {
      const id = event.message_id ?? event.event_id;
      const there = entries.get(id);
      if (there === undefined) {
        // A later event beyond the page may replace the message (CHT-164).
        const latest = before_sequence === undefined ? event : await ledger.latestOfMessage(session_id, id);
        const newest = latest ?? event;
        const text = messageText(newest, {}, withBlocks);
        const size = text.length + STATUS_CHARS;
        if (maxBytes !== undefined) bytes += Buffer.byteLength(text) + STATUS_CHARS;
        const isMuch = chars + size > maxChars || bytes > (maxBytes ?? bytes);
        more = entries.size >= limit || (entries.size > 0 && isMuch);
        if (more) break reading;
        chars += size;
        entries.set(id, { sequence: event.sequence, text, newest });
      } else there.sequence = event.sequence;
      before = event.sequence;
    }
  }
  const inOrder = [...entries.values()].toSorted((a, b) => a.sequence - b.sequence);
  const messages = await Promise.all(
    inOrder.map(async ({ text, newest, sequence }) => {
      const status = await statusOf(ledger, session_id, messageOf(newest));
      const changes = { ...(withIds && { id: sequence }), ...status };
      return Object.keys(changes).length === 0 ? text : messageText(newest, changes, withBlocks);
    }),
  );
  return { last_sequence: head, messages, ...(more && { before_sequence: before }) };
}

const messageOf = ({ payload }: EventRecord): JsonObject => trustStored(payload['message']);

/** CHT-53: what became of a send. */
async function statusOf(
  ledger: Pick<Ledger, 'message'>,
  session_id: string,
  message: JsonObject,
): Promise<{ readonly status: string } | undefined> {
  const id = message['client_message_id'];
  const send = typeof id === 'string' ? await ledger.message(session_id, id) : undefined;
  return send && { status: send.state };
}
