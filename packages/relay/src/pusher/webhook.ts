import type { CoreClock } from '../core/ports.ts';
import { bodySignature, type PusherApp } from './signature.ts';

/** A channel got its first or lost its last subscriber, or a presence channel a member. */
export interface ChannelNews {
  readonly name: 'channel_occupied' | 'channel_vacated' | 'member_added' | 'member_removed';
  readonly channel: string;
  readonly user_id?: string;
}

export interface Webhook {
  readonly send: (news: ChannelNews) => void;
  /** Drops queued events. Idempotent. */
  readonly close: () => void;
}

export interface WebhookOptions {
  readonly url: string;
  readonly app: PusherApp;
  readonly clock: CoreClock;
  readonly onError: (error: unknown) => void;
}

const GATHER_MS = 100;
const ANSWER_MS = 10_000;
const MOST_WAITING = 1_000;

/** INT-207: batches events of one moment in one request; a failed request is not retried. */
export function createWebhook({ url, app, clock, onError }: WebhookOptions): Webhook {
  const stopping = new AbortController();
  let waiting: ChannelNews[] = [];
  let cancel: (() => void) | undefined;

  const post = async (events: readonly ChannelNews[]): Promise<void> => {
    const body = JSON.stringify({ time_ms: clock.now(), events });
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        'x-pusher-key': app.key,
        'x-pusher-signature': bodySignature(app, body),
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), stopping.signal]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The Pusher webhook answered ${response.status}.`);
  };
  const flush = (): void => {
    cancel = undefined;
    const events = waiting;
    waiting = [];
    post(events).catch((error: unknown) => {
      if (!stopping.signal.aborted) onError(error);
    });
  };

  return {
    send(news) {
      if (stopping.signal.aborted || waiting.length >= MOST_WAITING) return;
      waiting.push(news);
      cancel ??= clock.after(GATHER_MS, flush);
    },
    close() {
      stopping.abort();
      cancel?.();
    },
  };
}
