import type { Clock } from '@drawbridge/base';
import { isControl, parseControl, writeControl } from './control-frame.ts';
import { CLOSE_DONE, type FrameWire } from './frame-wire.ts';
import type { LinkEnd } from './link-end.ts';

export interface HeartbeatOptions {
  /** Heartbeat interval. Below 20 s it also keeps an extension's service worker awake. */
  readonly heartbeatMs?: number;
  /** Idle timeout of a silent peer. */
  readonly idleTimeoutMs?: number;
}

export const HEARTBEAT_MS = 15_000;
export const IDLE_TIMEOUT_MS = 40_000;

/** Confirmations are batched up to this time and number. */
const CONFIRM_AFTER_MS = 100;
const CONFIRM_AFTER_ITEMS = 32;
const CONFIRM_AFTER_CHARS = 262_144;

export interface FrameSessionOptions extends HeartbeatOptions {
  readonly link: LinkEnd;
  readonly wire: FrameWire;
  readonly clock: Clock;
  /** Without it the peer gets plain items only: no numbers, confirmations or heartbeat. */
  readonly resumable: boolean;
  readonly onDead: () => void;
}

/** A link on one live wire, from the hello to the wire's end. */
export class FrameSession {
  readonly #options: FrameSessionOptions;
  #stopBeat = () => {};
  #stopConfirm: (() => void) | undefined;
  #unconfirmed = { items: 0, chars: 0 };
  #receivedAt: number;
  #stopped = false;

  constructor(options: FrameSessionOptions) {
    this.#options = options;
    this.#receivedAt = options.clock.now();
  }

  /** Sends items that the peer's hello did not confirm, then every new item. */
  start(): void {
    const { link, wire, resumable } = this.#options;
    for (const { text } of link.outbox.after(0)) wire.send(text);
    link.carry({
      deliver: ({ text }) => wire.send(text),
      goodbye: () => {
        this.stop();
        if (resumable) wire.send(writeControl({ kind: 'bye' }));
        wire.close(CLOSE_DONE, 'done');
      },
      unconfirmed: !resumable,
    });
    if (resumable) this.#beat();
  }

  /** Returns `bye` when the peer has closed the link. */
  take(frame: string): 'bye' | undefined {
    if (this.#stopped) return undefined;
    const { link, clock, resumable } = this.#options;
    this.#receivedAt = clock.now();
    if (!resumable || !isControl(frame)) {
      link.receive(frame);
      if (resumable) this.#confirmSoon(frame.length);
      return undefined;
    }
    const control = parseControl(frame);
    if (control?.kind === 'ack') link.outbox.confirm(control.received);
    return control?.kind === 'bye' ? 'bye' : undefined;
  }

  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#stopBeat();
    this.#stopConfirm?.();
    this.#options.link.carry(undefined);
  }

  #confirmSoon(chars: number): void {
    if (this.#stopped) return;
    this.#unconfirmed.items += 1;
    this.#unconfirmed.chars += chars;
    const { items, chars: sum } = this.#unconfirmed;
    if (items >= CONFIRM_AFTER_ITEMS || sum >= CONFIRM_AFTER_CHARS) this.#confirm();
    else this.#stopConfirm ??= this.#options.clock.after(CONFIRM_AFTER_MS, () => this.#confirm());
  }

  #confirm(): void {
    if (this.#stopped) return;
    this.#stopConfirm?.();
    this.#stopConfirm = undefined;
    this.#unconfirmed = { items: 0, chars: 0 };
    const { link, wire } = this.#options;
    wire.send(writeControl({ kind: 'ack', received: link.received }));
  }

  #beat(): void {
    const { clock, heartbeatMs = HEARTBEAT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS, onDead } = this.#options;
    this.#stopBeat = clock.after(heartbeatMs, () => {
      if (this.#stopped) return;
      if (clock.now() - this.#receivedAt >= idleTimeoutMs) {
        onDead();
        return;
      }
      this.#confirm();
      this.#beat();
    });
  }
}
