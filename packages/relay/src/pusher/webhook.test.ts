import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { appOf, connectAppClient, joined, publisherOf } from '../../test/pusher/pusher-harness.ts';
import { startTestRelay } from '../../test/server/test-relay.ts';

test('[INT-207] a webhook gets channel and member events, signed as the unmodified library checks them', async () => {
  const calls: { headers: Record<string, unknown>; rawBody: string }[] = [];
  const events = () => calls.flatMap(({ rawBody }) => JSON.parse(rawBody).events);
  const server = createServer(async (request, response) => {
    calls.push({ headers: request.headers, rawBody: await text(request) });
    response.end();
  });
  onTestFinished(() => void server.close());
  const port = await listenOnLoopback(server);
  const relay = await startTestRelay({ pusherWebhook: `http://127.0.0.1:${port}/hook` });
  const app = await appOf(relay);
  const client = connectAppClient(relay, app, 'ann');
  await joined(client, 'presence-room');
  client.unsubscribe('presence-room');
  await expect.poll(events, { timeout: 20_000 }).toEqual([
    { name: 'channel_occupied', channel: 'presence-room' },
    { name: 'member_added', channel: 'presence-room', user_id: 'ann' },
    { name: 'member_removed', channel: 'presence-room', user_id: 'ann' },
    { name: 'channel_vacated', channel: 'presence-room' },
  ]);
  const publisher = publisherOf(app, relay.port);
  for (const call of calls) {
    expect(publisher.webhook(call).isValid()).toBe(true);
    expect(publisher.webhook({ ...call, rawBody: `${call.rawBody} ` }).isValid()).toBe(false);
    expect(JSON.parse(call.rawBody)).toMatchObject({ time_ms: expect.any(Number) });
  }
});
