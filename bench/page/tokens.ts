import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Tokens by o200k; what looks like a control token in a page's text is text. */
export function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}
