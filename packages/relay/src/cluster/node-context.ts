import type { PostgresLedger } from '@drawbridge/ledger';
import type { NatsBus } from '../bus/nats-bus.ts';
import type { DevicePresence } from '../server/chat/chat-port.ts';
import type { FileContents } from '../server/files/file-store.ts';
import type { GuardOptions } from '../server/guard/request-origin.ts';
import type { Health } from '../server/health.ts';
import type { NodeRouting, RequestRouter } from '../server/request-router.ts';
import type { ServerContext } from '../server/server-context.ts';

/** Node context, for either role. */
export interface NodeContext extends ServerContext {
  readonly node_id: string;
  readonly ledger: PostgresLedger;
  readonly bus: NatsBus;
  readonly contents: FileContents;
  readonly guard: GuardOptions;
  readonly nodes: NodeRouting;
  readonly presence: DevicePresence;
  readonly health: () => Promise<Health>;
  /** Every `Host` of this node and the others. */
  readonly relayHosts: () => readonly string[];
}

/** An open node role: leader or follower. */
export interface NodeRole {
  readonly router: RequestRouter;
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
