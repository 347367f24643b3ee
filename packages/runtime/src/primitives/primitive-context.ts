import type { Clock } from '@drawbridge/base';
import type { CallScope } from '../call/call-scope.ts';
import type { SurfaceHost } from '../host.ts';
import { type BroughtFiles, createBroughtFiles } from './brought-files.ts';
import type { GuardedPress } from './guarded-press.ts';
import { createTransferStore, type TransferStore } from './transfer-store.ts';

export interface PrimitiveContext {
  readonly host: SurfaceHost;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The origin that the call was granted for; it runs nowhere else (BRG-69). */
  readonly origin?: string;
  readonly stores: PrimitiveStores;
  /** The addresses that the call's agent may use; all when absent. */
  readonly scope?: CallScope;
  /** Resolves when a tab may navigate to this address; fails with `permission_denied`. */
  readonly requireAddress?: (url: string) => Promise<void>;
  /**
   * Resolves when developer tools, and the values of these storage keys, may be read. The result is true for
   * origins whose documents may be shown. Absent: none may.
   */
  readonly requireInspection?: (keys: readonly string[]) => Promise<(origin: string) => boolean>;
  /** The press that was classified when the call was permitted. */
  readonly prepared?: GuardedPress;
}

/** Storage of a runtime outside the page. */
export interface PrimitiveStores {
  readonly transfer: TransferStore;
  readonly brought: BroughtFiles;
  /** Without it, `storage.read_file` is unavailable. */
  readonly files?: FileStore;
}

export interface FileStore {
  /** Undefined when the site's storage has no such file. */
  readonly read: (
    file: { readonly path: string } | { readonly id: string },
  ) => Promise<{ readonly path: string; readonly content: string } | undefined>;
}

export const createStores = (now: () => number, files?: FileStore): PrimitiveStores => ({
  transfer: createTransferStore(now),
  brought: createBroughtFiles(),
  ...(files && { files }),
});
