import type { Fingerprint } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn } from '../perceive/text.ts';
import { inWalk } from '../perceive/walk-cache.ts';
import { currentBatch } from '../watch/touched-nodes.ts';
import { belongingOf } from './belonging.ts';

export type Remembered = Fingerprint;

/** The names of what stands before and after a place. */
export function neighboursOf(nodes: readonly { readonly n: string }[], place: number): string[] {
  return [nodes[place - 1]?.n ?? '', nodes[place + 1]?.n ?? ''];
}

/** What an element is known again by. Not where it stands: to ask that, the browser lays the page out first. */
export type Marks = Pick<Remembered, 'role' | 'name' | 'text' | 'belongs'>;

export function marksOf(element: Element): Marks {
  return {
    role: inWalk(element, roleOf),
    name: nameOf(element),
    // Rarely asked for: where a name is short, it tells nothing more.
    get text() {
      return cutText(textIn(element, 200), 100);
    },
    belongs: belongingOf(element),
  };
}

/**
 * The element as it is now, in the terms in which elements are remembered, to tell later whether it is still the
 * one that was listed. Names stand there as they are and stay in the page: whoever tells of them takes the secrets
 * out first.
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
