import { randomFillSync } from 'node:crypto';

/** As many as a UUID has. */
const BYTES = 16;
const DRAWN_TOGETHER = 256;

/**
 * Makes ids that are unlike any other: `id('conn')` is `conn_…`. Not from `randomUUID`, which puts each text together from twenty
 * pieces: those of the two ids of a send were a fourteenth of all that it left to the collector.
 */
export function createIds(): (kind: string) => string {
  const random = Buffer.alloc(BYTES * DRAWN_TOGETHER);
  let used = random.length;
  return (kind) => {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    used += BYTES;
    return `${kind}_${random.toString('hex', used - BYTES, used)}`;
  };
}
