import type { Clock } from '@drawbridge/base';
import { type ClientOptions, OPEN_TIMEOUT_MS } from './frame-client.ts';
import { type PollAnswer, type PostAnswer, parsePollAnswer, parsePostAnswer } from './polling-wire.ts';
import type { Evidence } from './transport-error.ts';

export interface PollingOptions extends Omit<ClientOptions, 'heartbeatMs' | 'idleTimeoutMs'> {
  /** URL of the items: `…/bridge/runtime/items`. */
  readonly url: string;
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** How long the server may hold a GET. */
  readonly waitMs?: number;
}

export const POLL_WAIT_MS = 20_000;

export interface PostBody {
  readonly connection_id?: string;
  /** The number before the first item here. */
  readonly after?: number;
  readonly texts: readonly string[];
  readonly close?: boolean;
}

export interface PollQuery {
  readonly connection_id: string;
  readonly after: number;
  readonly limit: number;
}

/** `gone`: the server no longer knows the connection. `refused`: the server rejects us. */
export type FailureKind = 'network' | 'gone' | 'refused' | 'aborted';

/** Internal: the client turns it into a state. */
export class PollingFailure extends Error {
  override readonly name = 'PollingFailure';
  readonly kind: FailureKind;
  readonly evidence: Evidence;

  constructor(kind: FailureKind, message: string, evidence: Evidence, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.evidence = evidence;
  }
}

export class PollingRequests {
  readonly #options: PollingOptions;
  readonly #clock: Clock;
  readonly #running = new Set<AbortController>();

  constructor(options: PollingOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  async post(body: PostBody): Promise<PostAnswer> {
    return this.#answer(parsePostAnswer, await this.#request('', postOf(body), this.#timeoutMs));
  }

  async get({ connection_id, after, limit }: PollQuery): Promise<PollAnswer> {
    const { waitMs = POLL_WAIT_MS } = this.#options;
    const query = new URLSearchParams({
      connection_id,
      after: String(after),
      limit: String(limit),
      wait_ms: String(waitMs),
    });
    const text = await this.#request(`?${query}`, { method: 'GET' }, waitMs + this.#timeoutMs);
    return this.#answer(parsePollAnswer, text);
  }

  /** A final request without a reader, which `abort` leaves alone. */
  async last(body: PostBody): Promise<void> {
    const { url, fetch = globalThis.fetch } = this.#options;
    const controller = new AbortController();
    const stopTimer = this.#clock.after(this.#timeoutMs, () => controller.abort());
    try {
      const request = this.#init(postOf(body), controller);
      const response = await fetch(url, {
        ...request,
        keepalive: (request.body?.length ?? 0) < KEEPALIVE_CHARS,
      });
      await response.text();
    } catch {
      // The server notices the missing polls itself.
    } finally {
      stopTimer();
    }
  }

  abort(): void {
    for (const controller of this.#running) controller.abort();
  }

  get #timeoutMs(): number {
    return this.#options.openTimeoutMs ?? OPEN_TIMEOUT_MS;
  }

  async #request(query: string, init: { method: string; body?: string }, timeoutMs: number): Promise<string> {
    const { url, fetch = globalThis.fetch } = this.#options;
    const controller = new AbortController();
    let timedOut = false;
    const stopTimer = this.#clock.after(timeoutMs, () => {
      timedOut = true;
      controller.abort();
    });
    this.#running.add(controller);
    try {
      const response = await fetch(url + query, this.#init(init, controller));
      const text = await response.text();
      if (!response.ok) throw failureOf(response.status);
      return text;
    } catch (error) {
      if (error instanceof PollingFailure) throw error;
      if (timedOut) {
        throw new PollingFailure('network', 'The server did not answer in time.', { reason: 'timeout' });
      }
      const kind = controller.signal.aborted ? 'aborted' : 'network';
      throw new PollingFailure(kind, 'The server could not be reached.', { reason: 'unreachable' }, error);
    } finally {
      stopTimer();
      this.#running.delete(controller);
    }
  }

  #init(init: { method: string; body?: string }, controller: AbortController) {
    const { token } = this.#options;
    return {
      ...init,
      signal: controller.signal,
      cache: 'no-store' as const,
      // Never uses cookies: https://fetch.spec.whatwg.org/#concept-request-credentials-mode
      credentials: 'omit' as const,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    };
  }

  #answer<Answer>(parse: (text: string) => Answer | undefined, text: string): Answer {
    const answer = parse(text);
    if (answer !== undefined) return answer;
    throw new PollingFailure('network', 'The server sent an invalid answer.', {
      reason: 'bad_answer',
    });
  }
}

/** A browser sends no more than 64 KiB after its page has gone. */
const KEEPALIVE_CHARS = 16_384;

function postOf({ texts, ...rest }: PostBody) {
  const fields = JSON.stringify(rest).slice(1, -1);
  const body = `{${fields}${fields === '' ? '' : ','}"items":[${texts.join()}]}`;
  return { method: 'POST', body };
}

function failureOf(status: number): PollingFailure {
  const evidence = { reason: 'http_status', status };
  if (status === 401 || status === 403) {
    return new PollingFailure('refused', 'The server does not accept the credential. Pair again.', evidence);
  }
  if (status === 404 || status === 409) {
    return new PollingFailure('gone', 'The server no longer knows this connection.', evidence);
  }
  return new PollingFailure('network', `The server answered with HTTP ${status}.`, evidence);
}
