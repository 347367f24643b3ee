export interface TokenBuckets {
  /** Takes it and gives 0, or takes nothing and gives the milliseconds until there is room. */
  readonly take: (key: string, cost?: number) => number;
  /** Takes it whether there is room or not: what was used is paid for afterwards. */
  readonly charge: (key: string, cost: number) => void;
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

/** One bucket a key. A wall clock that is set back stops the refill for no longer than until the next look. */
export function createTokenBuckets({ now, perSecond, burst }: BucketOptions): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  const bucketOf = (key: string): Bucket => {
    const at = now();
    const bucket = buckets.get(key) ?? { room: burst, at };
    bucket.room = Math.min(burst, bucket.room + (Math.max(0, at - bucket.at) * perSecond) / 1_000);
    bucket.at = at;
    buckets.set(key, bucket);
    return bucket;
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
  };
}
