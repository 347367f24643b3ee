/** Controls, line breaks, marks that turn the writing direction or take no room, and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;
/** More marks on one letter than any language puts there: they would cover the lines around it. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;
/** Spaces of other widths look like a gap that hides something. */
const ODD_SPACES = /[^\S ]| {3,}/gu;

/**
 * Text of an agent or a page, safe to show where a person decides: it cannot move the cursor, colour,
 * begin a line of its own, or read as something else than it is. What it tried is shown by its number.
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
