import { parentPort, workerData } from 'node:worker_threads';
import { createPerception } from '@drawbridge/page';
import { parseHTML } from 'linkedom';

/**
 * Runs the page code over a DOM without layout, on a separate thread: it keeps secrets that it saw in memory,
 * and its run time depends on the page. Attributes replace facts that only a browser knows.
 */
const { document, Element } = parseHTML(parseText(workerData));

const styleOf = (element: Styled, name: string): string => element.style?.getPropertyValue(name) ?? '';

const isShown = (element: Styled): boolean => {
  if (styleOf(element, 'visibility') === 'hidden') return false;
  for (let at: Styled | null = element; at !== null; at = at.parentElement) {
    if (at.hasAttribute('hidden') || styleOf(at, 'display') === 'none') return false;
  }
  return true;
};

Object.assign(globalThis, {
  location: { origin: 'null' },
  getComputedStyle: (element: Styled) => ({
    display: styleOf(element, 'display') || 'block',
    visibility: styleOf(element, 'visibility') || 'visible',
    content: 'normal',
    getPropertyValue: (name: string) => styleOf(element, name),
  }),
});
Object.defineProperty(Element.prototype, 'checkVisibility', {
  value(this: Styled) {
    return isShown(this);
  },
});

const registry = {
  // INT-119: an element is named by an id that the client gave it, or not at all.
  idOf: (element: Styled) =>
    ['data-llm-id', 'data-id', 'id'].map((name) => element.getAttribute(name)).find((id) => id) ?? '',
  knownIdOf: () => undefined,
  reassign: () => {},
  recentlySeen: () => [],
  elementOf: () => undefined,
  frameNumberOf: () => 0,
  fingerprintOf: () => undefined,
  isAlone: () => false,
  remember: () => {},
  close: () => {},
};
parentPort?.postMessage(createPerception({ document: trustDocument(document), registry }).skeleton());

interface Styled {
  readonly style?: { getPropertyValue(name: string): string | undefined };
  readonly parentElement: Styled | null;
  hasAttribute(name: string): boolean;
  getAttribute(name: string): string | null;
}

/** A page fragment has several roots, a document one. */
function parseText(value: unknown): string {
  const html = String(value);
  return /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
}

/** linkedom implements everything that the skeleton needs of a document; its types claim less. */
function trustDocument(value: unknown) {
  return value as Parameters<typeof createPerception>[0]['document'];
}
