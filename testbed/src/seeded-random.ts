/**
 * Reproducible random decisions from a seed: mulberry32
 * (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c).
 */
export interface SeededRandom {
  /** At least 0 and below 1. */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  pick<T extends NonNullable<unknown> | null>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
  /** An independent generator for `label`, unaffected by earlier draws here. */
  fork(label: string | number): SeededRandom;
}

export function createSeededRandom(seed: number): SeededRandom {
  const next = mulberry32(seed);

  const int = (min: number, max: number): number => {
    if (!(Number.isInteger(min) && Number.isInteger(max) && min <= max)) {
      throw new RangeError(`int(${min}, ${max}): give two whole numbers, the smaller first`);
    }
    return min + Math.floor(next() * (max - min + 1));
  };

  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('pick: the list is empty');
      return item;
    },
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
    fork: (label) => createSeededRandom(hash(`${seed}/${label}`)),
  };
}

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
