/** Attributes that exist only to find elements by. */
export const TEST_IDS = [
  'data-testid',
  'data-test-id',
  'data-test',
  'data-cy',
  'data-qa',
  'data-actions-json-target',
];

/** Attributes by which people, not build tools, name elements. */
export const NAMES = [
  ...TEST_IDS,
  'id',
  'name',
  'aria-label',
  'href',
  'placeholder',
  'title',
  'alt',
  'for',
  'role',
  'type',
];

const MAX_VALUE_CHARS = 100;

/** Written by a person, so it survives the next build or render. */
export function isStable(attribute: string, value: string): boolean {
  if (value === '' || value.length > MAX_VALUE_CHARS || /[\n\r]/.test(value)) return false;
  if (attribute === 'id' || attribute === 'for') return isWord(value);
  if (attribute === 'href') return /^[/#][^?]*$/.test(value) && !hasSerial(value);
  return !hasSerial(value);
}

/** Accepts `results`, `step-2`, `order_summary`; rejects `:r1:`, `ember412` or `sc-bdVaJa`, which lack syllables. */
export function isWord(name: string): boolean {
  const words = name.replace(/[-_]\d{1,2}$/, '').replaceAll('_', '-');
  if (words.length <= 2) return /^[a-z]+$/i.test(words);
  if (!/^[a-z-]+$/i.test(words)) return false;
  return words.split(/-|(?=[A-Z])/).every((word) => word.length > 2 && !/[^aeiou]{4}/i.test(word));
}

/** Long numbers and hashes belong to a record or build, and change with it. */
function hasSerial(value: string): boolean {
  return /\d{4,}|[0-9a-f]{8,}|:r[0-9a-z]+:/i.test(value);
}
