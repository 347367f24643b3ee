/**
 * Characters without a glyph carry text that a model reads and a person does not see: tag characters, runs of
 * variation selectors, zero-width and bidirectional controls. https://www.unicode.org/reports/tr36/
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Blank characters that are not default-ignorable: spaces of every width, the empty Braille cell, the musical
 * null notehead. All become the same space, so that their choice carries no data.
 */
const BLANK = /[\p{Zs}\u2800\u{1d159}]/gu;
const PLAIN = /^[ -~\n]*$/;
/**
 * Format characters with a glyph, such as U+06DD.
 * https://www.unicode.org/reports/tr44/#Prepended_Concatenation_Mark
 */
const HAS_GLYPH = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
/**
 * ZWNJ, ZWJ and the text and emoji presentation selectors: kept once, where spelling or an emoji needs them.
 */
const JOINERS = /(?:\u200c|\u200d|\ufe0e|\ufe0f)+/g;

const EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;
const KEYCAP = /[0-9#*]$/;
const ENCLOSING_KEYCAP = '\u20e3';

/**
 * Vowel-suppressing signs; joiners after them select a letter form:
 * https://www.rfc-editor.org/rfc/rfc5892#appendix-A.1
 */
const VIRAMA =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0f84\u1039\u103a\u1714\u17d2\u1a60\u1b44\u1bab\ua806\ua8c4\ua953\ua9c0\uaaf6\uabed\u{11046}\u{1107f}\u{110b9}\u{11133}]$/u;
/** Bengali ya-phalaa after ra: https://www.unicode.org/versions/latest/core-spec/chapter-12/ */
const BENGALI_RA = '\u09b0';
const BENGALI_VIRAMA = '\u09cd';

const CURSIVE = String.raw`[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}]`;
const CURSIVE_BEFORE = new RegExp(String.raw`(?=\p{L})${CURSIVE}\p{Mn}*$`, 'u');
const CURSIVE_AFTER = new RegExp(String.raw`^(?=\p{L})${CURSIVE}`, 'u');
/** Arabic letters that never join the next one: a ZWNJ after them has no visible effect. */
const UNJOINED =
  /[\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef]\p{Mn}*$/u;

/** Longest text before a joiner that decides about it: a letter and its marks. */
const REACH = 12;

/**
 * Text as a person sees it. Removes control characters except line feed and tab, format characters and other
 * default-ignorable ones; every blank becomes a space. A joiner or presentation selector stays where it
 * changes the glyphs around it.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(BLANK, ' ')
    .replaceAll(HIDDEN, (found) => (isKeptForNow(found) ? found : ''))
    .replaceAll(JOINERS, (run, offset: number, whole: string) =>
      neededOf(
        run,
        whole.slice(Math.max(0, offset - REACH), offset),
        whole.slice(offset + run.length, offset + run.length + 2),
      ),
    );
}

/**
 * Resembles a mark of a fence. The slash is grouped, because a long gap would otherwise be scanned
 * repeatedly.
 */
const FENCE_MARK = /<(?=\s*(?:\/\s*)?(?:page|person)\b)/gi;

/**
 * Text of a page for a model: visible, and unable to close a fence or open another (BRG-127, INT-141), or to pass
 * for a person's words (BRG-196).
 */
export const pageText = (text: string): string => visibleText(text).replaceAll(FENCE_MARK, '‹');

/** A value as JSON for a model: escapes would restore invisible characters. */
export const visibleJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? visibleText(each) : each));

const isKeptForNow = (found: string): boolean =>
  found === '\n' || found === '\t' || /(?:\u200c|\u200d|\ufe0e|\ufe0f)/.test(found) || HAS_GLYPH.test(found);

function neededOf(run: string, before: string, after: string): string {
  const selector = /^[\ufe0e-\ufe0f]/.exec(run)?.[0] ?? '';
  if (EMOJI.test(before))
    return selector + (run.includes('\u200d') && PICTOGRAPH.test(after) ? '\u200d' : '');
  if (KEYCAP.test(before)) return after.startsWith(ENCLOSING_KEYCAP) ? selector : '';
  const joiner = /[\u200c-\u200d]/.exec(run)?.[0] ?? '';
  if (VIRAMA.test(before)) return joiner;
  if (before.endsWith(BENGALI_RA) && after.startsWith(BENGALI_VIRAMA)) return joiner;
  const isCursive = CURSIVE_BEFORE.test(before) && CURSIVE_AFTER.test(after) && !UNJOINED.test(before);
  return isCursive && joiner === '\u200c' ? joiner : '';
}
