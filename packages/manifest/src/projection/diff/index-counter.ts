/** Fenwick tree: counts the marks before an index in O(log n). */
export function createIndexCounter(places: number) {
  const sums = new Int32Array(places + 1);
  const change = (index: number, by: number): void => {
    for (let at = index + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + by;
  };
  return {
    mark: (index: number) => change(index, 1),
    unmark: (index: number) => change(index, -1),
    countBefore(index: number): number {
      let count = 0;
      for (let at = Math.min(index, places); at > 0; at -= at & -at) count += sums[at] ?? 0;
      return count;
    },
  };
}
