import { reasonToList } from '../perceive/actionable.ts';
import { openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { pageClock } from '../watch/clock.ts';
import type { Watch } from '../watch/watch.ts';
import type { ElementRegistry } from './element-registry.ts';

export interface TaggerOptions {
  readonly registry: ElementRegistry;
  readonly watch: Pick<Watch, 'eachTree' | 'include'>;
  readonly shadowRootOf?: ShadowRootOf;
  /** Runs the work when the page is idle, after `afterMs`; the argument reports whether time is left. */
  readonly whenIdle?: (work: (hasTime: () => boolean) => void, afterMs: number) => void;
}

export type Tagger = ReturnType<typeof createTagger>;

/** Elements per check of the clock. */
const BATCH = 64;
/** Short-lived elements are skipped, and a burst is handled together. */
const GATHER_MS = 100;

/**
 * Stamps actionable elements as soon as they appear. A mutation only records new subtrees; they are scanned
 * while idle, so a page that mutates all the time is not slowed down. Reads neither style nor layout:
 * elements that need those get their id in the next snapshot.
 */
export function createTagger(options: TaggerOptions) {
  const { registry, watch, shadowRootOf = openShadowRoot, whenIdle: ask = whenIdle } = options;
  const waiting = new Set<Element>();
  /** Rest of the tree being scanned, in reverse order. */
  let begun: Element[] = [];
  let scheduled = false;
  let closed = false;

  function schedule(afterMs = 0): void {
    if (scheduled || closed) return;
    scheduled = true;
    ask((hasTime) => {
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

  /** The first remaining element of the next tree. */
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
    // A shadow root that was attached after its host.
    const shadow = shadowRootOf(element);
    if (shadow !== undefined) watch.include(shadow);
  }

  watch.eachTree((tree) => {
    waiting.add(tree);
    schedule(GATHER_MS);
  });
  return {
    close(): void {
      closed = true;
      waiting.clear();
      begun = [];
    },
  };
}

/** A busy page is never idle: after this timeout, a short slice is taken. */
const IDLE_TIMEOUT_MS = 1000;
const SHORTEST_SLICE_MS = 4;

export function whenIdle(work: (hasTime: () => boolean) => void, afterMs: number): void {
  const begin = (deadline: IdleDeadline) => {
    const end = performance.now() + Math.max(deadline.timeRemaining(), SHORTEST_SLICE_MS);
    work(() => performance.now() < end);
  };
  const ask = () => requestIdleCallback(begin, { timeout: IDLE_TIMEOUT_MS });
  if (afterMs === 0) ask();
  else pageClock.setTimeout(ask, afterMs);
}
