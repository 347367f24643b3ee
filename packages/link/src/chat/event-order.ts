import type { Clock } from '@drawbridge/base';
import { LIMITS } from '@drawbridge/protocol';
import { type ChatEvent, type FrameOf, isEvent, type Resumed, type ResumePoint } from './chat-link.ts';
import { GrowingTexts } from './growing-texts.ts';

export interface EventOrderPorts {
  readonly clock: Clock;
  readonly deliver: (event: ChatEvent) => void;
  /** Sends a `history_request` for later events; returns its `request_id`. */
  readonly ask: (session_id: string, after_sequence: number) => string;
  readonly emit: (resumed: Resumed) => void;
  /** A due history has not come: drop the connection. */
  readonly overdue: (session_id: string) => void;
}

/** Timeout of a history, or of its next part; at most twice that in total. */
export const HISTORY_TIMEOUT_MS = 10_000;
/** Later ones are requested again instead. */
const MAX_HELD = 1_000;

interface Wait {
  /** A snapshot holds every event until it comes; a delta only those beyond the gap. */
  readonly for: 'delta' | 'snapshot';
  /** Id of our request; undefined for an unsolicited history, as in a resume. */
  readonly request_id?: string;
  /** The caller of `request` waits for it, with a separate timeout. */
  readonly byCaller?: boolean;
  /** The outcome of the resume is unknown until the answer. */
  readonly untold?: boolean;
  /** The cursor at its start. */
  readonly from: number;
  /** Seen once by the watch: overdue the next time. */
  seen?: boolean;
}

interface Track {
  cursor: number | undefined;
  /** The highest known sequence. */
  highest: number;
  readonly held: Map<number, ChatEvent>;
  wait: Wait | undefined;
}

const sessionOf = (event: ChatEvent): string =>
  event.type === 'session_up' ? event.session.session_id : event.session_id;

/** Delivers each event of a session once and in order, despite repeats, reordering and gaps (CHT-176). */
export class EventOrder {
  readonly #ports: EventOrderPorts;
  /** In order of last activity. */
  readonly #tracks = new Map<string, Track>();
  readonly #texts = new GrowingTexts();
  #stopWatch: (() => void) | undefined;
  #isOver = false;
  epoch: string | undefined;

