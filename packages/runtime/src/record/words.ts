const MAX_WORD_CHARS = 40;
/** Reserved names: properties of every object, and operators of the expression language. */
const TAKEN = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'and',
  'or',
  'in',
  'true',
  'false',
  'null',
]);

/** Turns `Add to cart` into a map name: `add_to_cart`. Empty without letters. */
export function wordOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_WORD_CHARS)
    .replace(/^[_0-9]+|_+$/g, '');
  return TAKEN.has(plain) ? `${plain}_value` : plain;
}

/** Makes names unique: `field`, `field_2`. */
export function uniqueNames(): (wish: string, instead: string) => string {
  const taken = new Set<string>();
  return (wish, instead) => {
    const name = wish === '' ? instead : wish;
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  };
}
