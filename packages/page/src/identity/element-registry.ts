import { PageError } from '../locate/page-error.ts';

/** Properties of an element when an agent last saw it, to detect whether it is still the same. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly text: string;
  /** Left, top, width, height in page coordinates. */
  readonly box: readonly [number, number, number, number];
  /** Names of the elements before and after it. */
  readonly neighbours: readonly string[];
  /** The nearest text that identifies its surroundings. */
  readonly belongs?: string;
  /** The drawing in a nameless element. */
  readonly drawn?: string;
  /** The batch of page changes at which it was seen. */
  readonly seenAt?: number;
}

/**
 * Maps ids to elements. The id is stamped as `data-llm-id`, but the page can write attributes, so this map is
 * authoritative; an id is never given to another thing in a document.
 */
export type ElementRegistry = ReturnType<typeof createElementRegistry>;

export const STAMP = 'data-llm-id';

/** Limits memory on a page that re-renders all day. */
const MAX_FINGERPRINTS = 20_000;

/** Compares only elements of the same look; others may be gone. */
function isAlike(one: Fingerprint, other: Fingerprint): boolean {
  return (
    one.seenAt === other.seenAt &&
    one.name === other.name &&
    one.role === other.role &&
    one.belongs === other.belongs
  );
}

/** `prefix` distinguishes the ids of frames: `f2_` in the second frame, empty in the main one. */
export function createElementRegistry(prefix = '', ownDocument: Document = globalThis.document) {
  const ids = new WeakMap<Element, string>();
  const elements = new Map<string, WeakRef<Element>>();
  const fingerprints = new Map<string, Fingerprint>();
  const frameNumbers = new WeakMap<Element, number>();
  const collected = new FinalizationRegistry<string>((id) => {
    if (elements.get(id)?.deref() === undefined) elements.delete(id);
  });
  let minted = 0;
  let frames = 0;

  const restamp = (element: Element, id: string): string => {
    if (element.getAttribute(STAMP) !== id) element.setAttribute(STAMP, id);
    return id;
  };

  const frameNumberOf = (frame: Element | null | undefined): number => {
    if (frame == null) return 0;
    const known = frameNumbers.get(frame);
    if (known !== undefined) return known;
    frames++;
    frameNumbers.set(frame, frames);
    return frames;
  };

  const framePrefix = (element: Element): string => {
    if (element.ownerDocument === ownDocument) return '';
    const frame = frameNumberOf(element.ownerDocument.defaultView?.frameElement);
    return frame === 0 ? '' : `f${frame}_`;
  };

  return {
    /** Mints and stamps an id on first sight; an element keeps its id for life. */
    idOf(element: Element): string {
      const known = ids.get(element);
      if (known !== undefined) return restamp(element, known);
      minted++;
      const id = `${prefix}${framePrefix(element)}${minted}`;
      ids.set(element, id);
      elements.set(id, new WeakRef(element));
      collected.register(element, id);
      return restamp(element, id);
    },
    /** The element's id, if it has one. */
    knownIdOf: (element: Element): string | undefined => ids.get(element),
    /** Moves an id to the element that replaced its own; the earlier one gets another when it is listed again. */
    reassign(id: string, element: Element): void {
      const earlier = elements.get(id)?.deref();
      if (earlier !== undefined && ids.get(earlier) === id) ids.delete(earlier);
      const former = ids.get(element);
      if (former !== undefined && elements.get(former)?.deref() === element) elements.delete(former);
      ids.set(element, id);
      elements.set(id, new WeakRef(element));
      collected.register(element, id);
      restamp(element, id);
    },
    /** The element that got this id, even after it left the document. */
    elementOf: (id: string): Element | undefined => elements.get(id)?.deref(),
    /** 0 for the registry's own document; a frame keeps its number while its element lives. */
    frameNumberOf,
    fingerprintOf: (id: string): Fingerprint | undefined => fingerprints.get(id),
    /** No other element of the same look had its role, name and surroundings, so a duplicate was added later. */
    isAlone: (noted: Fingerprint): boolean =>
      [...fingerprints.values()].filter((one) => isAlike(one, noted)).length === 1,
    /** The latest ids that an agent was told of, with their fingerprints. */
    recentlySeen: (most: number): (readonly [id: string, fingerprint: Fingerprint])[] =>
      [...fingerprints].slice(-most),
    remember: (id: string, fingerprint: Fingerprint): void => {
      fingerprints.delete(id);
      fingerprints.set(id, fingerprint);
      const [oldest] = fingerprints.keys();
      if (fingerprints.size > MAX_FINGERPRINTS && oldest !== undefined) fingerprints.delete(oldest);
    },
    /** Removes all stamps. */
    close(): void {
      for (const reference of elements.values()) reference.deref()?.removeAttribute(STAMP);
      elements.clear();
      fingerprints.clear();
    },
  };
}

export function liveElement({ elementOf }: Pick<ElementRegistry, 'elementOf'>, id: string): Element {
  const element = elementOf(id);
  if (element?.isConnected === true) return element;
  throw new PageError('target_not_found', 'Nothing on the page has this id. Take a new snapshot.', {
    id,
  });
}
