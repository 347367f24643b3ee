import { isElement } from '../perceive/text.ts';
import { knowsSecrets, recall } from '../secrets/scrub.ts';

/** A copy of the tree around an element, with every copy of a secret masked. */
export type ScrubbedCopy = ReturnType<typeof scrubbedCopy>;

/** A selector without an operator, id, class or language tests no value. An escape could hide any of them. */
const ASKS_VALUE = /[=#.\\]|:lang/i;

/**
 * Evaluates selectors that test values on a copy without secrets, so that they cannot confirm a guess.
 * Undefined where the tree repeats no secret, as the tree itself then gives the same answer.
 */
export function copyForSelector(inside: ParentNode, selector: string): ScrubbedCopy | undefined {
  if (!ASKS_VALUE.test(selector) || !knowsSecrets()) return undefined;
  const top = topOf(inside);
  return isDirty(markupOf(top)) ? scrubbedCopy(top) : undefined;
}

/** The same for an XPath, which can test text too. */
export function copyForPath(inside: ParentNode): ScrubbedCopy | undefined {
  if (!knowsSecrets()) return undefined;
  const top = topOf(inside);
  const text = 'documentElement' in top ? top.documentElement.textContent : top.textContent;
  if (!isDirty(markupOf(top)) && !isDirty(text ?? '')) return undefined;
  const copy = scrubbedCopy(top);
  maskTexts(copy.of(top));
  return copy;
}

const isDirty = (text: string): boolean => recall(text) !== text;

type Top = Document | ShadowRoot | Element;

function topOf(inside: ParentNode): Top {
  return trustTop(inside.getRootNode());
}

function trustTop(root: Node): Top {
  return root as Top;
}

function markupOf(top: Top): string {
  if ('documentElement' in top) return top.documentElement.outerHTML;
  return isElement(top) ? top.outerHTML : top.innerHTML;
}

function scrubbedCopy(top: Top) {
  const copied = copyOf(top);
  const originals = new Map<Element, Element>();
  const copies = new Map<ParentNode, ParentNode>([[top, copied]]);
  const own = elementsOf(top);
  const made = elementsOf(copied);
  made.forEach((copy, index) => {
    const original = own[index];
    if (original === undefined) return;
    originals.set(copy, original);
    copies.set(original, copy);
  });
  maskAttributes(made);
  return {
    of: <Inside extends ParentNode>(original: Inside): Inside => trustSame<Inside>(copies.get(original)),
    original: (copy: Element): Element => originals.get(copy) ?? copy,
    /** The selector to use on the copy. */
    selector: (selector: string): string => markStates(selector, top, copies),
  };
}

/** Bisects to the attributes that repeat a secret: checking each takes ten times as long. */
function maskAttributes(elements: readonly Element[]): void {
  const attributes = elements.flatMap((element) => [...element.attributes]);
  const maskIn = (from: number, to: number): void => {
    const values = attributes.slice(from, to).map(({ value }) => value);
    if (!isDirty(values.join('\n'))) return;
    const [attribute] = attributes.slice(from, to);
    if (to - from === 1 && attribute !== undefined) attribute.value = recall(attribute.value);
    else if (to - from > 1) {
      const middle = (from + to) >> 1;
      maskIn(from, middle);
      maskIn(middle, to);
    }
  };
  maskIn(0, attributes.length);
}

function elementsOf(top: ParentNode): Element[] {
  const inside = [...top.querySelectorAll('*')];
  return isElement(top) ? [top, ...inside] : inside;
}

/** Uses a document without a window: nothing loads, and no script or custom element runs. */
function copyOf(top: Top): ParentNode {
  const { implementation } = 'documentElement' in top ? top : top.ownerDocument;
  const inert = implementation.createHTMLDocument('');
  if ('documentElement' in top) {
    inert.replaceChild(inert.importNode(top.documentElement, true), inert.documentElement);
    return inert;
  }
  if (isElement(top)) return inert.importNode(top, true);
  const fragment = inert.createDocumentFragment();
  for (const child of top.childNodes) fragment.append(inert.importNode(child, true));
  return fragment;
}

const STRUCTURAL = /^(?:root|scope|empty|(?:first|last|only)-(?:child|of-type))$/i;
const STATE = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.)|(?<!:):([a-z-]+)(?![\w(-])/gis;

/** States such as `:focus` and `:checked` exist only on the page: their elements are marked in the copy. */
function markStates(selector: string, top: ParentNode, copies: ReadonlyMap<ParentNode, ParentNode>): string {
  return selector.replace(STATE, (whole: string, quoted: string | undefined, state: string = '') => {
    if (quoted !== undefined || STRUCTURAL.test(state)) return whole;
    const mark = `drawbridge-is-${state.toLowerCase()}`;
    for (const element of top.querySelectorAll(`:${state}`)) {
      const copy = copies.get(element);
      if (copy !== undefined && isElement(copy)) copy.setAttribute(mark, '');
    }
    return `[${mark}]`;
  });
}

/** From the innermost out, as a secret may span elements. */
function maskTexts(top: ParentNode): void {
  for (const element of elementsOf(top).reverse()) {
    const text = element.textContent ?? '';
    const masked = recall(text);
    if (masked === text) continue;
    const nodes = textNodesIn(element);
    nodes.forEach((node, index) => {
      node.data = index === 0 ? masked : '';
    });
  }
}

function textNodesIn(element: Element): CharacterData[] {
  const walker = element.ownerDocument.createTreeWalker(element, 4);
  const found: CharacterData[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) found.push(trustText(node));
  return found;
}

// Trusted: a tree walker for texts returns texts, and a copy has the type of its original.

function trustText(node: Node): CharacterData {
  return node as CharacterData;
}

function trustSame<Same>(copy: unknown): Same {
  return copy as Same;
}
