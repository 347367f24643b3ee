/** A page that opens tag after tag and closes none is read in one pass: a value holds no `<`, a tag so many attributes. */
const TAG =
  /<([a-z][a-z0-9-]*)((?:\s+[^\s=<>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))?){0,64})\s*\/?>/gi;
const ATTRIBUTE = /\s([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g;

/** The steadiest first (INT-127): what people who test and serve a page wrote does not move with its layout. */
const STEADY = ['data-testid', 'name', 'aria-label', 'href', 'placeholder'] as const;

interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * A CSS selector of the element with this id, made from what the page said of itself and unique in it (INT-126).
 * Undefined without HTML, and where no attribute tells the element from all others.
 */
export function selectorPathOf(html: string | undefined, id: string): string | undefined {
  if (html === undefined) return undefined;
  const elements = [...html.matchAll(TAG)].map(elementOf);
  const wanted = elements.find(
    ({ attributes }) => (attributes.get('data-llm-id') ?? attributes.get('id')) === id,
  );
  if (wanted === undefined) return undefined;
  for (const name of STEADY) {
    const value = wanted.attributes.get(name);
    if (value === undefined || value === '') continue;
    const alike = elements.filter(
      ({ tag, attributes }) => tag === wanted.tag && attributes.get(name) === value,
    );
    if (alike.length === 1) return `${wanted.tag}[${name}=${cssString(value)}]`;
  }
  return undefined;
}

function elementOf([, tag = '', attributes = '']: RegExpExecArray): Element {
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
    ([, name = '', double, single, bare]): [string, string] => [
      name.toLowerCase(),
      decoded(double ?? single ?? bare ?? ''),
    ],
  );
  return { tag: tag.toLowerCase(), attributes: new Map(pairs) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" };

const decoded = (text: string): string =>
  text.replaceAll(/&(amp|quot|lt|gt|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** https://drafts.csswg.org/cssom/#serialize-a-string */
const cssString = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll(/\p{Cc}/gu, (char) => `\\${char.charCodeAt(0).toString(16)} `)}"`;
