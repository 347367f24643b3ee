/** Words without a meaning for a task. */
const FILLER = new Set(
  'a an and any are as at be by can do for from get have how i in into is it its me my of on or our please so that the then there this to up use want we what when where which with you your'.split(
    ' ',
  ),
);

/** Significant words of a text, in lower case and without a plural s, so `results` equals `result`. */
export function tellingWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => word.length > 1 && !FILLER.has(word)).map(singular));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
