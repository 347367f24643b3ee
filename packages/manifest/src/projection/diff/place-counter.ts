/** Counts marks on a row of places: how many lie before one, in log n. A Fenwick tree. */
export interface PlaceCounter {
  readonly mark: (place: number) => void;
  readonly unmark: (place: number) => void;
  readonly countBefore: (place: number) => number;
}

export function createPlaceCounter(places: number): PlaceCounter {
  const sums = new Int32Array(places + 1);
  const change = (place: number, by: number): void => {
    for (let at = place + 1; at < sums.length; at += at & -at) sums[at] = (sums[at] ?? 0) + by;
  };
  return {
    mark: (place) => change(place, 1),
    unmark: (place) => change(place, -1),
    countBefore(place) {
      let count = 0;
      for (let at = Math.min(place, places); at > 0; at -= at & -at) count += sums[at] ?? 0;
      return count;
    },
  };
}
