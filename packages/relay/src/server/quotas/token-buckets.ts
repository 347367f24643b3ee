export interface TokenBuckets {
  /** Takes it and gives 0, or takes nothing and gives the milliseconds until there is room. */
  readonly take: (key: string, cost?: number) => number;
  /** Takes it whether there is room or not: what was used is paid for afterwards. */
  readonly charge: (key: string, cost: number) => void;
  /** The use of the key that has used most, for `/metrics`. */
  readonly mostUsed: () => number;
}

export interface BucketOptions {
  readonly now: () => number;
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  room: number;
  at: number;
}

/** Beyond this many, buckets that are full again are forgotten: another would be the same. */
const MOST_KEPT = 1_000;

/** One bucket a key. A wall clock that is set back stops the refill for no longer than until the next look. */
export function createTokenBuckets({ now, perSecond, burst }: BucketOptions): TokenBuckets {
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
    take(key, cost = 1) {
      const bucket = bucketOf(key);
      // One that costs more than a whole bucket passes a full one, and is paid for afterwards.
      const needed = Math.min(cost, burst);
      if (bucket.room < needed) return Math.ceil(((needed - bucket.room) / perSecond) * 1_000);
      bucket.room -= cost;
      return 0;
    },
    charge(key, cost) {
      bucketOf(key).room -= cost;
    },
    mostUsed() {
      const at = now();
      let least = burst;
      for (const bucket of buckets.values()) least = Math.min(least, roomAt(bucket, at));
      return burst - least;
    },
  };
}
