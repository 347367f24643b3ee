import { isSecretField, type Locator, type Page, PageError } from '@drawbridge/page';
import type { InPageScene } from './scene.ts';

const STAMP = 'data-llm-id';
/** A page can copy a stamp onto as many elements as it likes; each look takes some copies off. */
const MOST_LOOKS = 50;

/** Everything that a selector matches, also in open shadow roots; refused as the page's own search refuses it. */
export function elementsBy(
  selector: string,
  { page, document }: Pick<InPageScene, 'page' | 'document'>,
  frame?: string | readonly string[],
): Element[] {
  page.find({ selector, ...(frame !== undefined && { frame }) });
  const root = [frame ?? []]
    .flat()
    .reduce<Document>((outer, one) => documentIn(outer, one) ?? outer, document);
  const found = searchPath(root, selector);
  return /\[\s*value/i.test(selector) ? found.filter((element) => !isSecretField(element)) : found;
}

/** The element that a locator means, and the id that the page code knows it by. */
export function elementFor(
  locator: Locator,
  scene: Pick<InPageScene, 'page' | 'document'>,
  options: Parameters<Page['elementInfo']>[1] = { auto_scroll: false },
): { readonly id: string; readonly element: Element } {
  const { id } = scene.page.elementInfo(locator, options);
  const element = elementById(id, scene);
  if (element !== undefined) return { id, element };
  throw new PageError(
    'state_mismatch',
    'The element cannot be told from its copies. Look at the page again.',
    {
      reason: 'ambiguous',
      id,
    },
  );
}

/**
 * The element that the page code knows by an id. A stamp is only a hint, as the page can write it: each that
 * is found is shown to the page code, which knows better and puts the true stamp back.
 */
export function elementById(
  id: string,
  { page, document }: Pick<InPageScene, 'page' | 'document'>,
): Element | undefined {
  const stamp = `[${STAMP}="${CSS.escape(id)}"]`;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const stamped = searchEverywhere(document, stamp);
    const [only, ...copies] = stamped;
    if (only === undefined) {
      if (look > 0 || !restamps(() => page.elementInfo({ selector: page.selectorPath(id) }, STILL)))
        return undefined;
      continue;
    }
    if (only.ownerDocument !== document) return copies.length === 0 ? only : undefined;
    if (!restamps(() => page.elementInfo({ selector: stamp }, STILL))) return undefined;
    if (copies.length === 0 && only.getAttribute(STAMP) === id) return only;
  }
  return undefined;
}

const STILL = { auto_scroll: false };

function restamps(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}

/** `a >>> b`: what is inside a shadow host or a frame of our own origin. */
function searchPath(root: Document, selector: string): Element[] {
  const [first = '', ...inner] = selector.split(/\s*>>>\s*/);
  let found = searchRoots(root, first);
  for (const part of inner) {
    found = found.flatMap((element) => {
      const inside = documentOf(element) ?? element.shadowRoot;
      return inside === null ? [] : searchRoots(inside, part);
    });
  }
  return [...new Set(found)];
}

function searchRoots(root: Document | ShadowRoot, selector: string): Element[] {
  return rootsIn(root).flatMap((one) => [...one.querySelectorAll(selector)]);
}

function rootsIn(root: Document | ShadowRoot): (Document | ShadowRoot)[] {
  const inner = [...root.querySelectorAll('*')].flatMap(({ shadowRoot }) =>
    shadowRoot === null ? [] : rootsIn(shadowRoot),
  );
  return [root, ...inner];
}

/** Also in the frames of our own origin. */
function searchEverywhere(root: Document, selector: string): Element[] {
  const frames = searchRoots(root, 'iframe, frame').flatMap((frame) => documentOf(frame) ?? []);
  return [...searchRoots(root, selector), ...frames.flatMap((inside) => searchEverywhere(inside, selector))];
}

const documentIn = (root: Document, selector: string): Document | undefined =>
  searchRoots(root, selector).flatMap((element) => documentOf(element) ?? [])[0];

function documentOf(element: Element): Document | undefined {
  if (!('contentDocument' in element)) return undefined;
  const inside = element.contentDocument;
  return isDocument(inside) ? inside : undefined;
}

// Told by shape: a document in a frame belongs to another realm.
const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && 'nodeType' in value && value.nodeType === 9;

/** What has the focus, through shadow roots and frames of our own origin. */
export function focusedIn(document: Document): Element | undefined {
  let focused = document.activeElement;
  while (focused !== null) {
    const inner: Element | null =
      documentOf(focused)?.activeElement ?? focused.shadowRoot?.activeElement ?? null;
    if (inner === null) break;
    focused = inner;
  }
  const isNothing = focused === null || focused.localName === 'body' || focused.localName === 'html';
  return isNothing ? undefined : (focused ?? undefined);
}
