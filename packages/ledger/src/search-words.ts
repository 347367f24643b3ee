/** Words of a text or a query: letters and digits, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** True when each word begins a word of the text. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const there = wordsOf(text);
  return words.every((word) => there.some((each) => each.startsWith(word)));
}
