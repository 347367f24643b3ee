import { type Backoff, type BackoffOptions, type Clock, createBackoff } from '@drawbridge/base';
import { systemClock } from './clock.ts';
import { parseControl, writeControl } from './control-frame.ts';
import { FrameSession, type HeartbeatOptions } from './frame-session.ts';
import { CLOSE_BAD_HELLO, CLOSE_DONE, CLOSE_LAGGING, type FrameWire, type WireEnd } from './frame-wire.ts';
import type { ItemLink } from './link.ts';
import { LinkEnd } from './link-end.ts';
import type { OutboxLimits } from './outbox.ts';
import { type Evidence, transportFailed } from './transport-error.ts';

export interface ClientOptions extends HeartbeatOptions {
  readonly backoff?: BackoffOptions;
  readonly limits?: OutboxLimits;
  readonly clock?: Clock;
  /** Timeout of the open and the first answer. */
  readonly openTimeoutMs?: number;
  /**
   * Takes over the connection of a dead process, such as a stopped service worker, with the peer's later
   * items. Items sent there and not confirmed are lost.
   */
  readonly resume?: { readonly connection_id: string; readonly received: number };
}

export const OPEN_TIMEOUT_MS = 10_000;

export interface DialEvents {
  /** The wire is open. `resumable`: the peer supports control frames. */
  readonly opened: (resumable: boolean) => void;
  readonly frame: (frame: string) => void;
  readonly ended: (end: WireEnd) => void;
}

/** One connection attempt. A thrown error counts as a failed one. */
export type Dial = (events: DialEvents) => FrameWire;

export function connectFrames(dial: Dial, options: ClientOptions = {}): ItemLink {
  return new FrameClient(dial, options).link;
}

/** One attempt; events of an older one are ignored. */
interface Try {
  wire?: FrameWire;
  session?: FrameSession;
  readonly stopTimer: () => void;
}

class FrameClient {
  readonly link: LinkEnd;
  readonly #dial: Dial;
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #try: Try | undefined;
  #connectionId: string | undefined;
  #openedBefore = false;
  /** Only the peer knows how many items our end has sent. */
  #isInherited = false;
  #attempt = 0;
  #stopWaiting = () => {};

