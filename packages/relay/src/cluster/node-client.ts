import { Agent, type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** HTTP client to another node. */
export type NodeClient = ReturnType<typeof openNodeClient>;

const CONNECT_MS = 5_000;

/** Appends the certificate's fingerprint, so that other nodes detect another program at this address. */
export const nodeUrl = (url: string, fingerprint: string | undefined): string =>
  fingerprint !== undefined && url.startsWith('https:') ? `${url}#${fingerprint}` : url;

export function openNodeClient(address: string) {
  const { protocol, hostname, port, hash } = new URL(address);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = protocol === 'https:';
  const fingerprint = decodeURIComponent(hash.slice(1));
  const agent = isSecure ? secureAgent(fingerprint) : new Agent({ keepAlive: true });
  const target = { host, port: port === '' ? (isSecure ? 443 : 80) : Number(port), agent };
  return {
    request(options: Pick<RequestOptions, 'method' | 'path' | 'headers'>): ClientRequest {
      const asked = (isSecure ? secureRequest : plainRequest)({ ...target, ...options });
      asked.on('socket', (socket) => {
        if (!socket.connecting) return;
        const late = setTimeout(() => asked.destroy(new Error('The node does not answer.')), CONNECT_MS);
        for (const over of ['connect', 'close'] as const) socket.once(over, () => clearTimeout(late));
      });
      return asked;
    },
    close: () => agent.destroy(),
  };
}

/**
 * Pins the fingerprint where the address names one, because a relay's self-made certificate has no authority.
 */
function secureAgent(fingerprint: string): SecureAgent {
  if (fingerprint === '') return new SecureAgent({ keepAlive: true });
  const agent = new SecureAgent({ keepAlive: true, rejectUnauthorized: false });
  agent.createConnection = ({ host, port, servername }, done): Duplex | null | undefined => {
    const target = { host: host ?? '127.0.0.1', port: Number(port), rejectUnauthorized: false };
    const socket = connect({ ...target, ...(servername !== undefined && { servername }) });
    const failed = (error: Error): void => done?.(error, socket);
    socket.once('error', failed);
    socket.once('secureConnect', () => {
      if (socket.getPeerCertificate().fingerprint256 !== fingerprint) {
        return void socket.destroy(new Error('The certificate is not the one of the node.'));
      }
      socket.off('error', failed);
      done?.(null, socket);
    });
    return undefined;
  };
  return agent;
}
