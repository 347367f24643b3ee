import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isRequestOrigin, type RequestOrigin } from '../server/guard/request-origin.ts';

/** Facts about a request that the proxying node established. */
export interface ProxiedRequest {
  readonly origin: RequestOrigin;
  /** The client's address, not the node's. */
  readonly address: string;
}

const SIGNATURE = 'x-drawbridge-passed';
const ORIGIN = 'x-drawbridge-origin';
const ADDRESS = 'x-drawbridge-address';
export const PROXY_HEADERS: ReadonlySet<string> = new Set([SIGNATURE, ORIGIN, ADDRESS]);

/** Signs the facts of a proxied request between the nodes of one ledger. */
export type ProxySignature = ReturnType<typeof createProxySignature>;

/** Derived from the secret, so that reading a request does not allow to sign bus messages. */
export function createProxySignature(secret: string) {
  const sign = createHmac('sha256', secret).update('passed on').digest('base64url');
  const isSigned = (shown: unknown): boolean => {
    const [left, right] = [Buffer.from(String(shown)), Buffer.from(sign)];
    return left.length === right.length && timingSafeEqual(left, right);
  };
  return {
    headers: ({ origin, address }: ProxiedRequest): Readonly<Record<string, string>> => ({
      [SIGNATURE]: sign,
      [ORIGIN]: origin,
      [ADDRESS]: address,
    }),
    /** Undefined for a request that no node of ours has signed. */
    open({ headers }: IncomingMessage): ProxiedRequest | undefined {
      const origin = headers[ORIGIN];
      if (headers[SIGNATURE] === undefined || !isSigned(headers[SIGNATURE]) || !isRequestOrigin(origin))
        return undefined;
      return { origin, address: String(headers[ADDRESS] ?? 'unknown') };
    },
  };
}
