import { finder } from '@medv/finder';
import { hostOf, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isTickBox } from '../secrets/secret-field.ts';
import { insideOf } from './deep-query.ts';
import type { LocateScene } from './locator.ts';
import { INTO } from './selector-text.ts';
import { isStable, isWord, NAMES, TEST_IDS } from './stable-name.ts';

/** As `LIMITS.selector` of the protocol. */
const MAX_PATH_CHARS = 1_024;

type Scene = Pick<LocateScene, 'document' | 'shadowRootOf' | 'clean'>;
type Root = Document | ShadowRoot;

/**
 * A short selector that matches this element and no other, made of what its author named: test ids, ids,
 * names, labels, roles. Into shadow roots and frames it leads by `>>>`. Undefined for what is in no
 * document, or is only to be described by something secret.
 */
export function selectorPath(element: Element, scene: Scene): string | undefined {
  const parts: string[] = [];
  for (let inner: Element | undefined = element; inner !== undefined; inner = outerOf(inner, scene)) {
    const root = rootOf(inner);
    const part = root === undefined ? undefined : pathWithin(inner, root, scene);
    if (!part) return undefined;
    parts.unshift(part);
  }
  const path = parts.join(` ${INTO} `);
  return path.length <= MAX_PATH_CHARS ? path : undefined;
}

/** The shadow host or frame that an element is inside of. */
function outerOf(element: Element, { document, shadowRootOf }: Scene): Element | undefined {
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

/** By names alone; else from the nearest element around it that has one, by classes, tags and places too. */
function pathWithin(element: Element, root: Root, scene: Scene): string {
  for (let around: Element | null = element; around !== null; around = around.parentElement) {
    const start = namedPath(around, root, scene);
    if (start === '') continue;
    if (around === element) return start;
    const rest = namedPath(element, around, scene) || placedPath(element, around, scene);
    return rest && `${start} ${rest}`;
  }
  return placedPath(element, root, scene);
}

function namedPath(element: Element, place: Root | Element, scene: Scene): string {
  const paths = [TEST_IDS, NAMES].map((names) => find(element, place, names, scene));
  return paths.find((path) => !path.includes(':nth-')) ?? '';
}

function placedPath(element: Element, place: Root | Element, scene: Scene): string {
  // What the answers to one question differ in; in other fields it is what somebody wrote.
  const names = isTickBox(element) ? [...NAMES, 'value'] : NAMES;
  // Deep among others alike there are too many paths to try: then by places alone.
  return find(element, place, names, scene, true) || find(element, place, [], scene);
}

/** With more the search would be felt in a large page: each path is looked for in the whole of it. */
const MOST_TRIED = 500;

/** Empty when none was found: the build makes it so, see `../bundle/lean-libraries.ts`. */
function find(
  element: Element,
  place: Root | Element,
  names: readonly string[],
  { clean }: Scene,
  isLoose = false,
): string {
  const isUsed = (name: string, value: string) =>
    names.includes(name) && isStable(name, value) && clean(value) === value;
  return finder(element, {
    // All that is asked of it is what matches there.
    root: place as Element,
    idName: (id) => isUsed('id', id),
    attr: (name, value) => name !== 'id' && isUsed(name, value),
    className: (name) => isLoose && isWord(name) && !STATE_WORD.test(name),
    tagName: () => isLoose,
    maxNumberOfPathChecks: MOST_TRIED,
  });
}

/** Classes that say how an element is just now. */
const STATE_WORD =
  /^(?:is|has)-|^(?:active|open|closed|selected|checked|disabled|hover|focus(?:ed)?|visible|hidden|current|expanded|collapsed|loading|error|invalid)$/i;
