import { finder } from '@medv/finder';
import { hostOf, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isInput } from '../secrets/secret-field.ts';
import { insideOf } from './deep-query.ts';
import type { LocateScene } from './locator.ts';
import { INTO } from './selector-text.ts';
import { isStable, isWord, NAMING_ATTRIBUTES } from './stable-name.ts';

/** As `LIMITS.selector` of the protocol. */
const MAX_PATH_CHARS = 1_024;
/** The generator tries every combination of levels: beyond this it is slower than it is good. */
const MAX_LEVELS = 5;
const MAX_CHECKS = 400;

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
  const own = ownSelectors(element, scene).find((selector) => isOnly(selector, element, root));
  if (own !== undefined) return own;
  const tries = [() => pathFromAnchor(element, root, scene), () => stepPath(element, root)];
  for (const attempt of tries) {
    const path = attempt();
    if (path !== undefined && isOnly(path, element, root)) return path;
  }
  return undefined;
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

/** From the nearest element around it that is named for itself. */
function pathFromAnchor(element: Element, root: Root, scene: Scene): string | undefined {
  const { anchor, selector, levels } = anchorOf(element, root, scene);
  if (selector !== undefined) {
    const within = [...ownSelectors(element, scene), CSS.escape(element.localName)].map(
      (own) => `${selector} ${own}`,
    );
    const named = within.find((path) => isOnly(path, element, root));
    if (named !== undefined) return named;
  }
  if (levels > MAX_LEVELS) return undefined;
  const path = generated(element, anchor ?? root, scene);
  return path === undefined || selector === undefined ? path : `${selector} ${path}`;
}

function generated(element: Element, root: Element | Root, { clean }: Scene): string | undefined {
  try {
    return finder(element, {
      // It only ever asks its root for `querySelectorAll`.
      root: root as Element,
      idName: isWord,
      className: (name) => isWord(name) && !STATE_WORD.test(name),
      attr: (name, value) =>
        NAMING_ATTRIBUTES.some((one) => one === name) && isStable(name, value) && clean(value) === value,
      maxNumberOfPathChecks: MAX_CHECKS,
    });
  } catch {
    return undefined;
  }
}

interface Anchor {
  readonly anchor: Element | undefined;
  readonly selector?: string;
  /** How far up it is. */
  readonly levels: number;
}

function anchorOf(element: Element, root: Root, scene: Scene): Anchor {
  let levels = 1;
  for (let outer = element.parentElement; outer !== null; outer = outer.parentElement) {
    const around = outer;
    const selector = ownSelectors(around, scene).find((one) => isOnly(one, around, root));
    if (selector !== undefined) return { anchor: around, selector, levels };
    levels++;
  }
  return { anchor: undefined, levels };
}

/** Step by step from the nearest anchor: true as long as nothing moves. */
function stepPath(element: Element, root: Root): string | undefined {
  const steps: string[] = [];
  for (let step: Element | null = element; step !== null; step = step.parentElement) {
    steps.unshift(step.id !== '' && isWord(step.id) ? `#${CSS.escape(step.id)}` : nthOfType(step));
    const path = steps.join(' > ');
    if (isOnly(path, element, root)) return path;
  }
  return undefined;
}

function nthOfType(element: Element): string {
  const tag = element.localName;
  const alike = [...(element.parentNode?.children ?? [])].filter((one) => one.localName === tag);
  return alike.length === 1
    ? CSS.escape(tag)
    : `${CSS.escape(tag)}:nth-of-type(${alike.indexOf(element) + 1})`;
}

/** Classes that say how an element is just now. */
const STATE_WORD =
  /^(?:is-|has-)?(?:active|open|opened|closed|selected|checked|disabled|hover|focus|focused|visible|hidden|current|expanded|collapsed|loading|error|valid|invalid)$/i;

function isOnly(selector: string, element: Element, root: Root): boolean {
  const [only, ...others] = root.querySelectorAll(selector);
  return only === element && others.length === 0;
}
