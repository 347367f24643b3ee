import { RecentMap } from '@drawbridge/base';
/** The last state sent to each runtime, by projection. */
export type StateSnapshots = ReturnType<typeof createStateSnapshots>;

interface SnapshotKey {
  readonly runtime: string;
  readonly projection: string;
}

interface Snapshot {
  readonly state: unknown;
  readonly hash: string;
}

const MAX_SNAPSHOTS = 500;

/** An LRU cache: evicts the snapshot that was unused for longest. */
export function createStateSnapshots(max = MAX_SNAPSHOTS) {
  const kept = new RecentMap<string, { readonly key: SnapshotKey; readonly snapshot: Snapshot }>(max);
  const textOf = ({ runtime, projection }: SnapshotKey): string => JSON.stringify([runtime, projection]);
  return {
    find: (key: SnapshotKey): Snapshot | undefined => kept.get(textOf(key))?.snapshot,
    keep(key: SnapshotKey, snapshot: Snapshot): void {
      const text = textOf(key);
      kept.set(text, { key, snapshot });
    },
    forget(runtime: string): void {
      for (const [text, { key }] of kept) if (key.runtime === runtime) kept.delete(text);
    },
  };
}
