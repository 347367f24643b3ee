import { type Backoff, type Clock, createBackoff } from '@drawbridge/base';
import { systemClock } from './clock.ts';
import type { ItemLink } from './link.ts';
import { LinkEnd } from './link-end.ts';
import { BATCH_MAX_ITEMS, batchOf } from './outbox.ts';
import { PollingFailure, type PollingOptions, PollingRequests } from './polling-requests.ts';
import { transportFailed } from './transport-error.ts';

export function connectPolling(options: PollingOptions): ItemLink {
  return new PollingClient(options).link;
}

class PollingClient {
  readonly link: LinkEnd;
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #requests: PollingRequests;
  #connectionId: string | undefined;
  #attempt = 0;
  /** Halved by each failure: over a flaky connection, a large request would never get through. */
  #batch = BATCH_MAX_ITEMS;
  #stopWaiting = () => {};
  #wakeSender = () => {};

  constructor(options: PollingOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#backoff = createBackoff(options.backoff);
    this.#requests = new PollingRequests(options, this.#clock);
    this.link = new LinkEnd(options.limits);
    this.link.onState(({ kind }) => {
      if (kind === 'closed') this.#stop();
    });
    queueMicrotask(() => void this.#run());
  }

  #stop(): void {
    this.#stopWaiting();
    this.#requests.abort();
    this.#wakeSender();
  }

  async #run(): Promise<void> {
    while (!this.link.isClosed) {
      try {
        await this.#connect();
        await this.#exchange();
      } catch (error) {
        if (!(error instanceof PollingFailure)) throw error;
        await this.#failed(error);
      }
    }
  }

  /** Sends no items: if the answer were lost, a repeated first POST would put them on two connections. */
  async #connect(): Promise<void> {
    this.#attempt += 1;
    this.link.become({ kind: 'connecting', attempt: this.#attempt });
    const known = this.#connectionId;
    const { connection_id, received } = await this.#requests.post({
      ...(known === undefined ? {} : { connection_id: known }),
      after: known === undefined ? 0 : this.link.outbox.last(),
      texts: [],
    });
    if (this.link.isClosed) {
      void this.#requests.last({ connection_id, texts: [], close: true });
      return;
    }
    this.#connectionId = connection_id;
    this.#confirm(received);
    this.#attempt = 0;
    this.#backoff.reset();
    this.link.carry({ deliver: () => this.#wakeSender(), goodbye: () => this.#goodbye(connection_id) });
    this.link.become({ kind: 'open', resumed: known !== undefined, connection_id });
  }

  #confirm(received: number): void {
    if (!this.link.outbox.canResumeAfter(received)) {
      throw new PollingFailure('gone', 'The server counts items that were never sent.', {
        reason: 'bad_count',
      });
    }
    this.link.outbox.confirm(received);
  }

  /** Runs both directions until one fails, then stops the other, so that there is one state. */
  async #exchange(): Promise<void> {
    const id = this.#connectionId;
    if (id === undefined || this.link.isClosed) return;
    const round = { on: true };
    const halt = () => {
      round.on = false;
      this.#requests.abort();
      this.#wakeSender();
    };
    const results = await Promise.allSettled([
      this.#sendAll(id, round).finally(halt),
      this.#receiveAll(id, round).finally(halt),
    ]);
    this.link.carry(undefined);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const first = reasons.find((reason) => !(reason instanceof PollingFailure && reason.kind === 'aborted'));
    if (!this.link.isClosed && first !== undefined) throw first;
  }

  async #sendAll(connection_id: string, round: { readonly on: boolean }): Promise<void> {
    while (round.on && !this.link.isClosed) {
      const entries = batchOf(this.link.outbox.after(0), this.#batch);
      const [first] = entries;
      if (first === undefined) {
        await new Promise<void>((resolve) => {
          this.#wakeSender = resolve;
        });
        continue;
      }
      const { received } = await this.#requests.post({
        connection_id,
        after: first.number - 1,
        texts: entries.map(({ text }) => text),
      });
      if (!this.link.isClosed) this.#confirm(received);
      this.#growBatch();
    }
  }

  async #receiveAll(connection_id: string, round: { readonly on: boolean }): Promise<void> {
    while (round.on && !this.link.isClosed) {
      const { items, closed } = await this.#requests.get({
        connection_id,
        after: this.link.received,
        limit: this.#batch,
      });
      for (const item of items) this.link.receive(JSON.stringify(item));
      if (items.length > 0) this.#growBatch();
      if (closed) {
        const evidence = { reason: 'closed_by_peer', connection_id };
        this.link.end('closed_by_peer', transportFailed('The peer closed the connection.', evidence));
      }
    }
  }

  #growBatch(): void {
    this.#batch = Math.min(this.#batch * 2, BATCH_MAX_ITEMS);
  }

  async #failed({ kind, message, evidence, cause }: PollingFailure): Promise<void> {
    const error = transportFailed(message, { ...evidence, connection_id: this.#connectionId }, cause);
    if (kind === 'refused') {
      this.link.end('refused', error);
      return;
    }
    if (kind === 'gone' && this.#connectionId !== undefined) {
      this.#connectionId = undefined;
      this.link.breakOff(error);
    }
    if (this.link.isClosed) return;
    this.#batch = Math.max(Math.floor(this.#batch / 2), 1);
    const waitMs = this.#backoff.next();
    const waited = new Promise<void>((resolve) => {
      const cancel = this.#clock.after(waitMs, resolve);
      this.#stopWaiting = () => {
        cancel();
        resolve();
      };
    });
    this.link.become({ kind: 'waiting', until: this.#clock.now() + waitMs, error });
    await waited;
  }

  #goodbye(connection_id: string): void {
    const [...entries] = this.link.outbox.after(0);
    const after = (entries[0]?.number ?? this.link.outbox.last() + 1) - 1;
    void this.#requests.last({ connection_id, after, texts: entries.map(({ text }) => text), close: true });
  }
}
