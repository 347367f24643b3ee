import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';

/** A channel to a browser that carries one JSON text at a time. */
export interface Wire {
  readonly send: (text: string) => void;
  /** Call once, before anything is sent. `onEnd` fires once, whichever side ended it. */
  readonly listen: (onText: (text: string) => void, onEnd: (reason: string) => void) => void;
  readonly close: () => void;
}

/** `--remote-debugging-pipe`: texts terminated by a zero byte. */
export function pipeWire(input: Writable, output: Readable): Wire {
  return {
    send: (text) => input.write(`${text}\0`),
    listen(onText, onEnd) {
      let ended = false;
      const end = (reason: string) => {
        if (ended) return;
        ended = true;
        onEnd(reason);
      };
      let parts: Buffer[] = [];
      output.on('data', (chunk: Buffer) => {
        let from = 0;
        for (let zero = chunk.indexOf(0); zero !== -1; zero = chunk.indexOf(0, from)) {
          const last = chunk.subarray(from, zero);
          onText((parts.length === 0 ? last : Buffer.concat([...parts, last])).toString('utf8'));
          parts = [];
          from = zero + 1;
        }
        if (from < chunk.length) parts.push(chunk.subarray(from));
      });
      output.once('close', () => end('the browser closed its pipe'));
      for (const stream of [input, output]) stream.on('error', ({ message }) => end(message));
    },
    close() {
      input.destroy();
      output.destroy();
    },
  };
}

/** A snapshot of a large page takes some megabytes, a screenshot more. */
const LARGEST_MESSAGE_BYTES = 256 * 1024 * 1024;

/** The socket of a browser that somebody started with a debugging port. */
export function openSocketWire(url: string): Promise<Wire> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: LARGEST_MESSAGE_BYTES });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => {
      socket.off('error', reject);
      resolve(socketWire(socket));
    });
  });
}

function socketWire(socket: WebSocket): Wire {
  return {
    send: (text) => socket.send(text),
    listen(onText, onEnd) {
      socket.on('message', (data) => onText(String(data)));
      // `close` follows an error and reports it.
      let reason = 'the browser closed its debugging socket';
      socket.on('error', ({ message }) => {
        reason = message;
      });
      socket.once('close', () => onEnd(reason));
    },
    close: () => socket.close(),
  };
}
