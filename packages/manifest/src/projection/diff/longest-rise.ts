/**
 * Marks a longest increasing subsequence in O(n log n); -1 is never marked.
 * https://en.wikipedia.org/wiki/Longest_increasing_subsequence
 */
export function longestRise(numbers: readonly number[]): boolean[] {
  /** By length: the index where the subsequence with the smallest end stops. */
  const ends: number[] = [];
  const previous: number[] = [];
  const at = (index: number | undefined): number => numbers[index ?? -1] ?? -1;

  for (const [index, number] of numbers.entries()) {
    if (number < 0) continue;
    const length = firstWhere(ends.length, (place) => at(ends[place]) >= number);
    previous[index] = ends[length - 1] ?? -1;
    ends[length] = index;
  }

  const marked = numbers.map(() => false);
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) marked[index] = true;
  return marked;
}

/** Binary search: the first index below `length` that passes. */
function firstWhere(length: number, passes: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
