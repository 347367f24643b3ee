import { BridgeError, type BridgeItem, bridge, LIMITS } from '@drawbridge/protocol';
import type { CloseReason, ItemLink, LinkProblem, LinkState } from './link.ts';
import { createListeners } from './listeners.ts';
import { createOutbox, type OutboxEntry, type OutboxLimits } from './outbox.ts';
import { transportFailed } from './transport-error.ts';

/** The current carrier of a link's items. */
export interface Carrier {
  readonly deliver: (entry: OutboxEntry) => void;
  /** The link was closed here: notify the peer if possible. */
  readonly goodbye: () => void;
  /** The peer confirms nothing, so nothing can be resumed and old items need not be kept. */
  readonly unconfirmed?: boolean;
}

/** The shared part of both ends and all transports: numbers, buffers, listeners, state. */
export class LinkEnd implements ItemLink {
  readonly outbox;
  readonly #items = createListeners<BridgeItem>();
  readonly #states = createListeners<LinkState>();
  readonly #troubles = createListeners<LinkProblem>();
  readonly onItem = this.#items.add;
  readonly onState = this.#states.add;
  readonly onProblem = this.#troubles.add;
  #state: LinkState = { kind: 'connecting', attempt: 1 };
  #carrier: Carrier | undefined;
  #received = 0;

  constructor(limits: OutboxLimits = {}) {
    this.outbox = createOutbox(limits);
  }

  get state(): LinkState {
    return this.#state;
  }

  get isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  /** The number of received items of the peer's stream, including unreadable ones. */
  get received(): number {
    return this.#received;
  }

  send = (item: BridgeItem): void => {
    if (this.#state.kind === 'closed') throw this.#state.error;
    const text = JSON.stringify(item);
    const limit = LIMITS.frame.value;
    if (text.length > limit) {
      throw transportFailed(
        `This ${item.type} is ${text.length} characters long; the limit is ${limit}. Send less, or a reference to it.`,
        { reason: 'item_too_large', type: item.type, chars: text.length, limit },
      );
    }
    if (this.#carrier?.unconfirmed === true) this.outbox.makeRoom(text.length);
    const entry = this.outbox.push(text);
    this.#carrier?.deliver(entry);
  };

  close = (): void => {
    if (this.isClosed) return;
    const carrier = this.#carrier;
    this.#carrier = undefined;
    carrier?.goodbye();
    this.end('closed_here', transportFailed('The link was closed here.', { reason: 'closed_here' }));
  };

  carry(carrier: Carrier | undefined): void {
    this.#carrier = carrier;
  }

  become(state: Exclude<LinkState, { readonly kind: 'closed' }>): void {
    if (!this.isClosed) this.#change(state);
  }

  receive(frame: string): void {
    if (this.isClosed) return;
    this.#received += 1;
    let item: BridgeItem;
    try {
      item = bridge.parse(frame);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      this.#troubles.emit({ kind: 'refused', error, frame });
      return;
    }
    this.#items.emit(item);
  }

  /** A dead process has received this many before. */
  startAfter(received: number): void {
    this.#received = received;
  }

  /** The stream cannot continue: both directions restart at zero. */
  breakOff(error: BridgeError): void {
    if (this.isClosed) return;
    this.#received = 0;
    const items = this.#drain();
    this.#troubles.emit({ kind: 'lost', error, items });
  }

  end(reason: CloseReason, error: BridgeError): void {
    if (this.isClosed) return;
    this.#carrier = undefined;
    const items = this.#drain();
    if (items.length > 0) this.#troubles.emit({ kind: 'lost', error, items });
    this.#change({ kind: 'closed', reason, error });
  }

  /** Parsed again from the sent text, as the caller may have changed its object. */
  #drain(): readonly BridgeItem[] {
    return this.outbox.drain().map(({ text }) => JSON.parse(text));
  }

  #change(state: LinkState): void {
    this.#state = state;
    this.#states.emit(state);
  }
}
