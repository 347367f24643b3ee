import type { Handler } from '@drawbridge/manifest';
import type { Asker, BridgeItem, EffectClass } from '@drawbridge/protocol';
import { createControlPlane } from '../../address/control-plane.ts';
import { denyAll } from '../../grants/askers.ts';
import { createGrantBook, type GrantBook } from '../../grants/grant-book.ts';
import type { SurfaceHost } from '../../host.ts';
import { noMaps, singleMap } from '../../maps/map-source.ts';
import { createRuntime, type Runtime } from '../../surface/runtime.ts';
import { systemClock } from '../../system-clock.ts';
import { type Expressions, pageExpressions } from './page-expressions.ts';
import { newPageId } from './page-id.ts';

/** What whoever owns a page says when they lend it. */
export interface LendOptions {
  /** The map of the page, as JSON; without it there are the primitives. */
  readonly map?: unknown;
  readonly expressions?: Expressions;
  /** Asked about what the loan does not cover. Without it, that is refused. */
  readonly ask?: Asker['ask'];
  /** What the page is lent for; to look and to act, unless said otherwise. */
  readonly lend?: readonly EffectClass[];
  /** What tools of the map may name as their `handler`. */
  readonly handlers?: Readonly<Record<string, Handler>>;
}

/** The connection of one runtime to a bridge. `announce` is for one that has to begin anew. */
export type ConnectPage = (
  receive: (item: BridgeItem) => void,
  announce: () => void,
) => { readonly send: (item: BridgeItem) => void; readonly close: () => void };

/** A page that is lent, until it is closed. */
export interface LentPage {
  readonly host: SurfaceHost;
  readonly runtime: Runtime;
  /** What it is lent for now: `revokeAll()` stops the next call. */
  readonly grants: GrantBook;
  /** Idempotent. Calls that run are answered first. */
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
