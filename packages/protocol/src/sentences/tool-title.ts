import { plainLine } from '../permission/plain-line.ts';

const MAX_TITLE = 80;

/** A tool of a map in words: the first sentence of its description, without the full stop. Empty without one. */
export function toolTitle(description: string): string {
  const [, sentence = description] = /^\s*(.+?)[.!?](?:\s|$)/s.exec(description) ?? [];
  return plainLine(sentence, MAX_TITLE);
}
