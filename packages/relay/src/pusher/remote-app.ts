import type { ChannelEvent } from './channels.ts';
import { type PusherApp, signedQuery } from './signature.ts';

/** A Pusher-compatible server elsewhere, that clients connect to instead of this relay (INT-175). */
export interface RemoteApp extends PusherApp {
  /** Its HTTP API: `https://api-eu.pusher.com`. */
  readonly api_url: string;
  /** Where clients connect: `ws-eu.pusher.com`. */
  readonly host: string;
}

const ANSWER_MS = 10_000;

/** Tells a Pusher-compatible server, one event after another: they arrive in the order they happened. */
export function createRemotePublisher(
  app: RemoteApp,
  now: () => number,
  onFault: (error: unknown) => void,
): (event: ChannelEvent) => void {
  const path = `/apps/${app.app_id}/events`;

  const post = async ({ event, channel, data }: ChannelEvent): Promise<void> => {
    const body = JSON.stringify({ name: event, channels: [channel], data });
    const query = signedQuery(app, { method: 'POST', path, body, now: now() });
    const response = await fetch(new URL(`${path}?${query}`, app.api_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    if (!response.ok)
      throw new Error(`The Pusher server answered ${response.status}: check its app and secret.`);
  };

  let last = Promise.resolve();
  return (event) => {
    last = last.then(() => post(event)).catch(onFault);
  };
}
