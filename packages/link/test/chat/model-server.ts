import { createServer } from 'node:http';
import { listenOnLoopback } from '@drawbridge/testbed';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ModelRelay } from './model-relay.ts';

/** A model relay on a real port. */
export async function serveModel(relay: ModelRelay) {
  const server = createServer();
  const sockets = new WebSocketServer({
    server,
    handleProtocols: (offered) => (offered.has('drawbridge') ? 'drawbridge' : false),
  });
  sockets.on('connection', (socket: WebSocket) => {
    const peer = relay.connect({
      send: (text) => socket.send(text),
      close: (code, reason) => socket.close(code, reason),
    });
    socket.on('message', (data) => peer.receive(String(data)));
    socket.on('close', peer.closed);
    // 'close' follows.
    socket.on('error', () => {});
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    url: `ws://127.0.0.1:${port}/ws/chat`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
