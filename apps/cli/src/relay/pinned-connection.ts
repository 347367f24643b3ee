import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { portOf } from './reach.ts';

/** Another program answers at the relay's address, which differs from a stopped relay. */
export class StrangeRelay extends Error {
  override readonly name = 'StrangeRelay';
}

type Done = (error: Error | null, socket: Duplex) => void;

/**
 * For `createConnection` of a request. Identifies the relay by its certificate's fingerprint before anything
 * is sent: no authority signs `127.0.0.1` or a self-signed certificate.
 */
export function pinnedConnection(url: string, fingerprint: string | undefined, ms: number) {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return (_: unknown, done: Done): undefined => {
    let isThere = false;
    const socket = connect({
      host,
      port: portOf(url),
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
    });
    // An overloaded relay is silent too.
    const silent = new Error('it says nothing');
    const failed = (error: Error): void =>
      done(isThere && error !== silent ? strange(url, error) : error, socket);
    socket.once('error', failed);
    socket.setTimeout(ms, () => socket.destroy(silent));
    socket.once('connect', () => {
      isThere = true;
    });
    socket.once('secureConnect', () => {
      const shown = socket.getPeerCertificate().fingerprint256;
      if (shown !== fingerprint) {
        const known = fingerprint ?? 'none that is known';
        socket.destroy(new Error(`its certificate has the fingerprint ${shown}, the relay's is ${known}`));
        return;
      }
      socket.setTimeout(0);
      socket.off('error', failed);
      done(null, socket);
    });
  };
}

const strange = (url: string, { message }: Error): StrangeRelay =>
  new StrangeRelay(
    `The program at ${url} is not the relay of this folder: ${message}. Start the relay again: drawbridge up`,
  );
