import { reasonToList } from '../perceive/actionable.ts';
import { frameDocument, isFrame, openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isElement } from '../perceive/text.ts';
import type { ElementRegistry } from './element-registry.ts';

export interface TaggerOptions {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly shadowRootOf?: ShadowRootOf;
  /** Runs the work when the page has time for it, after `afterMs`; the argument says how much is left. */
  readonly whenIdle?: (work: (hasTime: () => boolean) => void, afterMs: number) => void;
}

export interface Tagger {
  /** Stamps everything that waits, now. */
  readonly flush: () => void;
  readonly close: () => void;
}

/** How many elements are looked at before the clock is. */
const BATCH = 64;
/** What comes and goes at once is never looked at, and what comes in a row is looked at together. */
const GATHER_MS = 100;

/**
 * Stamps what a person can act on as soon as it appears. A mutation only notes which subtrees are new;
 * looking at them waits for an idle moment, so a page that mutates all the time is not slowed down. It
 * asks for neither style nor layout: what can be told only by those gets its id in the next snapshot.
 */
export function createTagger(options: TaggerOptions): Tagger {
  const { document, registry, shadowRootOf = openShadowRoot, whenIdle = idleCallback } = options;
  const waiting = new Set<Element>();
  /** What is left of the tree that is looked at, the last first. */
  let begun: Element[] = [];
  const roots = new WeakSet<Node>();
  const framesWatched = new WeakSet<Element>();
  let scheduled = false;
  let closed = false;

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      for (const node of record.addedNodes) if (isElement(node)) waiting.add(node);
    }
    if (waiting.size > 0) schedule(GATHER_MS);
  });

  function schedule(afterMs = 0): void {
    if (scheduled || closed) return;
    scheduled = true;
    whenIdle((hasTime) => {
      scheduled = false;
      if (closed) return;
      tagWaiting(hasTime);
      if (waiting.size + begun.length > 0) schedule();
    }, afterMs);
  }

  function tagWaiting(hasTime: () => boolean): void {
    for (let looked = 1; ; looked++) {
      const element = begun.pop() ?? begin();
      if (element === undefined) return;
      if (element.isConnected) tag(element);
      if (looked % BATCH === 0 && !hasTime()) return;
    }
  }

  /** The first element of the next tree that is still there; the rest of it follows. */
  function begin(): Element | undefined {
    for (const root of waiting) {
      waiting.delete(root);
      if (!root.isConnected) continue;
      begun = [...root.querySelectorAll('*')].reverse();
      return root;
    }
    return undefined;
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
      begun = [];
    },
  };
}

/** A busy page has no idle moment: after this long, a short one is taken. */
const IDLE_TIMEOUT_MS = 1000;
const SHORTEST_SLICE_MS = 4;

function idleCallback(work: (hasTime: () => boolean) => void, afterMs: number): void {
  const whenIdle = (deadline: IdleDeadline) => {
    const end = performance.now() + Math.max(deadline.timeRemaining(), SHORTEST_SLICE_MS);
    work(() => performance.now() < end);
  };
  const ask = () => requestIdleCallback(whenIdle, { timeout: IDLE_TIMEOUT_MS });
  if (afterMs === 0) ask();
  else setTimeout(ask, afterMs);
}
