/** Synonyms of pages and people, English and German; the last one is canonical. */
const SAME = [
  ['log in', 'sign in', 'log on', 'anmelden', 'einloggen', 'login'],
  ['log out', 'sign out', 'log off', 'abmelden', 'ausloggen', 'logout'],
  ['sign up', 'registrieren', 'register', 'signup'],
  ['check out', 'zur kasse', 'kasse', 'checkout'],
  ['shopping cart', 'shopping basket', 'basket', 'shopping bag', 'bag', 'warenkorb', 'trolley', 'cart'],
  ['e mail', 'mail', 'email address', 'emailadresse', 'email'],
  ['zip code', 'post code', 'postal code', 'zip', 'plz', 'postleitzahl', 'postcode'],
  ['telephone', 'phone number', 'telefon', 'telefonnummer', 'phone'],
  ['town', 'stadt', 'ort', 'city'],
  ['strasse', 'street'],
  ['land', 'country'],
  ['nachricht', 'message'],
  ['delete', 'take', 'entferne', 'entfernen', 'losche', 'loschen', 'remove'],
  ['put', 'hinzufugen', 'lege', 'legen', 'add'],
  ['go to', 'visit', 'show', 'offne', 'offnen', 'open'],
  ['find', 'look for', 'suche', 'suchen', 'search'],
  ['qty', 'amount', 'how many', 'anzahl', 'menge', 'quantity'],
  ['lieferung', 'delivery'],
].map((phrases) => {
  const name = phrases.at(-1) ?? '';
  return [new RegExp(` (?:${phrases.slice(0, -1).join('|')})(?= )`, 'g'), ` ${name}`] as const;
});

const UNSAID = new Set(
  'the a an to of for in on at my your this that these it its and or with by der die das den dem ein eine einen zu im am auf in und oder mit von'.split(
    ' ',
  ),
);

/** Lower case, without accents and punctuation. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’']/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Significant words of a name. */
export function wordsOf(text: string): string[] {
  let line = ` ${plain(text)} `;
  for (const [phrases, name] of SAME) line = line.replace(phrases, name);
  const words = line.split(' ').filter((word) => word !== '');
  const telling = words.filter((word) => !UNSAID.has(word));
  return [...new Set(telling.length > 0 ? telling : words)];
}

/** "lamps" and "lamp", "Lampen" and "Lampe", "delivery" and "deliver". */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (/\d/.test(long)) return false;
  if (long === `${short}s`) return short.length > 2;
  return short.length >= 4 && long.length - short.length <= 2 && long.startsWith(short);
}

export const hasWord = (words: readonly string[], word: string): boolean =>
  words.some((other) => isSameWord(word, other));

export const hasWords = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word) => hasWord(words, word));

/** Minimum share of matched words: all of two, two of three. */
const FEWEST_FOUND = 2 / 3;

/** Similarity of a name to the request, from 0 to 1. */
export function likeness(wanted: string, name: string): number {
  if (wanted.trim() === '' || name.trim() === '') return 0;
  if (wanted.trim().toLowerCase() === name.trim().toLowerCase()) return 1;
  const asked = wordsOf(wanted);
  // "Cart 2" is the cart: ignores a count beside a name.
  const counted = wordsOf(name);
  const named = asked.some(isNumber) ? counted : counted.filter((word) => !isNumber(word));
  const found = asked.filter((word) => hasWord(named, word)).length;
  if (asked.length === 0 || named.length === 0 || found / asked.length < FEWEST_FOUND) return 0;
  if (found === asked.length && found === named.length) return 0.99;
  return 0.65 * (found / asked.length) + 0.3 * Math.min(1, found / named.length);
}

const isNumber = (word: string): boolean => /^\d+$/.test(word);
