/** The text of a selector taken apart, as far as it must be to know what it asks: https://www.w3.org/TR/selectors-4/#grammar */

/** `[name operator value]`, or only `[name]`. */
export interface AttributeTest {
  readonly name: string;
  readonly operator?: string;
  readonly value?: string;
}

/** What stands between two combinators. */
export interface Compound {
  /** The type selector, empty without one. */
  readonly tag: string;
  readonly attributes: readonly AttributeTest[];
  /** What the selector matches, and not only something beside, around or in it. */
  readonly isSubject: boolean;
}

/** `a >>> b`: what `b` finds inside `a`, in its shadow root or, when it is a frame, in its document. */
export const INTO = '>>>';

/** Parts of a path into shadow roots and frames; a `>>>` inside a string is none. */
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
  for (const { kind, text } of tokensOf(selector)) {
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

/** In this order: a comment, an attribute test with its strings, a bracket, a combinator, anything else. */
const TOKEN =
  /(?<comment>\/\*[^]*?\*\/)|(?<attribute>\[(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\\[^]|[^\]"'\\])*\]?)|(?<open>\()|(?<close>\))|(?<comma>\s*,\s*)|(?<break>\s*>>>\s*|\s*[>+~]\s*|\s+)|(?<name>(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\\[^]|[^\s>+~,()[\]])+|.)/gu;

function tokensOf(selector: string): Token[] {
  const kinds = ['attribute', 'open', 'close', 'comma', 'break', 'name'] as const;
  return [...selector.matchAll(TOKEN)].flatMap((match) => {
    const kind = kinds.find((one) => match.groups?.[one] !== undefined);
    return kind === undefined ? [] : { kind, text: match[0], at: match.index };
  });
}

function tagIn(text: string): string {
  return unescape(/^(?:\\[^]|[^#.:\\])*/u.exec(text)?.[0] ?? '').toLowerCase();
}

const TEST = /^\[\s*(?:[^|=\]]*\|(?!=))?((?:\\[0-9a-f]{1,6}\s?|\\[^]|[^\s~|^$*=\]\\])+)\s*(?:([~|^$*]?=)\s*([^]*?))?\s*\]?$/iu;
const TEST_VALUE = /^(?:"([^]*?)"|'([^]*?)'|([^\s]*))(?:\s+[is])?$/iu;

/** A test that cannot be read has no name: the browser refuses such a selector itself. */
function readTest(text: string): AttributeTest {
  const [, name = '', operator, value] = TEST.exec(text) ?? [];
  const tidyName = unescape(name).trim().toLowerCase();
  if (operator === undefined) return { name: tidyName };
  const [, double, single, bare = ''] = TEST_VALUE.exec(value ?? '') ?? [];
  return { name: tidyName, operator, value: unescape(double ?? single ?? bare) };
}

/** https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point: `\76 alue` is `value`. */
function unescape(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([^]))/giu, (_, hex: string | undefined, other: string) =>
    hex === undefined ? other : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff)),
  );
}
