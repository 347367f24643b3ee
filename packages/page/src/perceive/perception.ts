import { diffTrees, formatDiffLines, type SemanticNode, type TreeDiff } from '@drawbridge/protocol/semantic';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { followTyping, learnIn } from '../secrets/scrub.ts';
import type { ListenerHint } from './actionable.ts';
import { openShadowRoot, type ShadowRootOf } from './composed-tree.ts';
import { type FullDom, type FullDomOptions, fullDom } from './full-dom.ts';
import type { ListenerKinds } from './possible-target.ts';
import { type Reading, type ReadOptions, readPage } from './reading.ts';
import { skeletonDom } from './skeleton.ts';
import { type Snapshot, type SnapshotOptions, takePicture } from './snapshot.ts';

/** Facts about a page from a host with more rights. */
export interface PerceptionHooks {
  readonly listenerHint?: ListenerHint;
  readonly listenerKinds?: ListenerKinds;
  readonly shadowRootOf?: ShadowRootOf;
}

/** Changes since a snapshot, if any. */
export type Delta =
  | { readonly snapshot_id: string; readonly since: string; readonly hash: string; readonly unchanged: true }
  | {
      readonly snapshot_id: string;
      readonly since: string;
      readonly hash: string;
      readonly unchanged: false;
      readonly significant: boolean;
      readonly diff: TreeDiff;
      readonly text: string;
    }
  /** The snapshot was evicted: returns a whole one. */
  | { readonly snapshot_id: string; readonly since: string; readonly hash: string; readonly full: Snapshot };

export type Perception = ReturnType<typeof createPerception>;

export interface PerceptionOptions {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly hooks?: PerceptionHooks;
}

/** Deltas work against the last few snapshots. */
const MAX_SNAPSHOTS = 8;
const SIGNIFICANT_NODES = 3;

/** Everything readable of a page, as plain data. */
export function createPerception({ document, registry, hooks = {} }: PerceptionOptions) {
  const kept = new Map<string, readonly SemanticNode[]>();
  const context = {
    document,
    registry,
    shadowRootOf: hooks.shadowRootOf ?? openShadowRoot,
    listenerHint: hooks.listenerHint,
    listenerKinds: hooks.listenerKinds,
  };
  const stop = new AbortController();
  // Distinguishes the snapshots of different documents.
  const series = Math.trunc(performance.timeOrigin).toString(36).slice(-3);
  let taken = 0;
  learnIn([document]);
  followTyping(document, stop.signal);

  const snapshot = (options: SnapshotOptions = {}): Snapshot => {
    followTyping(document, stop.signal);
    const picture = takePicture(context, options);
    taken++;
    const snapshot_id = `${series}-${taken}`;
    kept.set(snapshot_id, picture.page.interactive_tree);
    const [oldest] = kept.keys();
    if (kept.size > MAX_SNAPSHOTS && oldest !== undefined) kept.delete(oldest);
    return { snapshot_id, ...picture };
  };

  return {
    snapshot,
    delta(since: string, options?: SnapshotOptions): Delta {
      const before = kept.get(since);
      const full = snapshot(options);
      const { snapshot_id, hash } = full;
      if (before === undefined) return { snapshot_id, since, hash, full };
      const diff = diffTrees(before, full.page.interactive_tree);
      const changes = diff.added.length + diff.removed.length + diff.changed.length;
      if (changes + diff.moved.length === 0) return { snapshot_id, since, hash, unchanged: true };
      const significant = changes >= SIGNIFICANT_NODES;
      return { snapshot_id, since, hash, unchanged: false, significant, diff, text: formatDiffLines(diff) };
    },
    read: (options?: ReadOptions): Reading => readPage(context, options),
    skeleton: (options?: Pick<FullDomOptions, 'region'>): string => skeletonDom(context, options),
    fullDom: (options?: FullDomOptions): FullDom => fullDom(context, options),
    close(): void {
      stop.abort();
      kept.clear();
    },
  };
}
