/** The latest ids of a kind: what comes again is known again. */
export interface RecentIds {
  /** False when it is there already. */
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
