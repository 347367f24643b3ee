import type { NatsBus } from '../bus/nats-bus.ts';
import type { PostgresLedger } from '../ledger/postgres/postgres-ledger.ts';
import type { DeviceSpread } from '../server/chat/chat-port.ts';
import type { FileContents } from '../server/files/file-store.ts';
import type { FrontDoor, NodeDoors } from '../server/front-door.ts';
import type { Ground } from '../server/ground.ts';
import type { GuardOptions } from '../server/guard/request-origin.ts';

/** Node context, for either role. */
export interface NodeGround extends Ground {
  readonly node_id: string;
  readonly ledger: PostgresLedger;
  readonly bus: NatsBus;
  readonly contents: FileContents;
  readonly guard: GuardOptions;
  readonly nodes: NodeDoors;
  readonly spread: DeviceSpread;
  readonly isReady: () => Promise<boolean>;
  /** Every `Host` of this node and the others. */
  readonly relayHosts: () => readonly string[];
}

/** An open node role: leader or follower. */
export interface Stage {
  readonly door: FrontDoor;
  /** Devices were changed on any node, and these were revoked. */
  readonly changed: (revoked: readonly string[]) => void;
  /** Called when bus messages may have been lost. */
  readonly resync: () => Promise<void>;
  /**
   * Sends reconnect hints, waits for work under way and until `empty`, for at most `ms`, and closes
   * everything. Idempotent.
   */
  readonly close: (ms: number, empty?: () => Promise<void>) => Promise<void>;
}