  constructor(dial: Dial, options: ClientOptions) {
    this.#dial = dial;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#backoff = createBackoff(options.backoff);
    this.link = new LinkEnd(options.limits);
    if (options.resume !== undefined) {
      this.#isInherited = true;
      this.#connectionId = options.resume.connection_id;
      this.link.startAfter(options.resume.received);
    }
    this.link.onState(({ kind }) => {
      if (kind === 'closed') this.#letGo(CLOSE_DONE, 'done');
    });
    queueMicrotask(() => this.#connect());
  }

  #connect(): void {
    if (this.link.isClosed) return;
    this.#attempt += 1;
    this.link.become({ kind: 'connecting', attempt: this.#attempt });
    if (this.link.isClosed) return;
    const { openTimeoutMs = OPEN_TIMEOUT_MS } = this.#options;
    const stopTimer = this.#clock.after(openTimeoutMs, () =>
      this.#fail('The peer did not answer in time.', { reason: 'open_timeout', timeout_ms: openTimeoutMs }),
    );
    const current: Try = { stopTimer };
    this.#try = current;
    const isCurrent = () => this.#try === current;
    try {
      const wire = this.#dial({
        opened: (resumable) => isCurrent() && this.#opened(current, resumable),
        frame: (frame) => isCurrent() && this.#take(current, frame),
        ended: (end) => isCurrent() && this.#ended(end),
      });
      if (isCurrent()) current.wire = wire;
      else wire.close(CLOSE_DONE, 'done');
    } catch (cause) {
      if (isCurrent()) this.#fail('The connection could not be opened.', { reason: 'dial_failed' }, cause);
    }
  }

  #opened(current: Try, resumable: boolean): void {
    if (resumable) {
      const known = this.#connectionId === undefined ? {} : { connection_id: this.#connectionId };
      current.wire?.send(writeControl({ kind: 'hello', ...known, received: this.link.received }));
      return;
    }
    this.#breakStream('The peer cannot resume a connection.', 'resume_unsupported');
    this.#isInherited = false;
    this.link.startAfter(0);
    this.#connectionId = undefined;
    this.#start(current, { resumable, resumed: false });
  }

  #take(current: Try, frame: string): void {
    if (current.session === undefined) this.#hello(current, frame);
    else if (current.session.take(frame) === 'bye') {
      this.#ended({
        final: 'closed_by_peer',
        message: 'The peer closed the connection.',
        evidence: { reason: 'closed_by_peer' },
      });
    }
  }

  #hello(current: Try, frame: string): void {
    const hello = parseControl(frame);
    if (hello?.kind !== 'hello' || hello.connection_id === undefined) {
      this.#fail('The peer agreed to resume but did not say hello.', { reason: 'bad_hello' });
      return;
    }
    const { connection_id, received } = hello;
    if (this.#isInherited) {
      this.#isInherited = false;
      if (connection_id === this.#connectionId) this.link.outbox.startAfter(received);
      else this.link.startAfter(0);
    }
    if (connection_id === this.#connectionId && this.link.outbox.canResumeAfter(received)) {
      this.link.outbox.confirm(received);
      this.#start(current, { resumable: true, resumed: true });
      return;
    }
    this.#breakStream('The peer no longer knows this connection.', 'resume_impossible');
    this.#connectionId = connection_id === this.#connectionId ? undefined : connection_id;
    if (this.#connectionId === undefined || received !== 0) {
      this.#connectionId = undefined;
      this.#fail('The peer counts items that were never sent.', { reason: 'bad_hello' });
      return;
    }
    this.#start(current, { resumable: true, resumed: false });
  }

  #start(current: Try, how: { resumable: boolean; resumed: boolean }): void {
    const { wire } = current;
    if (wire === undefined || this.link.isClosed) return;
    current.stopTimer();
    const { heartbeatMs, idleTimeoutMs } = this.#options;
    current.session = new FrameSession({
      link: this.link,
      wire,
      clock: this.#clock,
      resumable: how.resumable,
      onDead: () => this.#fail('The peer stopped responding.', { reason: 'peer_silent' }),
      ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    });
    current.session.start();
    this.#openedBefore = true;
    this.#attempt = 0;
    this.#backoff.reset();
    const id = this.#connectionId;
    this.link.become({
      kind: 'open',
      resumed: how.resumed,
      ...(id === undefined ? {} : { connection_id: id }),
    });
  }

  /** Only for a stream that was open once: items queued before that were never sent. */
  #breakStream(message: string, reason: string): void {
    if (!this.#openedBefore) return;
    const evidence = { reason, connection_id: this.#connectionId };
    this.link.breakOff(
      transportFailed(`${message} What was not confirmed may or may not have arrived.`, evidence),
    );
  }

  #fail(message: string, evidence: Evidence, cause?: unknown): void {
    this.#ended({ message, evidence }, cause);
  }

  #ended({ final, message, evidence }: WireEnd, cause?: unknown): void {
    this.#letGo(evidence['reason'] === 'bad_hello' ? CLOSE_BAD_HELLO : CLOSE_LAGGING, 'unusable');
    const error = transportFailed(message, { ...evidence, connection_id: this.#connectionId }, cause);
    if (final !== undefined) {
      this.link.end(final, error);
      return;
    }
    const waitMs = this.#backoff.next();
    this.#stopWaiting = this.#clock.after(waitMs, () => this.#connect());
    this.link.become({ kind: 'waiting', until: this.#clock.now() + waitMs, error });
  }

  #letGo(code: number, reason: string): void {
    const last = this.#try;
    this.#try = undefined;
    this.#stopWaiting();
    last?.stopTimer();
    last?.session?.stop();
    last?.wire?.close(code, reason);
  }
}
