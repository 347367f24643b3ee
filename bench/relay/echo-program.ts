import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { answerCalls } from './child.ts';

/** The ceiling: a server that parses JSON, stores nothing and writes JSON. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, backlog: 4_096 });
const streams = new Set<Duplex>();
server.on('connection', (socket, { socket: stream }) => {
  streams.add(stream);
  socket.on('close', () => streams.delete(stream));
  socket.on('message', (data) => socket.send(JSON.stringify(JSON.parse(String(data)))));
});
await once(server, 'listening');
const address = server.address();

const calls = {
  place: () => ({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }),
  /** `corked`: one system call per socket, as in the relay; otherwise one per frame. */
  broadcast: ({ events, corked }: { readonly events: number; readonly corked: boolean }) => {
    if (corked) for (const stream of streams) stream.cork();
    for (let n = 0; n < events; n += 1) {
      const content = `sent ${Date.now()} to all of you, with some words in it`;
      const frame = JSON.stringify({ type: 'message_event', message: { content } });
      for (const socket of server.clients) socket.send(frame);
    }
    if (corked) for (const stream of streams) stream.uncork();
  },
  rss: () => {
    globalThis.gc?.();
    return process.memoryUsage.rss();
  },
};
export type EchoCalls = typeof calls;
answerCalls(calls);
