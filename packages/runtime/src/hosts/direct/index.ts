import type { BridgeItem } from '@drawbridge/protocol';
import { createInPageHost } from './in-page-host.ts';
import { type LendOptions, type LentPage, lendPage } from './lent-page.ts';

/** The runtime side of `createBridge`. */
export interface RuntimeConnection {
  readonly connectRuntime: (peer: {
    readonly send: (item: BridgeItem) => void;
    readonly close: (reason: string) => void;
  }) => { readonly receive: (item: unknown) => void; readonly close: (reason?: string) => void };
}

export interface DirectOptions extends LendOptions {
  readonly window: Window & typeof globalThis;
  readonly bridge: RuntimeConnection;
  readonly runtimeKey?: string;
}

/** Runs bridge, runtime and page in one world: items are passed directly, without a server (BRG-106). */
export function startDirect({ window, bridge, runtimeKey = 'direct', ...options }: DirectOptions): LentPage {
  const host = createInPageHost({ kind: 'direct', window, runtimeKey });
  const lent = lendPage(
    host,
    (receive) => {
      const connection = bridge.connectRuntime({
        send: receive,
        // A closed bridge reports that before `lent` is assigned.
        close: () => queueMicrotask(() => void lent.close()),
      });
      return { send: connection.receive, close: connection.close };
    },
    options,
  );
  return lent;
}

export type { LendOptions, LentPage } from './lent-page.ts';
