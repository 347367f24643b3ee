/** A bounded set of recent ids, for duplicate detection. */
export function createRecentIds(most: number) {
  const ids = new Set<string>();
  return {
    /** False when the id is already there. */
    add: (id: string): boolean => {
      if (ids.has(id)) return false;
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
      return true;
    },
    has: (id: string): boolean => ids.has(id),
  };
}
