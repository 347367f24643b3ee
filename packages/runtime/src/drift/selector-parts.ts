/** One test of a compound selector: `#find`, `.card`, `[href='/cart']`, or its tag. */
export interface SelectorTest {
  readonly kind: 'tag' | 'id' | 'class' | 'attribute' | 'other';
  readonly source: string;
  readonly name: string;
  readonly value: string;
}

const TEST =
  /#(?<id>[\w-]+)|\.(?<class>[\w-]+)|\[\s*(?<attribute>[\w-]+)\s*(?:[~^$*|]?=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\]\s]+)))?[^\]]*\]|:[\w-]+(?:\([^)]*\))?|(?<tag>[a-z][\w-]*)/gi;

/** The tests of the last compound of each alternative of a selector. */
export function lastTests(selector: string): SelectorTest[][] {
  return splitAt(selector, /,/).map((alternative) => {
    const last = splitAt(alternative, /[\s>+~]/).at(-1) ?? '';
    return [...last.matchAll(TEST)].map(({ 0: source, groups = {} }) => {
      const { id, tag, attribute, double, single, bare } = groups;
      if (id !== undefined) return { kind: 'id', source, name: 'id', value: id };
      if (groups['class'] !== undefined)
        return { kind: 'class', source, name: 'class', value: groups['class'] };
      if (attribute !== undefined)
        return { kind: 'attribute', source, name: attribute, value: double ?? single ?? bare ?? '' };
      if (tag !== undefined) return { kind: 'tag', source, name: 'tag', value: tag };
      return { kind: 'other', source, name: '', value: '' };
    });
  });
}

/** Splits at separators outside of brackets and quotes. */
function splitAt(text: string, sign: RegExp): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const character of text.trim()) {
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[' || character === '(') depth++;
    else if (character === ']' || character === ')') depth--;
    if (depth === 0 && quote === '' && sign.test(character)) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Selectors that the same element may match after a rebuild, each with a weight. */
export function weakerSelectors(selector: string): { readonly selector: string; readonly worth: number }[] {
  return lastTests(selector).flatMap((tests) => {
    const tag = tests.find(({ kind }) => kind === 'tag')?.source ?? '';
    const named = tests.filter(({ kind }) => kind === 'id' || kind === 'attribute');
    const classes = tests.filter(({ kind }) => kind === 'class').map(({ source }) => source);
    const alone = [
      { selector: tests.map(({ source }) => source).join(''), worth: 0.7 },
      ...named.map(({ source }) => ({ selector: `${tag}${source}`, worth: 0.6 })),
      ...(classes.length > 0 ? [{ selector: `${tag}${classes.join('')}`, worth: 0.45 }] : []),
    ];
    const elsewhere = named.flatMap(({ name, value }) => movedTo(name, value));
    return [...alone, ...elsewhere].filter((one) => one.selector !== selector && one.selector !== tag);
  });
}

const NAMING = ['data-testid', 'data-test', 'data-test-id', 'data-cy', 'data-qa', 'id', 'name'];
const MIN_VALUE_CHARS = 3;

/** A test id that became an id, or the other way round. */
function movedTo(name: string, value: string): { readonly selector: string; readonly worth: number }[] {
  if (!NAMING.includes(name) || value.length < MIN_VALUE_CHARS) return [];
  const quoted = `"${value.replace(/["\\]/g, '\\$&')}"`;
  return NAMING.filter((other) => other !== name).map((other) => ({
    selector: `[${other}=${quoted}]`,
    worth: 0.55,
  }));
}

/** Author's words in a selector: `add-to-cart` of `[data-testid='add-to-cart']`. */
export function wordsOfSelector(selector: string): string {
  const tests = lastTests(selector).flat();
  return tests
    .filter(({ kind }) => kind === 'id' || kind === 'class' || kind === 'attribute')
    .map(({ value }) => value)
    .join(' ');
}
