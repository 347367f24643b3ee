import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '@drawbridge/manifest/node';
import { isLoopback } from '../server/guard/credentials.ts';

export interface OutboundOptions {
  /** Whether services on this machine may be called, also over plain HTTP. */
  readonly loopback: boolean;
  readonly resolve?: (name: string) => Promise<readonly { readonly address: string }[]>;
}

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Reply {
  readonly status: number;
  /** The server's Retry-After, when given in seconds. */
  readonly retry_after_ms?: number;
}

/** Posts to addresses that devices and owners name. Reads nothing of the reply but its status. */
export type Outbound = ReturnType<typeof createOutbound>;

const URL_CHARS = 2_000;
const ANSWER_MS = 10_000;

export function createOutbound(options: OutboundOptions) {
  const { loopback, resolve: resolveName = (name) => lookup(name, { all: true }) } = options;
  const allows = (address: string): boolean => isPublicAddress(address) || (loopback && isLoopback(address));

  const problemOf = (text: string): string | undefined => {
    const url = text.length > URL_CHARS ? null : URL.parse(text);
    if (url === null) return `Give an address of at most ${URL_CHARS} characters.`;
    const host = bare(url.hostname);
    const isOwn = loopback && isLoopback(host);
    if (url.protocol !== 'https:' && !(isOwn && url.protocol === 'http:')) return 'Use https.';
    if (url.username !== '' || url.password !== '')
      return 'Leave the name and the password out of the address.';
    if (isOwn) return undefined;
    if (isIP(host) !== 0 && !isPublicAddress(host)) return NOT_PUBLIC;
    return isIP(host) === 0 && !/\.[a-z]/i.test(host) ? NOT_PUBLIC : undefined;
  };

  /** Every address of the name must be allowed, and the checked one is the one called. */
  const pin = async (hostname: string): Promise<string> => {
    const host = bare(hostname);
    const found = isIP(host) === 0 ? await resolveName(host) : [{ address: host }];
    const [first] = found;
    if (first === undefined || !found.every(({ address }) => allows(address))) throw new Error(NOT_PUBLIC);
    return first.address;
  };

  return {
    /** The problem of an address, found without a request. */
    problemOf,
    /** Rejects when the address is unreachable or forbidden. A redirect is a reply like any other. */
    async post({ url: text, headers, body }: Posting): Promise<Reply> {
      const problem = problemOf(text);
      if (problem !== undefined) throw new Error(problem);
      const url = new URL(text);
      const address = await pin(url.hostname);
      return new Promise((resolve, reject) => {
        const sent = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
          ...{ method: 'POST', agent: false, lookup: pinnedTo(address) },
          signal: AbortSignal.timeout(ANSWER_MS),
          headers: { ...headers, 'content-length': body.byteLength },
        });
        sent.on('error', reject);
        sent.on('response', (response) => {
          const after = /^\d{1,6}$/.exec(response.headers['retry-after'] ?? '')?.[0];
          resolve({
            status: response.statusCode ?? 0,
            ...(after !== undefined && { retry_after_ms: 1_000 * Number(after) }),
          });
          response.destroy();
        });
        sent.end(body);
      });
    },
  };
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

function pinnedTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_hostname, options, done) => {
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

const NOT_PUBLIC = 'The address is not on the public internet.';
