import type { ChatLink, Outgoing as Frame, FrameOf } from '@drawbridge/link/chat';
import { BridgeError } from '@drawbridge/protocol';

type ProxyMessage = Omit<FrameOf<'proxy_message'>, 'protocol_version'>;

interface OutgoingOptions {
  readonly link: Pick<ChatLink, 'onState' | 'send'>;
  readonly after: (ms: number, run: () => void) => () => void;
  /** Frames to send first on each connection. */
  readonly hello: () => readonly Frame[];
  readonly onLost: (frame: Frame, error: BridgeError) => void;
}

/**
 * `proxy_message` has no ack, so this many of the latest are repeated after a reconnect, under the same ids.
 */
const REPEATED = 128;
const MAX_WAITING = 5_000;
const RETRY_MS = 200;
const TOO_MANY = new BridgeError('transport_failed', 'The relay was away for too long.');

/** Queue of frames to the relay, also while disconnected. Any frame may be sent twice. */
export class Outgoing {
  readonly #options: OutgoingOptions;
  readonly #messages = new Map<string, ProxyMessage>();
  #waiting: Frame[] = [];
  #callOff: (() => void) | undefined;
  #isOpen = false;

  constructor(options: OutgoingOptions) {
    this.#options = options;
    options.link.onState(({ kind }) => {
      this.#isOpen = kind === 'open';
      if (!this.#isOpen) return;
      const waiting = new Set(this.#waiting);
      const said = [...this.#messages.values()].filter((frame) => !waiting.has(frame));
      this.#waiting = [...options.hello(), ...said, ...this.#waiting];
      this.#flush();
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  say(frame: Frame): void {
    if (!this.#isOpen && isMomentary(frame)) return;
    const earlier = frame.type === 'proxy_message' ? this.#keep(frame) : undefined;
    const index = earlier === undefined ? -1 : this.#waiting.indexOf(earlier);
    // Replaces the queued version of the same message, because it has the whole text.
    if (index >= 0) this.#waiting[index] = frame;
    else this.#waiting.push(frame);
    if (this.#waiting.length > MAX_WAITING) {
      const lost = this.#waiting.shift();
      if (lost !== undefined) this.#options.onLost(lost, TOO_MANY);
    }
    this.#flush();
  }

  close(): void {
    this.#callOff?.();
  }

  /** Returns the previous version of the message. */
  #keep(frame: ProxyMessage): ProxyMessage | undefined {
    const id = frame.message.message_id ?? '';
    const earlier = this.#messages.get(id);
    this.#messages.delete(id);
    this.#messages.set(id, frame);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > REPEATED && oldest !== undefined) this.#messages.delete(oldest);
    return earlier;
  }

  #flush(): void {
    if (!this.#isOpen || this.#callOff !== undefined) return;
    for (;;) {
      const frame = this.#waiting.shift();
      if (frame === undefined) return;
      try {
        this.#options.link.send(frame);
      } catch (error) {
        if (!(error instanceof BridgeError)) throw error;
        const reason = error.evidence['reason'];
        if (reason !== 'backpressure' && reason !== 'not_open') {
          this.#options.onLost(frame, error);
          continue;
        }
        this.#waiting.unshift(frame);
        this.#callOff = this.#options.after(RETRY_MS, () => {
          this.#callOff = undefined;
          this.#flush();
        });
        return;
      }
    }
  }
}

/** Repeated in the greeting, so not worth queueing. */
const isMomentary = ({ type }: Frame): boolean =>
  type === 'proxy_session_snapshot' ||
  type === 'proxy_status' ||
  type === 'agent_config' ||
  type === 'permission_prompt';
