import { createMutex } from '@drawbridge/base';
import type { ChannelEvent } from './channels.ts';
import { type PusherApp, signedQuery } from './signature.ts';

/** A Pusher-compatible server elsewhere, that clients connect to instead of this relay (INT-175). */
export interface RemoteApp extends PusherApp {
  /** HTTP API: `https://api-eu.pusher.com`. */
  readonly api_url: string;
  /** Where clients connect: `ws-eu.pusher.com`. */
  readonly host: string;
}

const ANSWER_MS = 10_000;
/** A server that falls behind loses further events: nothing is sent again (INT-194). */
const MOST_WAITING = 1_000;

/** Publishes to a Pusher-compatible server one event at a time, in order. */
export function createRemotePublisher(app: RemoteApp, now: () => number, onError: (error: unknown) => void) {
  const stopping = new AbortController();
  const path = `/apps/${app.app_id}/events`;

  const post = async ({ event, channel, data }: ChannelEvent): Promise<void> => {
    const body = JSON.stringify({ name: event, channels: [channel], data });
    const query = signedQuery(app, { method: 'POST', path, body, now: now() });
    const response = await fetch(new URL(`${path}?${query}`, app.api_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), stopping.signal]),
    });
    await response.body?.cancel();
    if (!response.ok)
      throw new Error(`The Pusher server answered ${response.status}: check its app and secret.`);
  };

  let waiting = 0;
  const inOrder = createMutex();
  const postOrReport = async (event: ChannelEvent): Promise<void> => {
    try {
      if (!stopping.signal.aborted) await post(event);
    } catch (error) {
      if (!stopping.signal.aborted) onError(error);
    } finally {
      waiting -= 1;
    }
  };
  return {
    publish(event: ChannelEvent): void {
      if (stopping.signal.aborted) return;
      if (waiting >= MOST_WAITING) {
        onError(new Error(`The Pusher server is ${MOST_WAITING} events behind: one was not sent.`));
        return;
      }
      waiting += 1;
      void inOrder(() => postOrReport(event));
    },
    /** Drops queued events. Idempotent. */
    close: () => stopping.abort(),
  };
}
