/**
 * Bounds the work of one check. A value whose size times the schema's is below MAX_PRODUCT cannot take long.
 * Any other is checked by a schema that counts each visit and stops after MAX_STEPS. Both take less than half
 * a second.
 */
export const MAX_PRODUCT = 500_000;
export const MAX_STEPS = 500_000;

/** Characters of text that count as one value. */
const CHARS_OF_ONE = 16;

/** Number of values, itself included; long texts and keys count as several. Stops counting at `most`. */
export function sizeOf(value: unknown, most = Number.POSITIVE_INFINITY): number {
  const open: unknown[] = [value];
  let size = 0;
  while (open.length > 0 && size < most) {
    const next = open.pop();
    size += 1;
    if (typeof next === 'string') size += next.length / CHARS_OF_ONE;
    else if (Array.isArray(next)) for (const each of next) open.push(each);
    else if (typeof next === 'object' && next !== null) {
      for (const [key, each] of Object.entries(next)) {
        size += key.length / CHARS_OF_ONE;
        open.push(each);
      }
    }
  }
  return size;
}

/** Cost of one visit of a schema object, without its inner schemas. */
export function visitCost(schema: Readonly<Record<string, unknown>>): (value: unknown) => number {
  const compared = sizeOf([schema['enum'], schema['const'], schema['required']]);
  const names = 'additionalProperties' in schema ? sizeOf(Object.keys(schema['properties'] ?? {})) : 1;
  return (value) => {
    if (typeof value === 'string') return compared + value.length / CHARS_OF_ONE;
    if (typeof value !== 'object' || value === null) return compared;
    return compared + names * Object.keys(value).length;
  };
}
