import { queryDeep } from '../locate/deep-query.ts';
import { type Origin, originOf } from '../locate/frame-origin.ts';
import type { LocateContext } from '../locate/locator.ts';
import { frameDocument, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isText } from '../perceive/text.ts';
import { knowsSecrets } from '../secrets/scrub.ts';
import { isFilled, isSecretField } from '../secrets/secret-field.ts';

/** A rectangle in the page's viewport to mask in a screenshot. */
export interface SecretBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const FIELDS = 'input, textarea, select, [contenteditable]';

/** Filled secret fields in view, and every line of text that repeats a secret. */
export function secretBoxes(context: LocateContext): SecretBox[] {
  const { innerWidth = 0, innerHeight = 0 } = context.document.defaultView ?? {};
  return boxesIn(context.document, context).filter(
    ({ x, y, width, height }) =>
      width > 0 && height > 0 && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0,
  );
}

function boxesIn(document: Document, context: LocateContext): SecretBox[] {
  const { shadowRootOf } = context;
  const fields = queryDeep(document, FIELDS, { shadowRootOf }).filter(
    (field) => isSecretField(field) && isFilled(field),
  );
  const origin = originOf(document.documentElement, context.document);
  const own = [...fields.map((field) => field.getBoundingClientRect()), ...echoes(document, context)];
  const frames = queryDeep(document, 'iframe, frame', { shadowRootOf }).flatMap(
    (frame) => frameDocument(frame) ?? [],
  );
  return [
    ...own.map((rect) => placed(rect, origin)),
    ...frames.flatMap((inside) => boxesIn(inside, context)),
  ];
}

/** Texts, and values of other fields, that repeat the content of a secret field. */
function echoes(document: Document, { cleaner, shadowRootOf }: LocateContext): DOMRect[] {
  const clean = cleaner();
  if (!knowsSecrets()) return [];
  const roots = [document.documentElement, ...shadowRootsIn(document, shadowRootOf)];
  const isDirty = (text: string) => clean(text) !== text;
  const lines = roots
    .flatMap((root) => textsIn(root).filter((text) => isDirty(text.data) && !isInSecret(text)))
    .flatMap(rectsOf);
  const isDirtyField = (field: Element): boolean =>
    isDirty(field.getAttribute('placeholder') ?? '') ||
    (!isSecretField(field) && 'value' in field && typeof field.value === 'string' && isDirty(field.value));
  const fields = queryDeep(document, FIELDS, { shadowRootOf }).filter(isDirtyField);
  const decorated = queryDeep(document, '*', { shadowRootOf }).filter((element) =>
    isDirty(['::before', '::after', '::marker'].map((pseudo) => generatedText(element, pseudo)).join(' ')),
  );
  return [...lines, ...[...fields, ...decorated].map((element) => element.getBoundingClientRect())];
}

/** Generated text of a pseudo-element, with `attr()` and counters resolved. */
function generatedText(element: Element, pseudo: string): string {
  const { content } = getComputedStyle(element, pseudo);
  if (content === 'none' || content === 'normal') return '';
  return content
    .replace(/attr\(([\w-]+)[^)]*\)/g, (_, name: string) => element.getAttribute(name) ?? '')
    .replaceAll('"', '');
}

/** Already covered with the whole field. */
function isInSecret(text: Text): boolean {
  const editable = text.parentElement?.closest('[contenteditable]');
  return editable != null && isSecretField(editable);
}

function shadowRootsIn(root: ParentNode, shadowRootOf: ShadowRootOf): ShadowRoot[] {
  return queryDeep(root, '*', { shadowRootOf }).flatMap((element) => shadowRootOf(element) ?? []);
}

function textsIn(root: Element | ShadowRoot): Text[] {
  const walker = root.ownerDocument.createTreeWalker(root, 4);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (isText(node)) texts.push(node);
  return texts;
}

function rectsOf(text: Text): DOMRect[] {
  const range = text.ownerDocument.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()];
}

function placed({ left, top, width, height }: DOMRect, origin: Origin): SecretBox {
  return { x: left + origin.left, y: top + origin.top, width, height };
}
