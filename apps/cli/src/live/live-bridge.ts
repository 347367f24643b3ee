import { randomUUID } from 'node:crypto';
import { type Bridge, createBridge, type RuntimeView } from '@drawbridge/bridge';
import { systemClock } from '@drawbridge/link';
import { createWorkerEvaluator } from '@drawbridge/manifest/node';
import type { Asker, BridgeItem } from '@drawbridge/protocol';
import { allowInspection, createGrantBook, type GrantBook, type MapSource } from '@drawbridge/runtime';
import type { CdpBrowser } from '@drawbridge/runtime/cdp';
import { openEvidenceFolder, openGrantFile, type Surfaces, serveSurfaces } from '@drawbridge/runtime/node';
import type { DataFolder } from './data-folder.ts';

/** `in`: to a runtime. `out`: from it. */
export type Traffic = (direction: 'in' | 'out', item: BridgeItem) => void;

export interface LiveOptions {
  /** Closed with the bridge. */
  readonly browser: CdpBrowser;
  /** Closed with the bridge. */
  readonly maps: MapSource;
  readonly asker: Asker;
  /** A relay's bridge; without it, a new one that is closed with this. */
  readonly bridge?: Bridge;
  /** Stores permanent grants and evidence of failed checks. Without it, both end with the process. */
  readonly data?: DataFolder;
  readonly traffic?: Traffic;
  /** Cookies and storage keys whose values agents may read; absent: no developer tools unasked. */
  readonly inspectKeys?: readonly string[] | undefined;
  /** Pages' own agents may use the maps' tools (WebMCP). */
  readonly offerToPage?: boolean | undefined;
}

export interface LiveBridge {
  readonly bridge: Bridge;
  readonly browser: CdpBrowser;
  readonly surfaces: Surfaces;
  readonly grants: GrantBook;
  /** The first announced runtime; rejects if the browser ends first. */
  readonly announced: () => Promise<RuntimeView>;
  /** Resolves when the last tab was closed, or the browser ended. */
  readonly over: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Wall-clock limit on a machine that also starts a browser. */
const EXPRESSION_MS = 2_000;

export function openLiveBridge(options: LiveOptions): LiveBridge {
  const { browser, maps, asker, data, traffic = () => {}, offerToPage = false } = options;
  const evaluator = createWorkerEvaluator({ maxMs: EXPRESSION_MS });
  const bridge = options.bridge ?? createBridge({ clock: systemClock, ids: () => randomUUID() });
  const making = { now: Date.now, newId: randomUUID };
  const grants = data === undefined ? createGrantBook(making) : openGrantFile(data.grants, making);
  const by = 'whoever started drawbridge';
  if (options.inspectKeys !== undefined) allowInspection(grants, options.inspectKeys, by);
  const surfaces = serveSurfaces({
    source: browser,
    connect(receive) {
      const connection = bridge.connectRuntime({
        send: (item) => {
          traffic('in', item);
          receive(item);
        },
      });
      return {
        send: (item) => {
          traffic('out', item);
          connection.receive(item);
        },
        close: connection.close,
      };
    },
    maps,
    grants,
    asker,
    evaluator,
    by,
    offerToPage,
    ...(data && { storeEvidence: openEvidenceFolder(data.evidence) }),
  });
  /** A relay's bridge has other runtimes too. */
  const isOwn = ({ runtime_id }: RuntimeView): boolean =>
    surfaces.runtimes().some(({ runtimeId }) => runtimeId === runtime_id);
  const over = new Promise<void>((resolve) => {
    browser.onSurface(({ kind }) => {
      if (kind === 'removed' && !browser.hasTabs()) resolve();
    });
  });
  const ended = over.then((): never => {
    throw new Error('The browser was closed.');
  });
  // Only callers that wait for a runtime handle the rejection.
  ended.catch(() => {});
  let closing: Promise<void> | undefined;
  return {
    bridge,
    browser,
    surfaces,
    grants,
    announced: () => Promise.race([firstRuntime(bridge, isOwn), ended]),
    over,
    close() {
      closing ??= (async () => {
        // Runtimes first: a running call is answered before its page goes away.
        await surfaces.close();
        if (options.bridge === undefined) bridge.close();
        maps.close();
        await Promise.all([browser.close(), evaluator.close()]);
      })();
      return closing;
    },
  };
}

const firstRuntime = (bridge: Bridge, isOwn: (view: RuntimeView) => boolean): Promise<RuntimeView> =>
  new Promise((resolve) => {
    const there = bridge.runtimes().find(isOwn);
    if (there !== undefined) return resolve(there);
    const stop = bridge.watch((event) => {
      if (event.kind !== 'runtime' || !isOwn(event.runtime)) return;
      stop();
      resolve(event.runtime);
    });
  });
