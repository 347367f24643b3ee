import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isRequestOrigin, type RequestOrigin } from '../server/guard/request-origin.ts';

/** What another node found out about a request before it passed it on. */
export interface Passed {
  readonly origin: RequestOrigin;
  /** The client's, not the node's. */
  readonly address: string;
}

const SEAL = 'x-drawbridge-passed';
const ORIGIN = 'x-drawbridge-origin';
const ADDRESS = 'x-drawbridge-address';
export const PASSING_HEADERS: ReadonlySet<string> = new Set([SEAL, ORIGIN, ADDRESS]);

/** Between the nodes of one ledger: what only they can say of a request. */
export interface PassingSeal {
  readonly headers: (passed: Passed) => Readonly<Record<string, string>>;
  /** Undefined for what no node of ours has passed on, whatever it says. */
  readonly open: (request: IncomingMessage) => Passed | undefined;
}

/** Not the secret itself: whoever reads a request along learns nothing that seals notes. */
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
