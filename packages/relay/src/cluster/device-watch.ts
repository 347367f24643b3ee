import type { LedgerNode, PostgresLedger } from '@drawbridge/ledger';
import type { CoreClock } from '../core/ports.ts';
import { DEVICES_CHANGED } from '../devices/register.ts';

type WatchedLedger = Pick<PostgresLedger, 'setting' | 'devices' | 'nodes'>;

/** A node's view of devices at its last poll. */
export interface KnownDevices {
  readonly change: unknown;
  readonly revoked: ReadonlySet<string>;
}

export interface DeviceWatchOptions {
  readonly ledger: WatchedLedger;
  readonly clock: Pick<CoreClock, 'after'>;
  /** Read before any device was let in. */
  readonly known: KnownDevices;
  readonly onChange: (revoked: readonly string[]) => void;
  readonly onNodes: (nodes: readonly LedgerNode[]) => void;
  readonly onError: (error: unknown) => void;
}

const LOOK_MS = 500;

export async function knownDevices(ledger: WatchedLedger): Promise<KnownDevices> {
  // In this order, so that a change in between is seen at the next poll.
  const change = await ledger.setting(DEVICES_CHANGED);
  const all = await ledger.devices();
  return {
    change,
    revoked: new Set(all.flatMap((each) => (each.revoked_at === null ? [] : each.device_id))),
  };
}

/** Polls the ledger, so that a device revoked while the bus was down is out within a second. */
export function watchDevices(options: DeviceWatchOptions): { readonly close: () => void } {
  const { ledger, clock, onChange, onNodes, onError } = options;
  let { known } = options;
  let closed = false;
  let cancel = (): void => {};

  const look = async (): Promise<void> => {
    if ((await ledger.setting(DEVICES_CHANGED)) !== known.change) {
      const last = known;
      known = await knownDevices(ledger);
      onChange([...known.revoked].filter((device_id) => !last.revoked.has(device_id)));
    }
    onNodes(await ledger.nodes());
  };
  const again = (): void => {
    cancel = clock.after(LOOK_MS, () => {
      look()
        .catch(onError)
        .finally(() => {
          if (!closed) again();
        });
    });
  };
  again();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}
