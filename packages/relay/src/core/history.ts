import { type EventPage, type JsonObject, LedgerError } from '@drawbridge/ledger';
import { CHAT_PROTOCOL_VERSION, LIMITS } from '@drawbridge/protocol';
import type { CoreContext } from './core-context.ts';
import { CONTENT_BLOCKS, eventText, type FrameOf, timeText } from './frames.ts';
import type { Peer } from './peer.ts';
import { NO_SUCH_SESSION } from './refusals.ts';
import { readTranscript, type Transcript, type TranscriptQuery } from './transcript-page.ts';

/** How to continue from a cursor. */
type Cursor =
  | { readonly result: 'ok'; readonly head: number }
  /**
   * `invalid`: beyond the end, or of another ledger (CHT-171); otherwise before the oldest stored event
   * (CHT-172).
   */
  | { readonly result: 'gap'; readonly invalid: boolean };

export type History = ReturnType<typeof createHistory>;

export interface ResumePoint {
  readonly session_id: string;
  readonly last_sequence: number;
  readonly cursor: Cursor;
}

/** The session, and the request that asked for its history. */
interface Asked {
  readonly session_id: string;
  readonly request_id?: string;
}

type Narrowed = Pick<TranscriptQuery, 'before_sequence' | 'limit'>;

/** The name that peers know a relay's own store by, whatever it is. */
const OWN_STORE = 'relay_sqlite';
const CHUNK_MESSAGES = 120;
const PAGE_EVENTS = 200;
/** Bounds one read, because commits wait for it. */
const PAGE_CHARS = 524_288;
/** Characters of a frame besides its events or messages. */
const ROOM_FOR_THE_REST = 2_048;
const MAX_LIST_CHARS = LIMITS.frame.value - ROOM_FOR_THE_REST;

