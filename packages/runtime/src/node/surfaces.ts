import { randomUUID } from 'node:crypto';
import { systemClock } from '@drawbridge/link';
import type { Evaluator, HandlerRegistry } from '@drawbridge/manifest';
import type { Asker, BridgeItem } from '@drawbridge/protocol';
import type { ControlPlane } from '../address/control-plane.ts';
import type { LocalNetwork } from '../address/local-network.ts';
import type { GrantBook } from '../grants/grant-book.ts';
import { createOfferedAddresses } from '../grants/offered-addresses.ts';
import type { SurfaceHost } from '../host.ts';
import type { MapSource } from '../maps/map-source.ts';
import type { CheckEvidence } from '../surface/check-evidence.ts';
import { createRuntime, type Runtime } from '../surface/runtime.ts';

/** A source of lent tabs, such as a browser over CDP. */
export interface SurfaceSource {
  readonly surfaces: () => readonly SurfaceHost[];
  readonly controlPlane: ControlPlane;
  readonly localNetwork: LocalNetwork;
  readonly onSurface: (
    listener: (change: { readonly kind: 'added' | 'removed'; readonly surface: SurfaceHost }) => void,
  ) => () => void;
}

/** One connection to a bridge for each surface. Call `announce` after a reconnect that starts over. */
export type Connect = (
  receive: (item: BridgeItem) => void,
  announce: () => void,
) => {
  readonly send: (item: BridgeItem) => void;
  readonly close: (reason?: string) => void;
};

export interface SurfacesOptions {
  readonly source: SurfaceSource;
  readonly connect: Connect;
  readonly maps: MapSource;
  readonly grants: GrantBook;
  /** Without one, each runtime asks over its connection. */
  readonly asker?: Asker;
  readonly evaluator: Evaluator;
  /** The lender, shown with each approval. */
  readonly by: string;
  /** Registers the maps' tools with the pages, for the pages' own agents (WebMCP). */
  readonly offerToPage?: boolean;
  /** Handlers that a map's `x_actions.handler` may name; code of a page never runs under such a name. */
  readonly handlers?: HandlerRegistry;
  readonly storeEvidence?: (evidence: CheckEvidence) => void | Promise<void>;
}

export type Surfaces = ReturnType<typeof serveSurfaces>;

/** Runs a runtime on each lent tab until the tab is closed. */
export function serveSurfaces(options: SurfacesOptions) {
  const { source, connect, maps, grants, asker, evaluator, by, offerToPage = false } = options;
  const { handlers, storeEvidence } = options;
  const open = new Map<Runtime, (reason?: string) => Promise<void>>();
  const served = new Set<SurfaceHost>();
  const offered = createOfferedAddresses(systemClock);

  const serve = (host: SurfaceHost): void => {
    // A tab that opens during the listing is reported twice.
    if (served.has(host)) return;
    served.add(host);
    const authorizationId = grants.lend(host.runtimeKey, by);
    const connection = connect(
      (item) => runtime.receive(item),
      () => runtime.announce(),
    );
    const runtime = createRuntime({
      runtimeId: `runtime-${randomUUID()}`,
      authorizationId,
      host,
      maps,
      grants,
      ...(asker && { asker }),
      evaluator,
      clock: systemClock,
      newId: randomUUID,
      send: connection.send,
      controlPlane: source.controlPlane,
      localNetwork: source.localNetwork,
      offered,
      offerToPage,
      ...(handlers && { handlers }),
      ...(storeEvidence && { storeEvidence }),
    });
    const end = async (reason?: string) => {
      if (!open.delete(runtime)) return;
      unsubscribe();
      served.delete(host);
      // Closes the runtime first, so that it does not report grants that end with its tab.
      const closed = runtime.close();
      grants.revoke(authorizationId);
      await closed;
      connection.close(reason);
    };
    const unsubscribe = host.onEvent((event) => {
      if (event.kind === 'closed') void end(event.reason);
    });
    open.set(runtime, end);
  };
  for (const host of source.surfaces()) serve(host);
  const stop = source.onSurface(({ kind, surface }) => {
    if (kind === 'added') serve(surface);
  });

  return {
    runtimes: (): readonly Runtime[] => [...open.keys()],
    async close(): Promise<void> {
      stop();
      await Promise.all([...open.values()].map((end) => end('the browser was given back')));
    },
  };
}
