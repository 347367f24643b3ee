import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressOf } from '../../compose/address.ts';
import type { LoadImport } from '../../compose/import-tree.ts';
import { LoadRefusal } from '../../compose/problem.ts';
import { isPublicAddress } from '../../public-address.ts';
import { decodeUtf8 } from './contained-file.ts';
import { DEFAULT_PORTS, parseImportUrl } from './import-url.ts';
import { createPinnedRequest, type PinnedResponse, type RequestPinned } from './pinned-request.ts';

export interface HttpsOptions {
  readonly ports?: readonly number[];
  readonly maxBytes?: number;
  readonly maxMs?: number;
  /** Addresses that may be connected to. Widening it gives map authors access to a network. */
  readonly allowsAddress?: (address: string) => boolean;
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
  readonly request?: RequestPinned;
  /** Aborts the whole import; after `maxMs` by default. */
  readonly deadline?: () => AbortSignal;
}

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_MS = 5_000;
const MAX_REDIRECTS = 3;
const OK = 200;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * Imports over https. A name is resolved once, all of its addresses must be public, and the connection uses
 * the checked address, so a later DNS change has no effect.
 */
export function createHttpsLoader(options: HttpsOptions = {}): LoadImport {
  const {
    ports = DEFAULT_PORTS,
    maxBytes = DEFAULT_MAX_BYTES,
    maxMs = DEFAULT_MAX_MS,
    allowsAddress = isPublicAddress,
    resolve = resolveAll,
    request = createPinnedRequest(),
    deadline = () => AbortSignal.timeout(maxMs),
  } = options;

  const follow = async (url: URL, address: string, signal: AbortSignal): Promise<PinnedResponse> => {
    let here = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await request({ url: here, address, maxBytes, signal });
      if (!REDIRECTS.includes(response.status)) return response;
      here = redirectFrom(here, response.location, ports);
    }
    throw new LoadRefusal('redirect_refused', 'The server redirects too often.');
  };

  return async (source, from) => {
    const url = parseImportUrl(addressOf(source, from), ports);
    const signal = deadline();
    return untilAborted(signal, async () => {
      const address = await pin(url, resolve, allowsAddress);
      if (signal.aborted) throw tooSlow();
      const { status, body } = await follow(url, address, signal);
      if (status !== OK) throw new LoadRefusal('bad_response', `The server answered ${status}.`);
      if (body.length > maxBytes)
        throw new LoadRefusal('too_large', `The map is larger than ${maxBytes} bytes.`);
      return decodeUtf8(body);
    });
  };
}

/** Returns the first address, only if all addresses of the name are allowed. */
async function pin(
  { hostname }: URL,
  resolve: (hostname: string) => Promise<readonly string[]>,
  allows: (address: string) => boolean,
): Promise<string> {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const addresses = isIP(literal) === 0 ? await resolve(hostname) : [literal];
  const [first] = addresses;
  if (first === undefined) throw new LoadRefusal('unreachable', 'The name of the server has no address.');
  if (!addresses.every((address) => isIP(address) !== 0 && allows(address))) {
    throw new LoadRefusal('address_refused', 'The server is not on the public internet.');
  }
  return first;
}

/** Only the same host and port: another host would have to be resolved and checked again. */
function redirectFrom(from: URL, location: string | undefined, ports: readonly number[]): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  if (target === null || target.host !== from.host) {
    throw new LoadRefusal('redirect_refused', 'The server redirects to another host.');
  }
  return parseImportUrl(target.href, ports);
}

async function resolveAll(hostname: string): Promise<readonly string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  } catch {
    throw new LoadRefusal('unreachable', 'The name of the server cannot be resolved.');
  }
}

/** A resolver cannot be cancelled, so its answer is ignored. */
async function untilAborted<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  let stop = () => {};
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(tooSlow());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([late, work()]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const tooSlow = (): LoadRefusal => new LoadRefusal('too_slow', 'The server did not answer in time.');
