import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isRequestOrigin, type RequestOrigin } from '../server/guard/request-origin.ts';

/** Facts about a request that the proxying node established. */
export interface Passed {
  readonly origin: RequestOrigin;
  /** The client's address, not the node's. */
  readonly address: string;
}

const SEAL = 'x-drawbridge-passed';
const ORIGIN = 'x-drawbridge-origin';
const ADDRESS = 'x-drawbridge-address';
export const PASSING_HEADERS: ReadonlySet<string> = new Set([SEAL, ORIGIN, ADDRESS]);

/** Signs the facts of a proxied request between the nodes of one ledger. */
export interface PassingSeal {
  readonly headers: (passed: Passed) => Readonly<Record<string, string>>;
  /** Undefined for a request that no node of ours has signed. */
  readonly open: (request: IncomingMessage) => Passed | undefined;
}

/** Derived from the secret, so that reading a request does not allow to sign bus messages. */
export function createPassingSeal(secret: string): PassingSeal {
  const seal = createHmac('sha256', secret).update('passed on').digest('base64url');
  const isSealed = (shown: unknown): boolean => {
    const [left, right] = [Buffer.from(String(shown)), Buffer.from(seal)];
    return left.length === right.length && timingSafeEqual(left, right);
  };
  return {
    headers: ({ origin, address }) => ({ [SEAL]: seal, [ORIGIN]: origin, [ADDRESS]: address }),
    open({ headers }) {
      const origin = headers[ORIGIN];
      if (headers[SEAL] === undefined || !isSealed(headers[SEAL]) || !isRequestOrigin(origin))
        return undefined;
      return { origin, address: String(headers[ADDRESS] ?? 'unknown') };
    },
  };
}
