export type TokenBuckets = ReturnType<typeof createTokenBuckets>;

export interface BucketOptions {
  readonly now: () => number;
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  room: number;
  at: number;
}

/** Beyond this many, full buckets are dropped: a new one would be equal. */
const MOST_KEPT = 1_000;

/** One bucket per key. A wall clock that is set back pauses the refill only until the next call. */
export function createTokenBuckets({ now, perSecond, burst }: BucketOptions) {
  const buckets = new Map<string, Bucket>();

  const roomAt = ({ room, at }: Bucket, later: number): number =>
    Math.min(burst, room + (Math.max(0, later - at) * perSecond) / 1_000);

  const forgetFull = (at: number): void => {
    for (const [key, bucket] of buckets) if (roomAt(bucket, at) >= burst) buckets.delete(key);
  };

  const bucketOf = (key: string): Bucket => {
    const at = now();
    const known = buckets.get(key);
    if (known === undefined) {
      if (buckets.size >= MOST_KEPT) forgetFull(at);
      const bucket = { room: burst, at };
      buckets.set(key, bucket);
      return bucket;
    }
    known.room = roomAt(known, at);
    known.at = at;
    return known;
  };

  return {
    /** Takes the tokens and returns 0, or takes none and returns the milliseconds until there are enough. */
    take(key: string, cost: number = 1): number {
      const bucket = bucketOf(key);
      // A cost above a whole bucket passes a full one, and is paid afterwards.
      const needed = Math.min(cost, burst);
      if (bucket.room < needed) return Math.ceil(((needed - bucket.room) / perSecond) * 1_000);
      bucket.room -= cost;
      return 0;
    },
    /** Takes the tokens even when too few are left: usage is paid afterwards. */
    charge(key: string, cost: number): void {
      bucketOf(key).room -= cost;
    },
    /** Usage of the key that has used most, for `/metrics`. */
    mostUsed(): number {
      const at = now();
      let least = burst;
      for (const bucket of buckets.values()) least = Math.min(least, roomAt(bucket, at));
      return burst - least;
    },
  };
}
