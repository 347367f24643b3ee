import { isTraversal, parse, type Selector, SelectorType, stringify } from 'css-what';

/** One test of a compound selector: `#find`, `.card`, `[href='/cart']`, or its tag. */
export interface SelectorTest {
  readonly kind: 'tag' | 'id' | 'class' | 'attribute' | 'other';
  readonly source: string;
  readonly name: string;
  readonly value: string;
}

/** The tests of the last compound of each alternative of a selector; none for a selector that is no CSS. */
export function lastTests(selector: string): SelectorTest[][] {
  return parsed(selector).map((alternative) =>
    alternative.slice(alternative.findLastIndex(isTraversal) + 1).map(testOf),
  );
}

/** Without the shadow hosts and frames before the last `>>>`, which is our own combinator. */
function parsed(selector: string): Selector[][] {
  try {
    return parse(selector.split('>>>').at(-1) ?? '');
  } catch {
    return [];
  }
}

function testOf(token: Selector): SelectorTest {
  const source = stringify([[token]]);
  if (token.type === SelectorType.Tag) return { kind: 'tag', source, name: 'tag', value: token.name };
  if (token.type !== SelectorType.Attribute) return { kind: 'other', source, name: '', value: '' };
  const kind = source.startsWith('#') ? 'id' : source.startsWith('.') ? 'class' : 'attribute';
  return { kind, source, name: token.name, value: token.value };
}

/** Selectors that the same element may match after a rebuild, each with a weight. */
export function weakerSelectors(selector: string): { readonly selector: string; readonly worth: number }[] {
  const given = stringify(parsed(selector));
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
    return [...alone, ...elsewhere].filter((one) => one.selector !== given && one.selector !== tag);
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
