import type { ElementRegistry, Fingerprint } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn } from '../perceive/text.ts';
import { belongingOf } from './belonging.ts';

/** A fingerprint, and what the element belonged to. */
export interface Remembered extends Fingerprint {
  readonly belongs?: string;
  /** No other element that was seen had its role, name and belonging: a second one has been put there since. */
  readonly alone?: boolean;
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

/** As many as a registry keeps fingerprints. */
const LIKENESSES_KEPT = 20_000;

/** A registry that notes with each fingerprint what the element belonged to, and which others were like it. */
export function noteBelonging(registry: ElementRegistry): ElementRegistry {
  const alike = new Map<string, Set<string>>();
  const likeness = new Map<string, string>();

  const forget = (id: string | undefined) => {
    const known = id === undefined ? undefined : likeness.get(id);
    if (id === undefined || known === undefined) return;
    const ids = alike.get(known);
    ids?.delete(id);
    if (ids?.size === 0) alike.delete(known);
    likeness.delete(id);
  };
  const place = (id: string, { role, name, belongs }: Remembered) => {
    forget(id);
    if (likeness.size >= LIKENESSES_KEPT) forget(likeness.keys().next().value);
    const now = JSON.stringify([role, name, belongs]);
    const ids = alike.get(now) ?? new Set();
    alike.set(now, ids.add(id));
    likeness.set(id, now);
  };

  return {
    ...registry,
    remember(id, fingerprint) {
      const element = registry.elementOf(id);
      const noted: Remembered =
        element === undefined ? fingerprint : { ...fingerprint, belongs: belongingOf(element) };
      place(id, noted);
      registry.remember(id, noted);
    },
    fingerprintOf(id): Remembered | undefined {
      const noted = registry.fingerprintOf(id);
      const others = alike.get(likeness.get(id) ?? '');
      return noted === undefined || others === undefined ? noted : { ...noted, alone: others.size === 1 };
    },
  };
}
