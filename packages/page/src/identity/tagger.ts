import { reasonToList } from '../perceive/actionable.ts';
import { frameDocument, isFrame, openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import type { ElementRegistry } from './element-registry.ts';

export interface TaggerOptions {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf?: ShadowRootOf;
  /** Runs the work when the page has time for it; the argument says how much is left. */
  readonly whenIdle?: (work: (hasTime: () => boolean) => void) => void;
}

export interface Tagger {
  /** Stamps everything that waits, now. */
  readonly flush: () => void;
  readonly close: () => void;
}

/** How many elements are looked at before the clock is. */
const BATCH = 64;

/**
 * Stamps what a person can act on as soon as it appears. A mutation only notes which subtrees are new;
 * looking at them waits for an idle moment, so a page that mutates all the time is not slowed down. It
 * asks for neither style nor layout: what can be told only by those gets its id in the next snapshot.
 */
export function createTagger(options: TaggerOptions): Tagger {
  const { document, registry, shadowRootOf = openShadowRoot, whenIdle = idleCallback } = options;
  const waiting = new Set<Element>();
  const roots = new WeakSet<Node>();
  const framesWatched = new WeakSet<Element>();
  let scheduled = false;
  let closed = false;

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      for (const node of record.addedNodes) if (isElement(node)) waiting.add(node);
    }
    if (waiting.size > 0) schedule();
  });

  function schedule(): void {
    if (scheduled || closed) return;
    scheduled = true;
    whenIdle((hasTime) => {
      scheduled = false;
      if (closed) return;
      tagWaiting(hasTime);
      if (waiting.size > 0) schedule();
    });
  }

  function tagWaiting(hasTime: () => boolean): void {
    let looked = 0;
    const mayGoOn = () => {
      looked++;
      return looked % BATCH !== 0 || hasTime();
    };
    for (const root of waiting) {
      waiting.delete(root);
      if (root.isConnected && !tagTree(root, mayGoOn)) return;
    }
  }

  /** False when time ran out; the rest of the tree then waits again, in its order. */
  function tagTree(root: Element, mayGoOn: () => boolean): boolean {
    const walker = root.ownerDocument.createTreeWalker(root, 1);
    let element: Element | null = root;
    while (element !== null) {
      tag(element);
      element = nextElement(walker);
      if (mayGoOn()) continue;
      if (element !== null) leaveForLater(element, root);
      return false;
    }
    return true;
  }

  /** What comes after in the tree, ahead of what was waiting already. */
  function leaveForLater(next: Element, root: Element): void {
    const others = [...waiting];
    waiting.clear();
    for (let place: Element | null = next; place !== null && place !== root; place = place.parentElement) {
      const from: Element | null = place === next ? next : place.nextElementSibling;
      for (let rest = from; rest !== null; rest = rest.nextElementSibling) waiting.add(rest);
    }
    for (const other of others) waiting.add(other);
  }

  function tag(element: Element): void {
    if (reasonToList(element) !== undefined) registry.idOf(element);
    const shadow = shadowRootOf(element);
    if (shadow !== undefined) watch(shadow, shadow.children);
    if (isFrame(element)) watchFrame(element);
  }

  function watchFrame(frame: Element): void {
    const inside = frameDocument(frame);
    if (inside?.documentElement != null) watch(inside, [inside.documentElement]);
    if (framesWatched.has(frame)) return;
    framesWatched.add(frame);
    frame.addEventListener('load', () => {
      if (!closed) watchFrame(frame);
    });
  }

  function watch(root: Node, trees: Iterable<Element>): void {
    if (roots.has(root)) return;
    roots.add(root);
    observer.observe(root, { childList: true, subtree: true });
    for (const tree of trees) waiting.add(tree);
    schedule();
  }

  watch(document, document.documentElement === null ? [] : [document.documentElement]);
  return {
    flush: () => tagWaiting(() => true),
    close() {
      closed = true;
      observer.disconnect();
      waiting.clear();
    },
  };
}

function nextElement(walker: TreeWalker): Element | null {
  const node = walker.nextNode();
  return node !== null && isElement(node) ? node : null;
}

/** A busy page has no idle moment: after this long, a short one is taken. */
const IDLE_TIMEOUT_MS = 1000;
const SHORTEST_SLICE_MS = 4;

function idleCallback(work: (hasTime: () => boolean) => void): void {
  requestIdleCallback(
    (deadline) => {
      const end = performance.now() + Math.max(deadline.timeRemaining(), SHORTEST_SLICE_MS);
      work(() => performance.now() < end);
    },
    { timeout: IDLE_TIMEOUT_MS },
  );
}
