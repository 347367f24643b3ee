import { randomFillSync } from 'node:crypto';

/** As many as a UUID has. */
const BYTES = 16;
const DRAWN_TOGETHER = 256;

/**
 * Makes unique ids: `id('conn')` is `conn_…`. Avoids `randomUUID`, which joins twenty pieces per id: for the
 * two ids of a send they were a fourteenth of its garbage.
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
