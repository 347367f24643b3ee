import type { Cancellation, Clock } from '@drawbridge/manifest';
import type { SurfaceHost } from '../host.ts';
import type { EarlyPress } from './early-press.ts';
import { createTransferStore, type TransferStore } from './transfer-store.ts';

/** What a primitive runs with. */
export interface PrimitiveContext {
  readonly host: SurfaceHost;
  readonly cancellation: Cancellation;
  readonly clock: Clock;
  /** The origin the call was granted for: elsewhere it does not run (BRG-69). */
  readonly origin?: string;
  readonly stores: PrimitiveStores;
  /** Resolves when a tab may be sent to this address; fails with `permission_denied`. */
  readonly requireAddress?: (url: string) => Promise<void>;
  /** Prepared before the call was let in. */
  readonly early?: EarlyPress;
}

/** What a runtime keeps outside the page. */
export interface PrimitiveStores {
  readonly transfer: TransferStore;
  /** Without one, `storage.read_file` is not available. */
  readonly files?: FileStore;
}

export interface FileStore {
  /** Undefined when this site's storage holds no such file. */
  readonly read: (
    file: { readonly path: string } | { readonly id: string },
  ) => Promise<{ readonly path: string; readonly content: string } | undefined>;
}

export const createStores = (now: () => number, files?: FileStore): PrimitiveStores => ({
  transfer: createTransferStore(now),
  ...(files && { files }),
});
