/**
 * Letters that look like a Latin one and are none, by the letter they look like. Taken from Unicode's table for the
 * scripts a browser's fonts draw alike; what NFKC folds already (full-width, mathematical, circled) is not repeated.
 * https://www.unicode.org/Public/security/latest/confusables.txt
 *
 * The last characters of some rows are letters with a stroke, which no normalization takes apart: people type
 * `zaplac` for `zapłać`.
 */
export const CONFUSABLES: Readonly<Record<string, string>> = {
  a: 'аɑα⍺ᗅꭺ𐊠',
  b: 'Ьƅьᏼᖯᑲвβ',
  c: 'сϲᴄⲥꮯᑕℭ',
  d: 'ԁᏧᑯꓒđɗ',
  e: 'еєҽℯꬲεҿ℮',
  f: 'ꬵꞙẝϝꞘᖴ',
  g: 'ɡցƍᶃǥ',
  h: 'һհᏂнħ',
  i: 'іıɩɪιꙇӏɨ¡',
  j: 'јϳʝյ',
  k: 'кκⲕᏦƙ',
  l: 'ⅼןⵏꓲᒪᏞłƚ∣│┃│',
  m: 'мᴍᗰᎷꓟⅿ',
  n: 'ոռпᴎŋɴ',
  o: 'оοօσᴏѳ໐๐০०੦૦௦౦೦൦〇ⲟꬽøɵ',
  p: 'рρϱ⍴ⲣᏢꓑ',
  q: 'ԛգզ',
  r: 'гᴦⲅꭇꮁʀɼ',
  s: 'ѕꜱƽꮪꓢ',
  t: 'тτᴛꭲꓔŧ',
  u: 'սυʋꞟᴜꭎ',
  v: 'ѵνᴠⅴꮩᏙꓦ',
  w: 'ԝաωшщɯᴡѡꓪ',
  x: 'хχ×ⅹᕁᕽꓫ',
  y: 'уүγʏყᶌꭚỿΥҮ',
  z: 'ᴢꮓᏃꓜƶ',
};

/** Digits and signs that stand for a letter when letters are beside them: `De1ete`, `P@y`. */
export const STAND_INS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '5': 's',
  '@': 'a',
  $: 's',
  '|': 'l',
  '!': 'i',
};
