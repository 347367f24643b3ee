import { connectWebSocket, type LinkState } from '@drawbridge/link';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestRelay } from '../../../test/server/test-relay.ts';

const addressOf = (url: string, path: string): string => url.replace('http', 'ws') + path;

test('[CHT-93] [CHT-288] a device revoked while disconnected stops reconnecting and is asked to pair again', async () => {
  const relay = await startTestRelay();
  const { device_id, token } = await relay.mint('runtime');
  await relay.devices.revoke(device_id, 'machine');
  const link = connectWebSocket({ url: addressOf(relay.url, '/ws/runtime'), token });
  onTestFinished(link.close);
  const closed = await new Promise<LinkState>((resolve) => {
    link.onState((state) => state.kind === 'closed' && resolve(state));
  });
  expect(closed).toMatchObject({ kind: 'closed', reason: 'refused' });
  expect(closed.kind === 'closed' && closed.error.message).toContain('Pair again');
});

test('[CHT-288] a page of another origin learns nothing, nor does a token shown in another way', async () => {
  const relay = await startTestRelay();
  const statusOf = (protocols: string[], headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(addressOf(relay.url, '/ws/chat'), protocols, { headers });
      socket.on('error', () => {});
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
      onTestFinished(() => socket.terminate());
    });
  const elsewhere = { origin: 'https://elsewhere.example' };
  expect(await statusOf(['drawbridge', 'bearer.guess'], elsewhere)).toBe(401);
  expect(await statusOf(['drawbridge'], { authorization: 'Bearer guess' })).toBe(401);
});
