const RANDOM_BYTES = 10;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * UUIDs of 48 bits of strictly increasing time, so that they sort by creation, and 80 random bits. A counter
 * that restarts after a reload would make new messages look like retries.
 */
export function createTimeOrderedIds(now: () => number, fill = fillRandom): () => string {
  let last = 0;
  return () => {
    last = Math.max(Math.trunc(now()), last + 1);
    const random = [...fill(new Uint8Array(RANDOM_BYTES))].map((byte) => hex(byte, 2)).join('');
    const digits = hex(last, 12) + random;
    const groups = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)];
    return [...groups, digits.slice(20)].join('-');
  };
}

const fillRandom = (bytes: Uint8Array<ArrayBuffer>): Uint8Array => crypto.getRandomValues(bytes);
