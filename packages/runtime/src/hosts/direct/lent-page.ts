import { systemClock } from '@drawbridge/link';
import type { Handler } from '@drawbridge/manifest';
import type { Asker, BridgeItem, EffectClass } from '@drawbridge/protocol';
import { createControlPlane } from '../../address/control-plane.ts';
import { denyAll } from '../../grants/askers.ts';
import { createGrantBook, type GrantBook } from '../../grants/grant-book.ts';
import type { SurfaceHost } from '../../host.ts';
import { noMaps, singleMap } from '../../maps/map-source.ts';
import { createRuntime, type Runtime } from '../../surface/runtime.ts';
import { type Expressions, pageExpressions } from './page-expressions.ts';
import { newPageId } from './page-id.ts';

/** Options of the owner who lends a page. */
export interface LendOptions {
  /** The page's map as JSON; without it only the primitives are available. */
  readonly map?: unknown;
  readonly expressions?: Expressions;
  /** Asked about calls that the loan does not cover; without it they are refused. */
  readonly ask?: Asker['ask'];
  /** Effect classes of the loan; read and act by default. */
  readonly lend?: readonly EffectClass[];
  /** Handlers that the map's tools may name. */
  readonly handlers?: Readonly<Record<string, Handler>>;
}

/** The connection of one runtime to a bridge. Call `announce` after a reconnect that starts over. */
export type ConnectPage = (
  receive: (item: BridgeItem) => void,
  announce: () => void,
) => { readonly send: (item: BridgeItem) => void; readonly close: () => void };

export interface LentPage {
  readonly host: SurfaceHost;
  readonly runtime: Runtime;
  /** Current grants of the loan: `revokeAll()` stops the next call. */
  readonly grants: GrantBook;
  /** Idempotent. Running calls are answered first. */
  readonly close: () => Promise<void>;
}

export function lendPage(host: SurfaceHost, connect: ConnectPage, options: LendOptions): LentPage {
  const { map, expressions, ask, lend, handlers = {} } = options;
  const grants = createGrantBook({ now: systemClock.now, newId: newPageId });
  const evaluator = pageExpressions(host.kind, expressions);
  const connection = connect(
    (item) => runtime.receive(item),
    () => runtime.announce(),
  );
  const runtime = createRuntime({
    runtimeId: `runtime-${newPageId()}`,
    authorizationId: grants.lend(host.runtimeKey, 'the owner of the page', lend),
    host,
    maps: map === undefined ? noMaps : singleMap(map),
    grants,
    asker: ask === undefined ? denyAll('the page was lent without anybody to ask') : { ask },
    evaluator,
    clock: systemClock,
    newId: newPageId,
    send: connection.send,
    handlers: new Map(Object.entries(handlers)),
    controlPlane: createControlPlane(),
  });
  let closing: Promise<void> | undefined;
  const end = async () => {
    await runtime.close();
    connection.close();
    await Promise.all([evaluator.close(), host.close()]);
  };
  return {
    host,
    runtime,
    grants,
    close: () => {
      closing ??= end();
      return closing;
    },
  };
}
