/**
 * Spaces of any width, line breaks, controls, bidi and other format characters, lone surrogates, private and
 * unassigned ones, variation selectors, and letters without a glyph.
 */
const NOT_SEEN = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u{2800}]+/gu;
/** More marks on one letter than any language uses, which would cover neighbouring lines. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** A text of a page or an agent as one line, which cannot imitate another line of the question. */
export function plainLine(text: string, maxChars: number): string {
  const line = text.replace(NOT_SEEN, ' ').replace(PILED_MARKS, '$1').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The same in quotes that the text cannot close. */
export const quotedLine = (text: string, maxChars: number): string =>
  `"${plainLine(text, maxChars).replace(/["\\]/g, '\\$&')}"`;

/** A question's sentence for a person: `element.click on “Pay”` becomes `Click on “Pay”`. */
export const plainSentence = (sentence: string): string =>
  sentence.replace(
    /^(?:element|pointer|keyboard)\.([a-z])([a-z_]*)/,
    (_, first: string, rest: string) => `${first.toUpperCase()}${rest.replaceAll('_', ' ')}`,
  );

/** Names a site for a person. The origin of a sandboxed frame is opaque and reads `null`. */
export const siteName = (origin: string): string => (origin === 'null' ? 'a sandboxed frame' : origin);
