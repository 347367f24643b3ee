/** A bounded set of recent ids, for duplicate detection. */
export interface RecentIds {
  /** False when the id is already there. */
  readonly add: (id: string) => boolean;
  readonly has: (id: string) => boolean;
}

export function createRecentIds(most: number): RecentIds {
  const ids = new Set<string>();
  return {
    add: (id) => {
      if (ids.has(id)) return false;
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
      return true;
    },
    has: (id) => ids.has(id),
  };
}
