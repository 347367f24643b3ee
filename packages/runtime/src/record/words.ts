const MAX_WORD_CHARS = 40;
/** What every object inherits, and what the expression language reads as an operator. */
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

/** `Add to cart` as a name in a map: `add_to_cart`. Empty when there is no letter in it. */
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

/** Gives each wish a name of its own: `field`, `field_2`. */
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
