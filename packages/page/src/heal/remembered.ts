import type { ElementRegistry, Fingerprint } from '../identity/element-registry.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn } from '../perceive/text.ts';
import { currentBatch } from '../watch/touched-nodes.ts';
import { belongingOf } from './belonging.ts';

/** A fingerprint, and what the element belonged to. */
export interface Remembered extends Fingerprint {
  readonly belongs?: string;
  /** No other element that was seen had its role, name and belonging: a second one has been put there since. */
  readonly alone?: boolean;
  /** The batch of page changes at which it was seen. */
  readonly seenAt?: number;
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

/** A registry that notes with each fingerprint what the element belonged to, which others were like it, and when. */
export function noteBelonging(registry: ElementRegistry): ElementRegistry {
  /** By likeness: who has it, and when that was seen. */
  const alike = new Map<string, Map<string, number>>();
  const likeness = new Map<string, string>();

  const forget = (id: string) => {
    const known = likeness.get(id) ?? '';
    const ids = alike.get(known);
    ids?.delete(id);
    if (ids?.size === 0) alike.delete(known);
    likeness.delete(id);
  };
  const note = (id: string, { role, name, belongs, seenAt = 0 }: Remembered) => {
    forget(id);
    const [oldest] = likeness.keys();
    if (likeness.size >= LIKENESSES_KEPT && oldest !== undefined) forget(oldest);
    const now = JSON.stringify([role, name, belongs]);
    const ids = alike.get(now) ?? new Map<string, number>();
    alike.set(now, ids.set(id, seenAt));
    likeness.set(id, now);
  };
  /** Others of an earlier look may be long gone: only those seen together with it count. */
  const wasAlone = (id: string, { seenAt = 0 }: Remembered): boolean => {
    const ids = alike.get(likeness.get(id) ?? '');
    return ids !== undefined && [...ids.values()].filter((at) => at === seenAt).length === 1;
  };

  return {
    ...registry,
    remember(id, fingerprint) {
      const element = registry.elementOf(id);
      const noted: Remembered =
        element === undefined
          ? fingerprint
          : { ...fingerprint, belongs: belongingOf(element), seenAt: currentBatch() };
      note(id, noted);
      registry.remember(id, noted);
    },
    fingerprintOf(id): Remembered | undefined {
      const noted: Remembered | undefined = registry.fingerprintOf(id);
      return noted === undefined ? undefined : { ...noted, alone: wasAlone(id, noted) };
    },
  };
}
