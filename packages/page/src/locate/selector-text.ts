/** Parses a selector as far as needed to know what it tests: https://www.w3.org/TR/selectors-4/#grammar */

/** `[name operator value]`, or only `[name]`. */
export interface AttributeTest {
  readonly name: string;
  readonly operator?: string;
  readonly value?: string;
}

/** The part between two combinators. */
export interface Compound {
  /** The type selector, empty without one. */
  readonly tag: string;
  readonly attributes: readonly AttributeTest[];
  /** Part of the match itself, rather than of an ancestor, sibling or descendant. */
  readonly isSubject: boolean;
}

/** `a >>> b`: matches of `b` inside `a`, in its shadow root or frame document. */
export const INTO = '>>>';

/** Splits a path into shadow roots and frames, except at a `>>>` inside a string. */
export function splitPath(selector: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { text, at } of tokensOf(selector)) {
    if (text.trim() !== INTO) continue;
    parts.push(selector.slice(from, at));
    from = at + text.length;
  }
  return [...parts, selector.slice(from)];
}

export function compoundsOf(selector: string): Compound[] {
  const compounds: { tag: string; attributes: AttributeTest[]; depth: number; isSubject: boolean }[] = [];
  let depth = 0;
  let current: (typeof compounds)[number] | undefined;
  const endComplex = () => {
    const last = compounds.findLast((compound) => compound.depth === 0);
    if (last !== undefined && depth === 0) last.isSubject = true;
  };
  for (const { kind, text } of tokensOf(withoutComments(selector))) {
    if (kind === 'open' || kind === 'close') depth += kind === 'open' ? 1 : -1;
    if (kind === 'comma') endComplex();
    if (kind === 'attribute' || kind === 'name') {
      if (current === undefined) {
        current = { tag: kind === 'name' ? tagIn(text) : '', attributes: [], depth, isSubject: false };
        compounds.push(current);
      }
      if (kind === 'attribute') current.attributes.push(readTest(text));
    } else current = undefined;
  }
  endComplex();
  return compounds;
}

interface Token {
  readonly kind: 'name' | 'attribute' | 'break' | 'comma' | 'open' | 'close';
  readonly text: string;
  readonly at: number;
}

const STRING = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;

/** In order: an attribute test with its strings, a bracket, a combinator, anything else. */
const TOKEN = new RegExp(
  [
    String.raw`(?<attribute>\[(?:${STRING}|\\.|[^\]"'\\])*\]?)`,
    String.raw`(?<open>\()|(?<close>\))`,
    String.raw`(?<comma>\s*,\s*)`,
    String.raw`(?<break>\s*>>>\s*|\s*[>+~]\s*|\s+)`,
    String.raw`(?<name>(?:${STRING}|\\.|[^\s>+~,()[\]])+|.)`,
  ].join('|'),
  'gsu',
);

// Removes comments, which could hide a test that the browser reads: `[value/**/^=a]`.
const COMMENT = new RegExp(String.raw`(?<kept>${STRING}|\\.)|/\*.*?(?:\*/|$)`, 'gsu');

const withoutComments = (selector: string): string => selector.replace(COMMENT, '$<kept>');

function tokensOf(selector: string): Token[] {
  const kinds = ['attribute', 'open', 'close', 'comma', 'break', 'name'] as const;
  return [...selector.matchAll(TOKEN)].flatMap((match) => {
    const kind = kinds.find((one) => match.groups?.[one] !== undefined);
    return kind === undefined ? [] : { kind, text: match[0], at: match.index };
  });
}

function tagIn(text: string): string {
  return decoded(/^(?:\\.|[^#.:\\])*/su.exec(text)?.[0] ?? '').toLowerCase();
}

const TEST =
  /^\[\s*(?:[^|=\]]*\|(?!=))?((?:\\[0-9a-f]{1,6}\s?|\\.|[^\s~|^$*=\]\\])+)\s*(?:([~|^$*]?=)\s*(.*?))?\s*\]?$/isu;
const TEST_VALUE = /^(?:"(.*?)"|'(.*?)'|([^\s]*))(?:\s+[is])?$/isu;

/** An unreadable test may be any: it gets no name, and an operator. */
function readTest(text: string): AttributeTest {
  const [, name = '', operator, value] = TEST.exec(text) ?? ['', '', '?'];
  const tidyName = decoded(name).trim().toLowerCase();
  if (operator === undefined) return { name: tidyName };
  const [, double, single, bare = ''] = TEST_VALUE.exec(value ?? '') ?? [];
  return { name: tidyName, operator, value: decoded(double ?? single ?? bare) };
}

/** https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point: `\76 alue` is `value`. */
function decoded(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gisu, (_, hex: string | undefined, other: string) =>
    hex === undefined ? other : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
  );
}
