const CARDINALS = [
  'a|an|one|ein|eine|einen|eins',
  'two|zwei|a couple of|a pair of',
  'three|drei',
  'four|vier',
  'five|fünf',
  'six|sechs',
  'seven|sieben',
  'eight|acht',
  'nine|neun',
  'ten|zehn',
  'eleven|elf',
  'twelve|zwölf|a dozen',
];

const ORDINALS = [
  'first|1st|erste[nrs]?|top',
  'second|2nd|zweite[nrs]?',
  'third|3rd|dritte[nrs]?',
  'fourth|4th|vierte[nrs]?',
  'fifth|5th|fünfte[nrs]?',
  'sixth|6th|sechste[nrs]?',
  'seventh|7th|siebte[nrs]?',
  'eighth|8th|achte[nrs]?',
  'ninth|9th|neunte[nrs]?',
  'tenth|10th|zehnte[nrs]?',
];

const leading = (words: string): RegExp => new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])\\s*`, 'iu');
const CARDINAL_PATTERNS = CARDINALS.map(leading);
const ORDINAL_PATTERNS = ORDINALS.map(leading);
const LAST = leading('last|letzte[nrs]?');
const ARTICLE = leading('the|der|die|das|den|dem');
const DIGITS = /^(\d{1,4})\s*(?:x|×|mal)?(?:\s+|$)/i;

/** "two lamps": 2 and "lamps"; without a number the quantity is undefined. */
export function takeQuantity(text: string): { readonly quantity: number | undefined; readonly rest: string } {
  const digits = DIGITS.exec(text);
  if (digits) return { quantity: Number(digits[1]), rest: text.slice(digits[0].length) };
  // The longest phrase wins: "a pair of" begins with "a".
  const found = CARDINAL_PATTERNS.map((pattern, index) => ({
    place: index,
    length: pattern.exec(text)?.[0].length ?? 0,
  }))
    .filter(({ length }) => length > 0)
    .sort((one, other) => other.length - one.length)[0];
  if (found === undefined) return { quantity: undefined, rest: text };
  return { quantity: found.place + 1, rest: text.slice(found.length) };
}

/** "the second lamp": 2 and "lamp"; -1 is the last. */
export function takeOrdinal(text: string): { readonly ordinal: number | undefined; readonly rest: string } {
  const plain = text.replace(ARTICLE, '');
  const index = ORDINAL_PATTERNS.findIndex((pattern) => pattern.test(plain));
  const pattern = LAST.test(plain) ? LAST : ORDINAL_PATTERNS[index];
  if (pattern === undefined) return { ordinal: undefined, rest: plain };
  return { ordinal: pattern === LAST ? -1 : index + 1, rest: plain.replace(pattern, '') };
}
