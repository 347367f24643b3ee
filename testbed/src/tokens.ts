import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Counts o200k tokens; a control token in a page's text counts as text. */
export function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}
