/** One pass even over unclosed tags: a value has no `<`, and attributes are limited. */
const TAG =
  /<([a-z][a-z0-9-]*)((?:\s+[^\s=<>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s<>"']+))?){0,64})\s*\/?>/gi;
const ATTRIBUTE = /\s([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/g;

/** Most stable first (INT-127): attributes written for tests and accessibility survive layout changes. */
const STEADY = ['data-testid', 'name', 'aria-label', 'href', 'placeholder'] as const;

interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * A unique CSS selector of the element from its attributes (INT-126). Undefined without HTML, or if no
 * attribute is unique.
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
