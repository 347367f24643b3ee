import { scrollDirection } from '../perceive/scrollable.ts';
import { styleOf } from '../perceive/walk-cache.ts';
import { isSameElement } from './match.ts';
import { marksOf, type Remembered } from './remembered.ts';

export type Identity = 'same' | 'detached' | 'changed_identity';

/**
 * Whether an id's node is still the element that the agent saw. A list that recycles its nodes gives the same
 * node another name, or the same name in another row: then it is another element (INT-212).
 */
export function identityOf(element: Element | undefined, remembered: Remembered | undefined): Identity {
  if (element === undefined || !isLive(element)) return 'detached';
  if (remembered === undefined || isSameElement(remembered, marksOf(element))) return 'same';
  // A box that scrolls has other rows in it, not another name.
  if (remembered.role === 'generic' && scrollDirection(element, styleOf(element)) !== undefined)
    return 'same';
  return 'changed_identity';
}

/** In a displayed document: a frame that navigated leaves its old document behind. */
export function isLive(element: Element): boolean {
  return element.isConnected && element.ownerDocument.defaultView !== null;
}
