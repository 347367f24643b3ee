import type { CdpSession } from './cdp.ts';
import type { Tab } from './chromium.ts';
import type { Pressable } from './oracle.ts';

/** Share of the pressable elements that a listing names. */
export interface Recall {
  readonly found: number;
  readonly of: number;
  /** Elements that a listing names, and those of them that are not pressable by the oracle's rules. */
  readonly listed: number;
  readonly extra: number;
  readonly missed: readonly Pressable[];
}

const PRESSABLE = 'data-bench-pressable';

/** Attribute with the index of the pressable that an element represents: readable from any world. */
export const STANDS_FOR = 'data-bench-stands-for';

/** Marks the page after all measurements on it. */
export async function markPressables({ session, evaluate }: Tab, all: readonly Pressable[]): Promise<void> {
  await Promise.all(all.map(({ backendNodeId }, index) => mark(session, backendNodeId, String(index))));
  await evaluate(`(${MARK_STANDING})(${JSON.stringify(PRESSABLE)}, ${JSON.stringify(STANDS_FOR)})`);
}

async function mark(session: CdpSession, backendNodeId: number, place: string): Promise<void> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId });
  if (object.objectId === undefined) return;
  await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: 'function (name, place) { this.setAttribute(name, place); }',
    arguments: [{ value: PRESSABLE }, { value: place }],
  });
}

/** Marks of an array of elements. */
export function marksOf(elements: string): string {
  return `${elements}.map((element) => element?.getAttribute(${JSON.stringify(STANDS_FOR)}) ?? '')`;
}

/** `marks` belong to the elements that a listing names. */
export function recallFrom(all: readonly Pressable[], marks: readonly string[]): Recall {
  const found = new Set(marks.filter((each) => each !== ''));
  return {
    found: found.size,
    of: all.length,
    listed: marks.length,
    extra: marks.filter((each) => each === '').length,
    missed: all.filter((_, index) => !found.has(String(index))),
  };
}

/**
 * An element represents the pressable that it is or is inside of, its label's or field's, or the only one
 * inside it.
 */
const MARK_STANDING = `(pressable, standsFor) => {
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null;
  const around = (element) => {
    for (let node = element; node; node = parentOf(node)) if (node.hasAttribute(pressable)) return node;
  };
  const oneOf = (element) => {
    const own = around(element);
    if (own) return own;
    const other = element.control ?? element.labels?.[0];
    if (other?.hasAttribute(pressable)) return other;
    const inside = element.querySelectorAll('[' + pressable + ']');
    return inside.length === 1 ? inside[0] : undefined;
  };
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const one = oneOf(element);
      if (one) element.setAttribute(standsFor, one.getAttribute(pressable));
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
}`;
