/** Controls, line breaks, bidi and zero-width characters, and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;
/** More combining marks than any language uses: they would cover other lines. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** Unusual or repeated spaces could hide something. */
const ODD_SPACES = /[^\S ]| {3,}/gu;

/**
 * Text of an agent or a page, safe to show in a decision: it cannot move the cursor, change colours, start a
 * line, or pass for other text. Removed characters are shown by code point.
 */
export function plainText(text: string, maxChars: number): string {
  const seen = text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(ODD_SPACES, ' ')
    .replace(PILED_MARKS, '$1')
    .trim();
  return seen.length <= maxChars ? seen : `${seen.slice(0, maxChars - 1)}…`;
}
