/** Text that a style sheet draws by `content`: strings, quotes, and the symbols of the page's own counters. */
export function generatedText(content: string, quotes: string, document: Document): string {
  const marks = /(?:open|close)-quote/.test(content) ? quoted(quotes) : '';
  const counters = [...content.matchAll(/counters?\([^)]*,\s*([\w-]+)\s*\)/g)];
  return `${quoted(content)}${marks}${counters.map(([, style = '']) => counterText(style, document)).join('')}`;
}

/** The strings of a CSS value. */
export const quoted = (value: string): string =>
  [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text).join('');

/** https://drafts.csswg.org/css-counter-styles-3/#the-csscounterstylerule-interface */
const DRAWN = ['prefix', 'symbols', 'additiveSymbols', 'suffix'];

/** Text of a counter style of the page; empty for a style of the browser. */
export function counterText(name: string, document: Document): string {
  if (!/^[\w-]+$/.test(name) || BUILT_IN.has(name)) return '';
  return [...document.styleSheets, ...document.adoptedStyleSheets]
    .flatMap(rulesOf)
    .filter((rule) => rule.constructor.name === 'CSSCounterStyleRule' && Reflect.get(rule, 'name') === name)
    .map((rule) => DRAWN.map((part) => plain(String(Reflect.get(rule, part) ?? ''))).join(' '))
    .join(' ');
}

const BUILT_IN: ReadonlySet<string> = new Set('none disc circle square decimal normal'.split(' '));

const plain = (value: string): string => value.replaceAll(/["']/g, '');

/** Rules of a sheet of another origin are unreadable. */
function rulesOf(sheet: CSSStyleSheet): readonly CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}
