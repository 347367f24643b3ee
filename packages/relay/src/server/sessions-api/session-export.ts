import type { EventRecord, Ledger, SessionRecord } from '@drawbridge/ledger';
import { maskShapes, maskShapesIn } from '@drawbridge/protocol/secrets';
import { summaryOf } from './session-summary.ts';

const PAGE_EVENTS = 500;

/**
 * JSON lines: a header, each event that existed at the start, and a last line with their count and the last
 * hash. Read as fast as the client reads. An export without its last line is incomplete.
 */
export function exportOf(
  ledger: Ledger,
  session: SessionRecord,
  exported_at: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  async function* parts(): AsyncGenerator<Uint8Array> {
    for await (const text of texts(ledger, session, exported_at)) yield encoder.encode(text);
  }
  return ReadableStream.from(parts());
}

async function* texts(ledger: Ledger, session: SessionRecord, exported_at: number): AsyncGenerator<string> {
  const { session_id, oldest, head, metadata, config } = session;
  yield line({ session: { ...summaryOf(session), metadata, config }, epoch: ledger.epoch, exported_at });
  let cursor = oldest - 1;
  let hash: string | null = null;
  while (cursor < head) {
    const page = await ledger.eventsAfter(session_id, cursor, Math.min(PAGE_EVENTS, head - cursor));
    const last = page?.events.at(-1);
    if (page?.events[0]?.sequence !== cursor + 1 || last === undefined) {
      throw new Error(`Session ${session_id} was pruned or deleted while it was exported.`);
    }
    yield page.events.map((event) => line(maskedEvent(event))).join('');
    cursor = last.sequence;
    hash = last.hash;
  }
  yield line({ events: head - oldest + 1, hash });
}

/**
 * An export leaves the relay, so text that looks like a secret is masked. The hash is of the stored event.
 */
function maskedEvent(event: EventRecord): EventRecord & { readonly masked?: true } {
  const payload = maskShapesIn(event.payload);
  const isSame = JSON.stringify(payload) === JSON.stringify(event.payload);
  const { payload_text, ...rest } = event;
  if (isSame && (payload_text === undefined || maskShapes(payload_text) === payload_text)) return event;
  return isSame ? rest : { ...rest, payload, masked: true };
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