  constructor(ports: EventOrderPorts, from: ResumePoint | undefined) {
    this.#ports = ports;
    this.epoch = from?.epoch;
    for (const { session_id, last_sequence } of from?.sessions ?? []) {
      this.#tracks.set(session_id, {
        cursor: last_sequence,
        highest: last_sequence,
        held: new Map(),
        wait: undefined,
      });
    }
  }

  /** CHT-21: the most recent sessions, if there are too many. */
  get point(): ResumePoint {
    const sessions = [...this.#tracks]
      .flatMap(([session_id, { cursor }]) =>
        cursor === undefined ? [] : [{ session_id, last_sequence: cursor }],
      )
      .slice(-LIMITS.resume_sessions.value);
    return { ...(this.epoch !== undefined && { epoch: this.epoch }), sessions };
  }

  /** The connection ended: the next resume brings missing events. */
  pause(): void {
    this.#stopWatch?.();
    this.#stopWatch = undefined;
    for (const track of this.#tracks.values()) {
      track.held.clear();
      track.wait = undefined;
      track.highest = track.cursor ?? 0;
    }
  }

  /** A listener may close the link at any time. */
  end(): void {
    this.#isOver = true;
    this.pause();
  }

  /** CHT-175. `asked` is our hello's point; a relay that ignores it is asked for each session. */
  resume(ack: FrameOf<'connection_ack'>, asked: ResumePoint): void {
    const isOtherLedger = ack.epoch !== undefined && this.epoch !== undefined && ack.epoch !== this.epoch;
    this.epoch = ack.epoch ?? this.epoch;
    const listed = new Set(asked.sessions.map(({ session_id }) => session_id));
    const results = new Map(ack.resumed?.map((entry) => [entry.session_id, entry]));
    for (const [session_id, track] of [...this.#tracks]) {
      const { cursor } = track;
      if (cursor === undefined || this.#isOver) continue;
      const entry = results.get(session_id);
      if (!listed.has(session_id)) this.forget(session_id);
      else if (isOtherLedger || entry?.result === 'gap') this.#startOver(session_id);
      else if (entry === undefined) this.#ask(session_id, track, { untold: true });
      else {
        track.highest = Math.max(cursor, entry.last_sequence ?? cursor);
        this.#await(track, { for: 'delta', from: cursor });
        this.#ports.emit({ session_id, result: 'ok' });
      }
    }
  }

  event(event: ChatEvent): void {
    const session_id = sessionOf(event);
    const track = this.#track(session_id);
    track.highest = Math.max(track.highest, event.sequence);
    if (track.held.size < MAX_HELD) track.held.set(event.sequence, event);
    this.#settle(session_id, track);
  }

  /** CHT-271: may be one of several. */
  delta({ session_id, request_id, from_sequence, last_sequence, events }: FrameOf<'history_delta'>): void {
    const track = this.#track(session_id);
    track.cursor ??= from_sequence;
    if (from_sequence > track.cursor) {
      for (const event of events.filter(isEvent)) this.event(event);
      return;
    }
    for (const event of events.filter(isEvent)) this.#advance(track, event);
    // A delta is complete (CHT-169): numbers missing in it do not exist.
    track.cursor = Math.max(track.cursor, last_sequence);
    const { wait } = track;
    if (wait?.untold) this.#ports.emit({ session_id, result: 'ok' });
    const isAnswer = wait?.request_id !== undefined && (request_id ?? wait.request_id) === wait.request_id;
    if (isAnswer && track.cursor === wait.from && track.highest > track.cursor) {
      // The relay has nothing between, so events beyond the gap are all there is.
      track.cursor = track.held.size === 0 ? track.highest : Math.min(...track.held.keys()) - 1;
      this.#ports.emit({ session_id, result: 'gap' });
    }
    if (wait?.for === 'delta' && track.highest <= track.cursor) track.wait = undefined;
    else if (wait?.untold) track.wait = { for: 'delta', from: wait.from };
    this.#settle(session_id, track);
  }

  /** Call after the snapshot itself was reported. */
  snapshot(frame: FrameOf<'history_snapshot'>): void {
    const { session_id, request_id, last_sequence } = frame;
    this.#texts.snapshot(frame);
    const track = this.#track(session_id);
    const { wait } = track;
    const isAwaited = wait !== undefined && (request_id ?? wait.request_id) === wait.request_id;
    if (isAwaited && wait.for === 'delta') {
      // CHT-172: the events are gone, the messages are not.
      track.cursor = undefined;
      track.highest = Math.max(0, ...track.held.keys());
      this.#drop(track, last_sequence);
      this.#ports.emit({ session_id, result: 'gap' });
    }
    track.cursor ??= Math.min(last_sequence, ...[...track.held.keys()].map((sequence) => sequence - 1));
    if (isAwaited) track.wait = undefined;
    this.#settle(session_id, track);
  }

  /** Events before a requested snapshot are held, so that they follow it. */
  asked({ session_id, request_id, after_sequence, before_sequence }: FrameOf<'history_request'>): void {
    if (request_id === undefined || after_sequence !== undefined || before_sequence !== undefined) return;
    const track = this.#track(session_id);
    track.wait ??= { for: 'snapshot', request_id, byCaller: true, from: track.cursor ?? 0 };
  }

  /** The caller's request is answered or abandoned. */
  release(request_id: string): void {
    for (const [session_id, track] of this.#tracks) {
      if (!track.wait?.byCaller || track.wait.request_id !== request_id) continue;
      track.wait = undefined;
      this.#settle(session_id, track);
    }
  }

  /** A `connection_error` about a session's history: a snapshot or nothing follows. */
  failed({ code, session_id, request_id }: FrameOf<'connection_error'>): void {
    const track = session_id === undefined ? undefined : this.#tracks.get(session_id);
    if (session_id === undefined || track === undefined) return;
    if (request_id !== undefined && request_id !== track.wait?.request_id) return;
    if (track.wait?.byCaller) return;
    if (code === 'resume_cursor_invalid' && track.wait?.for !== 'snapshot') this.#startOver(session_id);
    if (code === 'session_unknown' || code === 'history_not_available') this.forget(session_id);
  }

  /** Call for each `message_append`: a later event may continue it. */
  appended(frame: FrameOf<'message_append'>): void {
    this.#texts.append(frame);
  }

  forget(session_id: string): void {
    this.#tracks.delete(session_id);
    this.#texts.forget(session_id);
    this.#ports.emit({ session_id, result: 'gap' });
  }

  #track(session_id: string): Track {
    const track = this.#tracks.get(session_id) ?? {
      cursor: undefined,
      highest: 0,
      held: new Map<number, ChatEvent>(),
      wait: undefined,
    };
    this.#tracks.delete(session_id);
    this.#tracks.set(session_id, track);
    return track;
  }

  #startOver(session_id: string): void {
    const track = this.#track(session_id);
    track.cursor = undefined;
    track.highest = 0;
    this.#await(track, { for: 'snapshot', from: 0 });
    this.#ports.emit({ session_id, result: 'gap' });
  }

  #ask(session_id: string, track: Track, how: { readonly untold?: boolean } = {}): void {
    const from = track.cursor ?? 0;
    this.#await(track, { for: 'delta', request_id: this.#ports.ask(session_id, from), from, ...how });
  }

  #await(track: Track, wait: Wait): void {
    track.wait = wait;
    this.#watch();
  }

  #watch(): void {
    if (this.#isOver) return;
    this.#stopWatch ??= this.#ports.clock.after(HISTORY_TIMEOUT_MS, () => this.#look());
  }

  #look(): void {
    this.#stopWatch = undefined;
    for (const [session_id, track] of [...this.#tracks]) {
      const { wait, cursor } = track;
      if (wait === undefined || wait.byCaller) continue;
      if (!wait.seen) {
        wait.seen = true;
        this.#watch();
      } else if (cursor === undefined || (cursor === wait.from && wait.request_id !== undefined)) {
        this.#ports.overdue(session_id);
        return;
      } else {
        // Only a part came, or an unsolicited history did not.
        this.#ask(session_id, track);
      }
    }
  }

  /** False for an event that continues a text which is not here: it is requested whole. */
  #advance(track: Track, event: ChatEvent): boolean {
    if (this.#isOver || event.sequence <= (track.cursor ?? -1)) return true;
    const whole = this.#texts.whole(event);
    if (whole === undefined) return false;
    track.cursor = event.sequence;
    this.#ports.deliver(whole);
    return true;
  }

  #drop(track: Track, upTo: number): void {
    for (const sequence of track.held.keys()) if (sequence <= upTo) track.held.delete(sequence);
  }

  #settle(session_id: string, track: Track): void {
    if (this.#isOver || track.wait?.for === 'snapshot') return;
    if (track.cursor === undefined) {
      if (track.held.size === 0) return;
      track.cursor = Math.min(...track.held.keys()) - 1;
    }
    this.#drop(track, track.cursor);
    for (let next = track.held.get(track.cursor + 1); next !== undefined; ) {
      track.held.delete(next.sequence);
      if (!this.#advance(track, next)) break;
      next = track.held.get(track.cursor + 1);
    }
    if (track.highest > track.cursor && track.wait === undefined) this.#ask(session_id, track);
  }
}
