/** A text for comparison: decoded, without invisible characters, accents and case. */
export interface FoldedText {
  readonly text: string;
  /** The range in the original for a range of the folded text. */
  readonly rangeOf: (start: number, end: number) => readonly [start: number, end: number];
}

/** Escapes of addresses, HTML, JSON and Markdown, also cut off before "…", and every non-ASCII character. */
const SPECIAL =
  /(?<cut>(?:%[\dA-Fa-f]?|&#?\w{0,7}|\\u?[\dA-Fa-f]{0,3})(?=…))|(?:%(?:25)*[\dA-Fa-f]{2})+|&(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z]{2,8});|\\(?:u[\dA-Fa-f]{4}|u\{[\dA-Fa-f]{1,6}\}|x[\dA-Fa-f]{2}|[nrt]|[!-/:-@[-`{-~])|[^\t-\r -~]/gu;
const IGNORED = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|(?!\s)\p{Cc}/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  szlig: 'ß',
};

interface Special {
  /** Index in the folded text. */
  readonly at: number;
  readonly length: number;
  readonly from: number;
  readonly to: number;
}

export function foldText(text: string): FoldedText {
  const specials: Special[] = [];
  let folded = '';
  let done = 0;
  for (const { 0: found, index, groups } of text.matchAll(SPECIAL)) {
    folded += plain(text.slice(done, index));
    const meant = groups?.['cut'] === undefined ? foldCharacters(decoded(found)) : '';
    done = index + found.length;
    specials.push({ at: folded.length, length: meant.length, from: index, to: done });
    folded += meant;
  }
  folded += plain(text.slice(done));
  if (specials.length === 0) return { text: folded, rangeOf: (start, end) => [start, end] };
  return { text: folded, rangeOf: (start, end) => [placeOf(specials, start, 'from'), endOf(specials, end)] };
}

const plain = (text: string): string => text.toLowerCase().replace(/\s/g, ' ');

/** The original position of the character at `index`. */
function placeOf(specials: readonly Special[], index: number, edge: 'from' | 'to'): number {
  let low = 0;
  let high = specials.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((specials[middle]?.at ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  // Specials that fold to nothing share their position with the next one.
  const special = specials[low - 1];
  if (special === undefined) return index;
  const past = index - special.at - special.length;
  return past < 0 ? special[edge] : special.to + past;
}

const endOf = (specials: readonly Special[], end: number): number =>
  end === 0 ? 0 : Math.max(placeOf(specials, end - 1, 'to'), placeOf(specials, end - 1, 'from') + 1);

function decoded(written: string): string {
  const [first] = written;
  if (first === '%') return decodedBytes(written.replace(/%(?:25)+(?=[\da-f]{2})/gi, '%'));
  if (first === '\\') return decodedBackslash(written);
  if (first !== '&') return written;
  const name = written.slice(1, -1).toLowerCase();
  if (name.startsWith('#x')) return fromCode(Number.parseInt(name.slice(2), 16));
  if (name.startsWith('#')) return fromCode(Number(name.slice(1)));
  return (
    ENTITIES[name] ?? /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|caron)$/.exec(name)?.[1] ?? written
  );
}

function decodedBackslash(written: string): string {
  const hex = /^\\(?:u\{?|x)([\da-f]+)\}?$/i.exec(written)?.[1];
  if (hex !== undefined) return fromCode(Number.parseInt(hex, 16));
  return /^\\[nrt]$/i.test(written) ? ' ' : written.slice(1);
}

/** Drops an incomplete character at the end; invalid UTF-8 is read byte by byte. */
function decodedBytes(written: string): string {
  const bytes = written.match(/%[\da-f]{2}/gi) ?? [];
  for (const rest of [0, 1, 2, 3]) {
    try {
      return decodeURIComponent(bytes.slice(0, bytes.length - rest).join(''));
    } catch {}
  }
  return bytes.map((byte) => fromCode(Number.parseInt(byte.slice(1), 16))).join('');
}

const fromCode = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

function foldCharacters(text: string): string {
  return text
    .replace(/[^…]+/gu, (most) => most.normalize('NFKD'))
    .replace(IGNORED, '')
    .replace(/\s/g, ' ')
    .replace(/(?![\d])\p{Nd}/gu, asciiDigit)
    .toLowerCase();
}

/** The digits of every script are in blocks of ten. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(fromCode(zero - 1))) zero--;
  return String(code - zero);
}