export function createHistory(
  context: CoreContext,
  /** Called when the peer has the whole stored history of a session. */
  onSent: (peer: Peer, session_id: string) => void = () => {},
) {
  const { ledger, feed } = context;
  const { epoch } = ledger;
  /** A peer's answers are sent in order, as fast as it reads (CHT-99). */
  const lines = new WeakMap<Peer, Promise<void>>();
  /** Resumes under way, by session. */
  const resuming = new WeakMap<Peer, Map<string, Promise<void>>>();
  const waiting = new Set<() => void>();
  /** By device: its last read. One at a time, over all its connections. */
  const reads = new Map<string, Promise<void>>();

  const inTurn = async <Found>(peer: Peer, read: () => Promise<Found>): Promise<Found> => {
    const { device_id } = peer;
    const before = reads.get(device_id) ?? Promise.resolve();
    const found = before.then(() => {
      if (!peer.isOpen()) throw new Unavailable();
      return read();
    });
    const done = found.then(
      () => {},
      () => {},
    );
    reads.set(device_id, done);
    await done;
    if (reads.get(device_id) === done) reads.delete(device_id);
    return found;
  };

  const eventsAfter = (peer: Peer, session_id: string, sequence: number, limit: number) =>
    inTurn(peer, () => ledger.eventsAfter(session_id, sequence, limit, PAGE_CHARS));

  const listFrame = (fields: JsonObject, list: string, entries: readonly string[]): string => {
    const head = { protocol_version: CHAT_PROTOCOL_VERSION, ...fields, epoch };
    const opening = JSON.stringify({ ...head, server_ts: timeText(context.now()) });
    return `${opening.slice(0, -1)},"${list}":[${entries.join(',')}]}`;
  };

  const judge = async (
    session_id: string,
    sequence: number,
    cursorEpoch: string | undefined,
  ): Promise<Cursor> => {
    const page = await ledger.eventsAfter(session_id, sequence, 0);
    // A peer may have seen more on another node, so this node catches up first.
    const reached = page && feed.reach(session_id, page.head);
    if (reached !== undefined) await reached;
    if (page === undefined || sequence > page.head || (cursorEpoch ?? epoch) !== epoch) {
      return { result: 'gap', invalid: true };
    }
    if (sequence < page.oldest - 1) return { result: 'gap', invalid: false };
    return { result: 'ok', head: page.head };
  };

  const sendDelta = async (peer: Peer, asked: Asked, page: EventPage, from: number): Promise<void> => {
    const send = (from_sequence: number, last_sequence: number, events: readonly string[]): void => {
      const fields = { type: 'history_delta', ...asked, from_sequence, last_sequence };
      peer.send(listFrame(fields, 'events', events), 'history');
    };
    let begun = from;
    let last = from;
    let texts: string[] = [];
    let chars = 0;
    for (const event of page.events) {
      const text = eventText(event, peer.features);
      if (texts.length > 0 && chars + text.length > MAX_LIST_CHARS) {
        send(begun, last, texts);
        await peer.drained();
        begun = last;
        texts = [];
        chars = 0;
      }
      texts.push(text);
      chars += text.length + 1;
      last = event.sequence;
    }
    send(begun, last, texts);
    await peer.drained();
  };

  /** CHT-168, CHT-271: sends the events up to `head`. */
  const delta = async (peer: Peer, asked: Asked, from: number, head: number): Promise<void> => {
    const { session_id } = asked;
    let cursor = from;
    do {
      const limit = Math.min(PAGE_EVENTS, head - cursor);
      const page = await eventsAfter(peer, session_id, cursor, limit);
      // Events that were pruned during the read would leave a gap.
      const whole = cursor === head || page?.events[0]?.sequence === cursor + 1;
      if (page === undefined || !whole) throw new Unavailable();
      await sendDelta(peer, asked, page, cursor);
      cursor = page.events.at(-1)?.sequence ?? cursor;
    } while (cursor < head && peer.isOpen());
  };

  /** The page, after every event up to its end was dispatched: later those would be skipped. */
  const readPage = async (peer: Peer, session_id: string, query: TranscriptQuery) => {
    const transcript: Transcript = {
      latestOfMessage: ledger.latestOfMessage,
      message: ledger.message,
      transcriptBefore: (...before) => inTurn(peer, () => ledger.transcriptBefore(...before, PAGE_CHARS)),
    };
    const withBlocks = peer.features.has(CONTENT_BLOCKS);
    const page = await readTranscript(transcript, session_id, { ...query, withBlocks });
    if (page === undefined) throw new Unavailable();
    const reached = feed.reach(session_id, page.last_sequence);
    if (reached !== undefined) await reached;
    return page;
  };

  const total = (peer: Peer, session_id: string): Promise<number> =>
    inTurn(peer, () => ledger.countMessages(session_id));

  const snapshot = async (peer: Peer, asked: Asked, narrowed: Narrowed = {}): Promise<number> => {
    const maxChars = MAX_LIST_CHARS;
    const page = await readPage(peer, asked.session_id, { ...narrowed, maxChars });
    const { last_sequence, before_sequence, messages } = page;
    // CHT-318: peers that do not ask for a part get what they always got.
    const counts = narrowed.limit !== undefined && {
      partial: before_sequence !== undefined,
      total_messages: await total(peer, asked.session_id),
      loaded_messages: messages.length,
    };
    const fields = {
      type: 'history_snapshot',
      ...asked,
      last_sequence,
      ...(before_sequence === undefined ? undefined : { before_sequence }),
      ...counts,
    };
    peer.send(listFrame(fields, 'messages', messages), 'history');
    await peer.drained();
    return last_sequence;
  };

  /** CHT-319 */
  const sendChunk = async (peer: Peer, frame: FrameOf<'history_chunk_request'>): Promise<void> => {
    const { session_id, request_id, before_id, around_id, limit = CHUNK_MESSAGES, chunk_bytes } = frame;
    const { mode = around_id ? 'around' : before_id ? 'older' : 'tail' } = frame;
    const session = await context.sessions.find(session_id);
    if (!context.sessions.isSeenBy(peer, session)) {
      peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
      return;
    }
    // Messages between the row and the end of the page are at most half the page, so the row is in it.
    const end = { tail: undefined, older: before_id, around: around_id && around_id + Math.ceil(limit / 2) }[
      mode
    ];
    if (mode !== 'tail' && !end) {
      const missing = mode === 'older' ? 'before_id' : 'around_id';
      peer.refuse(frame, 'invalid_message', `A chunk of mode ${mode} needs ${missing}.`);
      return;
    }
    const page = await readPage(peer, session_id, {
      ...{ limit, withIds: true, maxChars: MAX_LIST_CHARS, maxBytes: chunk_bytes },
      ...(end ? { before_sequence: end } : undefined),
    });
    const { last_sequence, before_sequence = null, messages } = page;
    const fields = {
      ...{ type: 'history_chunk', session_id, ...(request_id && { request_id }), mode, source: OWN_STORE },
      partial: before_sequence !== null,
      complete: before_sequence === null,
      total_messages: await total(peer, session_id),
      loaded_messages: messages.length,
      last_sequence,
      cursor: { next_before_id: before_sequence, next_before_offset: null },
    };
    peer.send(listFrame(fields, 'messages', messages), 'history');
    await peer.drained();
  };

  const refuseCursor = (peer: Peer, frame: Asked) =>
    peer.refuse(
      frame,
      'resume_cursor_invalid',
      'The cursor is not one of this history. Discard your copy of the session: a snapshot follows.',
    );

  /** Reports an unreadable history to the peer and continues. */
  const answer = async (peer: Peer, frame: Asked, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof LedgerError)) throw error;
      if (error instanceof LedgerError) context.onError(error);
      peer.refuse(frame, 'history_not_available', 'The history was deleted or cannot be read.');
    }
  };

  const queue = (peer: Peer, work: () => Promise<void>): Promise<void> => {
    const before = lines.get(peer) ?? Promise.resolve();
    const step = before.then(async () => {
      if (peer.isOpen()) await work();
    });
    const line = step.catch(context.onError);
    lines.set(peer, line);
    return line;
  };

  const inLine = (peer: Peer, frame: Asked, work: () => Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(resolve);
      void queue(peer, () => answer(peer, frame, work)).then(() => {
        waiting.delete(resolve);
        resolve();
      });
    });

  const respond = async (peer: Peer, frame: FrameOf<'history_request'>): Promise<void> => {
    const { session_id, request_id, after_sequence, before_sequence, full } = frame;
    const limit = full ? undefined : frame.limit;
    const asked = { session_id, ...(request_id && { request_id }) };
    const session = await context.sessions.find(session_id);
    if (!context.sessions.isSeenBy(peer, session)) {
      peer.refuse(frame, 'session_unknown', NO_SUCH_SESSION);
      return;
    }
    const foreign = frame.epoch !== undefined && frame.epoch !== epoch;
    const cursor =
      after_sequence === undefined ? undefined : await judge(session_id, after_sequence, frame.epoch);
    if (foreign || (cursor?.result === 'gap' && cursor.invalid)) {
      refuseCursor(peer, frame);
      await snapshot(peer, asked);
    } else if (after_sequence !== undefined && cursor?.result === 'ok') {
      await delta(peer, asked, after_sequence, cursor.head);
    } else {
      const narrowed = {
        ...(before_sequence === undefined ? undefined : { before_sequence }),
        ...(limit === undefined ? undefined : { limit }),
      };
      await snapshot(peer, asked, narrowed);
    }
    onSent(peer, session_id);
  };

  /** CHT-176: sends the events since, until the ledger and the feed meet. */
  const catchUp = async (peer: Peer, session_id: string, from: number): Promise<void> => {
    let cursor = from;
    while (cursor < feed.head(session_id) && peer.isOpen()) {
      const page = await eventsAfter(peer, session_id, cursor, PAGE_EVENTS);
      const last = page?.events.at(-1);
      if (page === undefined || last === undefined) throw new Unavailable();
      for (const event of page.events) peer.send(eventText(event, peer.features), 'history');
      cursor = last.sequence;
      await peer.drained();
    }
    peer.skipThrough(session_id, cursor);
    onSent(peer, session_id);
  };

  const resumeOne = async (peer: Peer, point: ResumePoint): Promise<void> => {
    const { session_id, last_sequence, cursor } = point;
    // After a failure live events continue from here: the peer sees the gap and can ask for it.
    const give = async (): Promise<void> => {
      if (cursor.result === 'gap') {
        if (cursor.invalid) refuseCursor(peer, { session_id });
        await catchUp(peer, session_id, await snapshot(peer, { session_id }));
      } else {
        await delta(peer, { session_id }, last_sequence, cursor.head);
        await catchUp(peer, session_id, cursor.head);
      }
    };
    peer.skipThrough(session_id, Number.POSITIVE_INFINITY);
    await answer(peer, { session_id }, async () => {
      try {
        await give();
      } catch (error) {
        peer.skipThrough(session_id, feed.head(session_id));
        throw error;
      }
    });
  };

  return {
    /** The peer's next frames wait, because it may ask faster than it reads. */
    request: (peer: Peer, frame: FrameOf<'history_request'>): Promise<void> =>
      inLine(peer, frame, () => respond(peer, frame)),
    /** CHT-319 */
    chunk: (peer: Peer, frame: FrameOf<'history_chunk_request'>): Promise<void> =>
      inLine(peer, frame, () => sendChunk(peer, frame)),
    /** CHT-175 */
    judge,
    /** Sends after a resumed hello each session's delta or snapshot, then the events since. */
    resume: (peer: Peer, points: readonly ResumePoint[]): void => {
      for (const { session_id } of points) peer.skipThrough(session_id, Number.POSITIVE_INFINITY);
      const underWay = new Map<string, Promise<void>>();
      resuming.set(peer, underWay);
      for (const point of points) {
        const { session_id } = point;
        const done = queue(peer, () => resumeOne(peer, point)).then(() => void underWay.delete(session_id));
        underWay.set(session_id, done);
      }
    },
    /** CHT-176: settles after the session's delta or snapshot was sent; undefined when none is due. */
    resumed: (peer: Peer, session_id: string): Promise<void> | undefined =>
      resuming.get(peer)?.get(session_id),
    /** Releases everyone who waits for a peer that does not read. */
    close: (): void => {
      for (const resolve of waiting) resolve();
    },
  };
}

/** CHT-179: the session is known and its history is not available. */
class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
