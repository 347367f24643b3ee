import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../../devices/failure-limiter.ts';

/**
 * Caps the TCP connections per address that have shown no credential. The oldest is closed to make room:
 * refusing the newest would let any program on the machine keep the owner from calling `halt`.
 */
export type ConnectionCap = ReturnType<typeof createConnectionCap>;

export interface ConnectionCapOptions {
  readonly most: number;
  /** Every connection comes from the proxy in front, which has its own cap. */
  readonly trustedProxy: boolean;
  readonly onDropped: () => void;
}

export function createConnectionCap({ most, trustedProxy, onDropped }: ConnectionCapOptions) {
  /** By address, oldest first; a TLS socket and its TCP socket have the same port. */
  const strangers = new Map<string, Map<number | undefined, Socket>>();

  const forget = (address: string, port: number | undefined): void => {
    const own = strangers.get(address);
    own?.delete(port);
    if (own?.size === 0) strangers.delete(address);
  };

  return {
    watch(server: Server): void {
      if (trustedProxy) return;
      server.on('connection', (socket: Socket) => {
        const { remoteAddress = 'unknown', remotePort } = socket;
        const address = addressKey(remoteAddress);
        const own = strangers.get(address) ?? new Map<number | undefined, Socket>();
        strangers.set(address, own);
        own.set(remotePort, socket);
        socket.on('close', () => {
          if (own.get(remotePort) === socket) forget(address, remotePort);
        });
        const [oldest] = own.values();
        if (own.size <= most || oldest === undefined) return;
        onDropped();
        oldest.destroy();
      });
    },
    /** The request has shown a valid credential, so its connection no longer counts. */
    vouch({ socket: { remoteAddress = 'unknown', remotePort } }: IncomingMessage): void {
      forget(addressKey(remoteAddress), remotePort);
    },
  };
}
