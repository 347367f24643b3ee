import { hostOf, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isInput } from '../secrets/secret-field.ts';
import { insideOf } from './deep-query.ts';
import type { LocateScene } from './locator.ts';
import { INTO } from './selector-text.ts';
import { isStable, isWord, NAMING_ATTRIBUTES } from './stable-name.ts';

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
    if (part === undefined) return undefined;
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

function pathWithin(element: Element, root: Root, scene: Scene): string | undefined {
  const isPath = (selector: string) => isOnly(selector, element, root);
  const named = ownSelectors(element, scene);
  const alone = named.find(isPath);
  if (alone !== undefined) return alone;
  const anchor = anchorOf(element, root, scene);
  const classes = classSelectors(element);
  const within = [...named, CSS.escape(element.localName), ...classes].map((own) => anchor + own);
  return [...within, ...classes].find(isPath) ?? stepPath(element, anchor, isPath, scene);
}

/** Selectors that need no other element, the best first: one attribute, then two. */
function ownSelectors(element: Element, scene: Scene): string[] {
  const tag = CSS.escape(element.localName);
  const tests = NAMING_ATTRIBUTES.flatMap((name) => attributeTest(element, name, scene) ?? []);
  // What the radio buttons of one question differ in; alone it says too little.
  const isChoice = isInput(element) && (element.type === 'radio' || element.type === 'checkbox');
  const seconds = isChoice ? [...tests, ...(attributeTest(element, 'value', scene) ?? [])] : tests;
  const pairs = tests.flatMap((one, place) =>
    seconds.slice(place + 1).map((other) => `${tag}${one}${other}`),
  );
  return [...tests.map((test) => (test.startsWith('#') ? test : `${tag}${test}`)), ...pairs];
}

function attributeTest(element: Element, name: string, { clean }: Scene): string[] | undefined {
  const value = element.getAttribute(name);
  if (value === null || !isStable(name, value) || clean(value) !== value) return undefined;
  return [name === 'id' ? `#${CSS.escape(value)}` : `[${name}="${value.replace(/["\\]/g, '\\$&')}"]`];
}

/** Classes that somebody named, each of them enough for a selector. */
function classSelectors({ localName, classList }: Element): string[] {
  const named = [...classList].filter((name) => isWord(name) && !STATE_WORD.test(name));
  return named.map((name) => `${CSS.escape(localName)}.${CSS.escape(name)}`);
}

/** The nearest element around it that is named for itself, as the beginning of a path; empty when there is none. */
function anchorOf(element: Element, root: Root, scene: Scene): string {
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    const around = outer;
    const selector = ownSelectors(around, scene).find((one) => isOnly(one, around, root));
    if (selector !== undefined) return `${selector} `;
  }
  return '';
}

/** Step by step up to the anchor, or to the root: true as long as nothing moves. */
function stepPath(
  element: Element,
  anchor: string,
  isPath: (selector: string) => boolean,
  scene: Scene,
): string | undefined {
  for (const start of new Set([anchor, ''])) {
    let path = '';
    for (let step: Element | null = element; step !== null; step = step.parentElement) {
      path = stepOf(step, scene) + (path && ` > ${path}`);
      if (isPath(start + path)) return start + path;
    }
  }
  return undefined;
}

/** What tells it from its siblings. */
function stepOf(element: Element, scene: Scene): string {
  const tag = CSS.escape(element.localName);
  const siblings = [...(element.parentNode?.children ?? [])];
  const own = [tag, ...ownSelectors(element, scene), ...classSelectors(element)].find(
    (selector) => siblings.filter((one) => one.matches(selector)).length === 1,
  );
  const alike = siblings.filter(({ localName }) => localName === element.localName);
  return own ?? `${tag}:nth-of-type(${alike.indexOf(element) + 1})`;
}

/** Classes that say how an element is just now. */
const STATE_WORD =
  /^(?:is-|has-)?(?:active|open(?:ed)?|closed|selected|checked|disabled|hover|focus(?:ed)?|visible|hidden|current|expanded|collapsed|loading|error|valid|invalid)$/i;

function isOnly(selector: string, element: Element, root: Root): boolean {
  const [only, ...others] = root.querySelectorAll(selector);
  return only === element && others.length === 0;
}
