import type { Fingerprint } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn } from '../perceive/text.ts';
import { inWalk } from '../perceive/walk-cache.ts';
import { currentBatch } from '../watch/touched-nodes.ts';
import { surroundingsOf } from './surroundings.ts';

export type Remembered = Fingerprint;

/** Names of the nodes before and after an index. */
export function neighboursOf(nodes: readonly { readonly n: string }[], index: number): string[] {
  return [nodes[index - 1]?.n ?? '', nodes[index + 1]?.n ?? ''];
}

/** Identity facts of an element. Excludes its position, which would force a layout. */
export type Marks = Pick<Remembered, 'role' | 'name' | 'text' | 'belongs' | 'drawn'>;

export function marksOf(element: Element): Marks {
  const name = nameOf(element);
  return {
    role: inWalk(element, roleOf),
    name,
    ...(name === '' && element.firstElementChild !== null && { drawn: drawnIn(element) }),
    // Lazy: adds nothing where the name is short.
    get text() {
      return cutText(textIn(element, 200), 100);
    },
    belongs: surroundingsOf(element),
  };
}

const MOST_DRAWN = 400;

/** The icon, without what marks a state. */
const drawnIn = ({ innerHTML }: Element): string =>
  innerHTML
    .slice(0, MOST_DRAWN * 4)
    .replace(/ (?:class|style|id|aria-[\w-]+|data-[\w-]+)="[^"]*"/g, '')
    .slice(0, MOST_DRAWN);

/**
 * The element's current fingerprint, to detect later whether it is still the listed one. Names are unmasked
 * and stay in the page: mask them before reporting.
 */
export function asRemembered(element: Element, neighbours: readonly string[]): Remembered {
  const box = element.getBoundingClientRect();
  const view = element.ownerDocument.defaultView;
  return {
    ...marksOf(element),
    box: [box.left + (view?.scrollX ?? 0), box.top + (view?.scrollY ?? 0), box.width, box.height],
    neighbours,
    seenAt: currentBatch(),
  };
}
