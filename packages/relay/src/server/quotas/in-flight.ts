import type { Metrics } from '../metrics.ts';
import type { RelayLimits } from '../options.ts';

/** Bytes of a device, over all its connections, that wait to be handled or to be read by it. */
export type InFlight = ReturnType<typeof createInFlight>;

export interface ConnectionInFlight {
  /** False: with these bytes the device is over its limit. They count either way, until `handled`. */
  readonly received: (bytes: number) => boolean;
  readonly handled: (bytes: number) => void;
  /** Whether unread bytes have taken the device over its limit. */
  readonly isOver: () => boolean;
  readonly close: () => void;
}

interface Account {
  received: number;
  readonly connections: Set<() => number>;
}

const FREE: ConnectionInFlight = { received: () => true, handled() {}, isOver: () => false, close() {} };

export function createInFlight(
  { bytes_in_flight: most }: Pick<RelayLimits, 'bytes_in_flight'>,
  { counter, gauge }: Pick<Metrics, 'counter' | 'gauge'>,
) {
  const accounts = new Map<string, Account>();
  const refused = counter('over_limit_total', { name: 'bytes_in_flight' });

  const accountOf = (device_id: string): Account => {
    const account = accounts.get(device_id) ?? { received: 0, connections: new Set() };
    accounts.set(device_id, account);
    return account;
  };
  const forgetIdle = (device_id: string, { received, connections }: Account): void => {
    if (received === 0 && connections.size === 0) accounts.delete(device_id);
  };
  const bytesOf = ({ received, connections }: Account): number => {
    let sum = received;
    for (const unread of connections) sum += unread();
    return sum;
  };
  const isOver = (account: Account, more = 0): boolean => {
    if (bytesOf(account) + more <= most) return false;
    refused();
    return true;
  };
  gauge('limit_used', () => Math.max(0, ...[...accounts.values()].map(bytesOf)), { name: 'bytes_in_flight' });

  return {
    /** Undefined: a stranger, whose sockets are few and whose frames are small. */
    open(device_id: string | undefined, unread: () => number): ConnectionInFlight {
      if (device_id === undefined) return FREE;
      const account = accountOf(device_id);
      account.connections.add(unread);
      let own = 0;
      return {
        received(bytes) {
          account.received += bytes;
          own += bytes;
          return account.received <= most || !isOver(account);
        },
        handled(bytes) {
          account.received -= bytes;
          own -= bytes;
        },
        isOver: () => isOver(account),
        close() {
          account.received -= own;
          own = 0;
          account.connections.delete(unread);
          forgetIdle(device_id, account);
        },
      };
    },
    /**
     * Reserves bytes for a request's body; undefined when too few are left. Returns a function that releases
     * them.
     */
    take(device_id: string, bytes: number): (() => void) | undefined {
      const account = accountOf(device_id);
      if (isOver(account, bytes)) return undefined;
      account.received += bytes;
      return () => {
        account.received -= bytes;
        forgetIdle(device_id, account);
      };
    },
  };
}
