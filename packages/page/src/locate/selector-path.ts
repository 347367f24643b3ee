import { finder } from '@medv/finder';
import { hostOf, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isTickBox } from '../secrets/secret-field.ts';
import { insideOf } from './deep-query.ts';
import type { LocateContext } from './locator.ts';
import { INTO } from './selector-text.ts';
import { isStable, isWord, NAMES, TEST_IDS } from './stable-name.ts';

/** Equals `LIMITS.selector` of the protocol. */
const MAX_PATH_CHARS = 1_024;

type PathContext = Pick<LocateContext, 'document' | 'shadowRootOf' | 'clean'>;
type Root = Document | ShadowRoot;

/**
 * A short selector that matches this element only, made from its author's names: test ids, ids, names,
 * labels, roles. Enters shadow roots and frames by `>>>`. Undefined for a detached element, or one that only
 * a secret would describe.
 */
export function selectorPath(element: Element, context: PathContext): string | undefined {
  const parts: string[] = [];
  for (let inner: Element | undefined = element; inner !== undefined; inner = outerOf(inner, context)) {
    const root = rootOf(inner);
    const part = root === undefined ? undefined : pathWithin(inner, root, context);
    if (!part) return undefined;
    parts.unshift(part);
  }
  const path = parts.join(` ${INTO} `);
  return path.length <= MAX_PATH_CHARS ? path : undefined;
}

/** The shadow host or frame around an element. */
function outerOf(element: Element, { document, shadowRootOf }: PathContext): Element | undefined {
  const host = hostOf(element);
  if (host !== undefined) return isInside(element, host, shadowRootOf) ? host : undefined;
  if (element.ownerDocument === document) return undefined;
  return element.ownerDocument.defaultView?.frameElement ?? undefined;
}

function isInside(element: Element, host: Element, shadowRootOf: ShadowRootOf): boolean {
  return insideOf(host, shadowRootOf) === element.getRootNode();
}

function rootOf(element: Element): Root | undefined {
  const root = element.getRootNode();
  return element.isConnected && 'querySelectorAll' in root ? (root as Root) : undefined;
}

/** By names alone; else from the nearest named ancestor, with classes, tags and positions. */
function pathWithin(element: Element, root: Root, context: PathContext): string {
  for (let around: Element | null = element; around !== null; around = around.parentElement) {
    const start = namedPath(around, root, context);
    if (start === '') continue;
    if (around === element) return start;
    const rest = namedPath(element, around, context) || placedPath(element, around, context);
    return rest && `${start} ${rest}`;
  }
  return placedPath(element, root, context);
}

function namedPath(element: Element, place: Root | Element, context: PathContext): string {
  const paths = [TEST_IDS, NAMES].map((names) => find(element, place, names, context));
  return paths.find((path) => path !== 'html' && !path.includes(':nth-')) ?? '';
}

function placedPath(element: Element, place: Root | Element, context: PathContext): string {
  // The value distinguishes radio buttons and checkboxes; in other fields it is typed text.
  const names = isTickBox(element) ? [...NAMES, 'value'] : NAMES;
  return find(element, place, names, context, true) || positionPath(element, place);
}

/** Positions alone, where the library fails: it does not escape tags such as `<o:p>`. */
function positionPath(element: Element, place: Root | Element): string {
  const steps: string[] = [];
  for (let at = element; at !== place; at = at.parentElement) {
    steps.unshift(`:nth-child(${[...(at.parentNode?.children ?? [])].indexOf(at) + 1})`);
    if (at.parentElement === null) break;
  }
  const path = steps.join(' > ');
  return place.querySelectorAll(path).length === 1 ? path : '';
}

/** Each path is tried on the whole page, so more would be noticeable on a large one. */
const MOST_TRIED = 500;

/** Empty when the library finds none. */
function find(
  element: Element,
  place: Root | Element,
  names: readonly string[],
  { clean }: PathContext,
  isLoose = false,
): string {
  const isUsed = (name: string, value: string) =>
    names.includes(name) && isStable(name, value) && clean(value) === value;
  try {
    const path = finder(element, {
      // The library only queries it.
      root: place as Element,
      idName: (id) => isUsed('id', id),
      attr: (name, value) => name !== 'id' && isUsed(name, value),
      className: (name) => isLoose && isWord(name) && !STATE_WORD.test(name),
      tagName: () => isLoose,
      maxNumberOfPathChecks: MOST_TRIED,
    });
    return path.replace(/="((?:[^"\\]|\\.)*)"/g, (_, value: string) => `=${plainString(value)}`);
  } catch {
    return '';
  }
}

/** `"Add to cart"` for the library's `"Add\ to\ cart"`, which escapes strings like names. */
function plainString(escaped: string): string {
  const plain = escaped.replace(/\\(?:([0-9a-f]{1,6}) |(.))/g, (_, code: string | undefined, sign: string) =>
    code === undefined ? sign : String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return /\p{Cc}/u.test(plain) ? `"${escaped}"` : JSON.stringify(plain);
}

/** Classes for temporary states. */
const STATE_WORD =
  /^(?:is|has)-|^(?:active|open|closed|selected|checked|disabled|hover|focus(?:ed)?|visible|hidden|current|expanded|collapsed|loading|error|invalid)$/i;
