import type { Locator } from '../locate/locator.ts';
import { frameScale, innermostOf, insideFrames, type Point } from '../perceive/hit-test.ts';
import { elementFor } from './elements.ts';
import { elementAt } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';

/** The target of a call. */
export type TargetQuery =
  | { readonly id: string }
  | { readonly x: number; readonly y: number }
  | { readonly focused: true }
  | { readonly locator: Locator };

export async function findTarget(query: TargetQuery, context: InPageContext): Promise<Element | undefined> {
  if ('focused' in query) return context.pageInternals.focused() ?? context.document.body;
  if ('x' in query) {
    const hit = insideFrames(elementAt(query, context), query);
    const isHere = hit.ownerDocument === context.document;
    return isHere ? innermostOf(hit, query, context.pageInternals.shadowRootOf) : hit;
  }
  if ('locator' in query) return elementFor(query.locator, context).element;
  return context.pageInternals.elementOf(query.id) ?? (await healed(query.id, context));
}

/** Preparing a press heals an id whose element is gone; the press is released at once. */
async function healed(id: string, context: InPageContext): Promise<Element | undefined> {
  const prepared = await context.page.preparePress(id);
  if (!prepared.ok) return undefined;
  await context.page.confirm(prepared.token);
  return context.pageInternals.elementOf(prepared.id);
}

export const isFrame = (element: Element): boolean => element.matches('iframe, frame, object[data], embed');

/** The middle of a frame, in the coordinates of the asking page code. */
export function middleOfFrame(frame: Element): Point {
  const box = frame.getBoundingClientRect();
  let point = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  let outer = frame.ownerDocument.defaultView?.frameElement;
  while (outer != null) {
    const { left, top, scale } = frameScale(outer);
    point = { x: left + point.x * scale.x, y: top + point.y * scale.y };
    outer = outer.ownerDocument.defaultView?.frameElement;
  }
  return point;
}

/** By node type: objects from a frame are of another realm, where `instanceof` fails. */
export const isElement = (value: unknown): value is Element => nodeTypeOf(value) === 1;

function nodeTypeOf(value: unknown): unknown {
  try {
    return nodeFact(value, 'nodeType');
  } catch {
    return undefined;
  }
}

/** Through the prototype: a field with such a name shadows it in its form. Fails for what is no node. */
export function nodeFact(node: unknown, name: 'nodeType' | 'ownerDocument' | 'isConnected'): unknown {
  return Object.getOwnPropertyDescriptor(Node.prototype, name)?.get?.call(node);
}
