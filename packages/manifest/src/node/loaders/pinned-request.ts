import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LoadRefusal } from '../../compose/problem.ts';

export interface PinnedRequest {
  readonly url: URL;
  /** The address to connect to, regardless of what the name resolves to now. */
  readonly address: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface PinnedResponse {
  readonly status: number;
  readonly location?: string;
  readonly body: Uint8Array;
}

/** Requests a url from one address. The certificate must match the url's host name. */
export type RequestPinned = (pinned: PinnedRequest) => Promise<PinnedResponse>;

/** Trusts the system's certificates, or the given ones. */
export function createPinnedRequest(options: { readonly ca?: string } = {}): RequestPinned {
  return ({ url, address, maxBytes, signal }) =>
    new Promise((resolve, reject) => {
      const agent = new Agent({ keepAlive: false, maxSockets: 1, ...options });
      const sent = request(url, {
        agent,
        signal,
        lookup: pinnedLookup(address),
        // A small compressed body can expand to a large one.
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      });
      sent.on('error', () => reject(failed()));
      sent.on('response', (response) => {
        const chunks: Uint8Array[] = [];
        let size = 0;
        response.on('error', () => reject(failed()));
        response.on('data', (chunk: Uint8Array) => {
          size += chunk.length;
          if (size > maxBytes) {
            reject(new LoadRefusal('too_large', `The map is larger than ${maxBytes} bytes.`));
            sent.destroy();
          } else chunks.push(chunk);
        });
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          const { location } = headers;
          if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
            reject(new LoadRefusal('bad_response', 'The server packed the map, though it was asked not to.'));
          }
          const body = Buffer.concat(chunks);
          resolve({ status: statusCode, ...(location === undefined ? {} : { location }), body });
        });
      });
      sent.end();
    });
}

function pinnedLookup(address: string): LookupFunction {
  const family = isIP(address);
  return (_hostname, options, done) => {
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

const failed = (): LoadRefusal => new LoadRefusal('unreachable', 'The server could not be reached safely.');
