import type { NatsBus } from '../bus/nats-bus.ts';
import type { PostgresLedger } from '../ledger/postgres/postgres-ledger.ts';
import type { DeviceSpread } from '../server/chat/chat-port.ts';
import type { FileContents } from '../server/files/file-store.ts';
import type { FrontDoor, NodeDoors } from '../server/front-door.ts';
import type { Ground } from '../server/ground.ts';
import type { GuardOptions } from '../server/guard/request-origin.ts';

/** What a node has, whether it keeps the house or not. */
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

/** What stands on it: the house, or a branch. */
export interface Stage {
  readonly door: FrontDoor;
  /** Devices were changed, and these revoked, by whichever node. */
  readonly changed: (revoked: readonly string[]) => void;
  /** Notes may have been lost. */
  readonly resync: () => Promise<void>;
  /** Tells everyone to come back, waits for what was begun and until `empty`, at most so long, and lets go. Idempotent. */
  readonly close: (ms: number, empty?: () => Promise<void>) => Promise<void>;
}
