/** What an element looked like when an agent last saw it: enough to tell whether it is still the same. */
export interface Fingerprint {
  readonly role: string;
  readonly name: string;
  readonly text: string;
  /** Left, top, width, height in page coordinates. */
  readonly box: readonly [number, number, number, number];
  /** The names of what stood before and after it. */
  readonly neighbours: readonly string[];
}

/**
 * Which element an id means. The id is stamped as `data-llm-id`, but the page can write attributes, so
 * the truth is this map; an id is never given twice in a document.
 */
export interface ElementRegistry {
  /** Mints and stamps on first sight; an element keeps its id for life, whatever the page does to it. */
  readonly idOf: (element: Element) => string;
  /** The element that got this id, even when it has left the document. */
  readonly elementOf: (id: string) => Element | undefined;
  readonly fingerprintOf: (id: string) => Fingerprint | undefined;
  readonly remember: (id: string, fingerprint: Fingerprint) => void;
  /** Takes every stamp off again. */
  readonly close: () => void;
}

const STAMP = 'data-llm-id';

/** `prefix` keeps the ids of frames apart: `f2_` in the second frame, nothing in the main one. */
export function createElementRegistry(prefix = ''): ElementRegistry {
  const ids = new WeakMap<Element, string>();
  const elements = new Map<string, WeakRef<Element>>();
  const fingerprints = new Map<string, Fingerprint>();
  let minted = 0;

  const restamp = (element: Element, id: string): string => {
    if (element.getAttribute(STAMP) !== id) element.setAttribute(STAMP, id);
    return id;
  };

  return {
    idOf(element) {
      const known = ids.get(element);
      if (known !== undefined) return restamp(element, known);
      minted++;
      const id = `${prefix}${minted}`;
      ids.set(element, id);
      elements.set(id, new WeakRef(element));
      return restamp(element, id);
    },
    elementOf: (id) => elements.get(id)?.deref(),
    fingerprintOf: (id) => fingerprints.get(id),
    remember: (id, fingerprint) => {
      fingerprints.set(id, fingerprint);
    },
    close() {
      for (const reference of elements.values()) reference.deref()?.removeAttribute(STAMP);
      elements.clear();
      fingerprints.clear();
    },
  };
}
