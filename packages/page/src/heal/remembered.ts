import type { ElementRegistry, Fingerprint } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn } from '../perceive/text.ts';
import { belongingOf } from './belonging.ts';

/** A fingerprint, and what the element belonged to. */
export interface Remembered extends Fingerprint {
  readonly belongs?: string;
}

/** The element as it is now, in the terms in which elements are remembered. */
export function asRemembered(element: Element, neighbours: readonly string[]): Remembered {
  const box = element.getBoundingClientRect();
  const view = element.ownerDocument.defaultView;
  return {
    role: roleOf(element),
    name: nameOf(element),
    text: wordsIn(element),
    box: [box.left + (view?.scrollX ?? 0), box.top + (view?.scrollY ?? 0), box.width, box.height],
    neighbours,
    belongs: belongingOf(element),
  };
}

export function wordsIn(element: Element): string {
  return cutText(textIn(element, 200), 100);
}

/** A registry that notes with each fingerprint what the element belonged to at that moment. */
export function noteBelonging(registry: ElementRegistry): ElementRegistry {
  return {
    ...registry,
    remember(id, fingerprint) {
      const element = registry.elementOf(id);
      const noted: Remembered =
        element === undefined ? fingerprint : { ...fingerprint, belongs: belongingOf(element) };
      registry.remember(id, noted);
    },
  };
}
