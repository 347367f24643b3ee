import { IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';

/**
 * Stops Node's HTTP parser within the bytes of one read. The parser otherwise handles up to 64 kB in one go:
 * 2,000 short requests, or a body in 10,000 pieces, also after their connection was closed.
 */
export interface ParseGuard {
  /** The class of a server's requests: counts, and throws over a limit, which stops the parser. */
  readonly IncomingMessage: typeof IncomingMessage;
  /** Closes connections whose bytes went over a limit. Must come before other listeners of the server. */
  readonly watch: (server: Server, connection: 'connection' | 'secureConnection') => void;
}

export interface ParseGuardOptions {
  readonly limits: Pick<RelayLimits, 'pipelined_requests' | 'body_pieces'>;
  readonly metrics: Metrics;
}

/** A body may have one more piece for each of these bytes: networks and honest clients cut larger ones. */
const BYTES_PER_PIECE = 256;

class OverLimit extends Error {
  readonly refuse: () => void;

  constructor(refuse: () => void) {
    super('over a limit of the parser');
    this.refuse = refuse;
  }
}

export function createParseGuard({ limits, metrics }: ParseGuardOptions): ParseGuard {
  const unanswered = new WeakMap<Socket, number>();
  const parsers = new WeakMap<Socket, (bytes: Buffer) => void>();
  const pipelined = new OverLimit(metrics.counter('refused_total', { reason: 'pipelined' }));
  const inPieces = new OverLimit(metrics.counter('refused_total', { reason: 'body_pieces' }));

  class CountedMessage extends IncomingMessage {
    #pieces = 0;
    #bytes = 0;

    constructor(socket: Socket) {
      super(socket);
      const open = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, open);
      if (open > limits.pipelined_requests) throw pipelined;
    }

    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (piece !== null) {
        this.#pieces += 1;
        this.#bytes += piece.length;
        if (this.#pieces > limits.body_pieces + this.#bytes / BYTES_PER_PIECE) throw inPieces;
      }
      return super.push(piece, encoding);
    }

    /** Called by Node when the answer came before the whole body: Node's own would push no further pieces. */
    _dump(): void {
      this.removeAllListeners('data');
      this.resume();
    }
  }

  /** Without a listener of ours Node would parse outside of JavaScript, where nothing can be caught. */
  function parse(this: Socket, bytes: Buffer): void {
    try {
      parsers.get(this)?.(bytes);
    } catch (error) {
      if (!(error instanceof OverLimit)) throw error;
      error.refuse();
      this.destroy();
    }
  }

  return {
    IncomingMessage: CountedMessage,
    watch(server, connection) {
      server.on(connection, (socket: Socket) => {
        const [own] = socket.listeners('data');
        if (own === undefined)
          throw new Error('Node does not parse the bytes of a connection in a listener.');
        parsers.set(socket, (bytes) => Reflect.apply(own, socket, [bytes]));
        socket.removeAllListeners('data').on('data', parse);
      });
      server.on('request', ({ socket }, response) => {
        response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
      });
      // Node removes its own listener only.
      server.on('upgrade', (_, socket) => socket.off('data', parse));
    },
  };
}
