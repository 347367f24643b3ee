import { lineOf } from '../perceive/composed-tree.ts';
import type { Background } from './background.ts';
import type { PageClock } from './clock.ts';
import { longestAnimation, type StabilityReason } from './stability.ts';
import type { Watch } from './watch.ts';

export interface SettlingOptions {
  readonly document: Document;
  readonly watch: Watch;
  readonly clock: PageClock;
  /** When the act began: older animations are none of its effects. */
  readonly begunAt: number;
  readonly startedAt: number;
  readonly isLeaving: () => boolean;
  /** Transitions here without a change of the page only show the focus or the pointer. */
  readonly target: Element | undefined;
}

/** Frames without a change after which an act is over. */
const QUIET_FRAMES = 2;
/** A page in the background draws no frames: each is replaced by this time. */
const NO_FRAME_MS = 50;
/** A page that goes on changing is not waited for any longer. */
const REST_LIMIT_MS = 1_000;
const LOADING_LIMIT_MS = 3_000;

/** Waits for two frames without a visible change; returns what still goes on. */
export async function settle(options: SettlingOptions): Promise<StabilityReason> {
  const { document, watch, clock, startedAt, isLeaving } = options;
  let scrolled = 0;
  const onScroll = () => void scrolled++;
  document.addEventListener('scroll', onScroll, { capture: true, passive: true });
  try {
    let seen = -1;
    for (let quiet = 0; ; ) {
      await nextFrame(options);
      if (isLeaving()) return 'leaving';
      const now = watch.background.count() + scrolled;
      const unrest = seen !== -1 && now !== seen ? 'timeout: still mutating' : unrestOf(options);
      quiet = unrest === undefined ? quiet + 1 : 0;
      if (quiet >= QUIET_FRAMES) return 'stable';
      const limit = unrest === 'timeout: still loading' ? LOADING_LIMIT_MS : REST_LIMIT_MS;
      if (unrest !== undefined && clock.now() - startedAt >= limit) return unrest;
      seen = now;
    }
  } finally {
    document.removeEventListener('scroll', onScroll, { capture: true });
  }
}

/** Ends at once when the document is being left: an answer after the frame would be lost with it. */
export function nextFrame({
  document,
  watch,
  clock,
  isLeaving,
}: Pick<SettlingOptions, 'document' | 'watch' | 'clock' | 'isLeaving'>): Promise<void> {
  return new Promise((resolve) => {
    if (isLeaving()) return resolve();
    const view = document.defaultView;
    const end = () => {
      stop();
      clock.clearTimeout(timer);
      if (handle !== undefined) view?.cancelAnimationFrame(handle);
      resolve();
    };
    const handle = view?.requestAnimationFrame(end);
    const timer = clock.setTimeout(end, NO_FRAME_MS);
    const stop = watch.onActivity(() => {
      if (isLeaving()) end();
    });
  });
}

function unrestOf({ document, watch, target, begunAt }: SettlingOptions): StabilityReason | undefined {
  const { background } = watch;
  for (const element of background.touched().keys())
    if (element.getAttribute('aria-busy') === 'true') return 'timeout: still loading';
  const around = new Set(target === undefined ? [] : lineOf(target));
  const own = document.getAnimations().filter((animation) => {
    if (isOlder(animation, begunAt)) return false;
    const moved = animationTarget(animation);
    const isPointed = moved !== undefined && (around.has(moved) || target?.contains(moved) === true);
    return !(isPointed && 'transitionProperty' in animation && !wasTouched(moved, background));
  });
  return longestAnimation(own) > 0 ? 'timeout: still animating' : undefined;
}

/** Times of animations count from the same start as the page's clock. */
export const isOlder = ({ startTime }: Animation, begunAt: number): boolean =>
  typeof startTime === 'number' && startTime < begunAt - 1;

export function animationTarget({ effect }: Animation): Element | undefined {
  const target: unknown = effect === null ? undefined : Reflect.get(effect, 'target');
  return typeof target === 'object' && target !== null ? (target as Element) : undefined;
}

/** Whether the page changed an attribute of an element, of one around it, or of one beside these. */
export function wasTouched(element: Element, background: Background): boolean {
  const line = new Set(lineOf(element));
  return [...background.touched()].some(([each, { kinds }]) => {
    if (![...kinds].some((kind) => kind.startsWith('@'))) return false;
    const { parentElement: parent } = each;
    return line.has(each) || (parent !== null && parent.localName !== 'body' && line.has(parent));
  });
}
