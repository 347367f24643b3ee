import { type PageClock, pageClock } from './clock.ts';
import type { Watch } from './watch.ts';

export type StabilityReason =
  | 'stable'
  | 'leaving'
  | 'timeout: still mutating'
  | 'timeout: still loading'
  | 'timeout: network busy'
  | 'timeout: still animating';

export interface Stability {
  readonly stable: boolean;
  readonly reason: StabilityReason;
  readonly waited_ms: number;
}

export interface StabilityOptions {
  readonly document: Document;
  readonly watch: Watch;
  readonly clock?: PageClock;
  /** Pending requests, from a host that sees them start. */
  readonly inFlight?: (() => number) | undefined;
  readonly quietMs?: number;
  readonly timeoutMs?: number;
  /** Counts the quiet time from now rather than from the last change, for use after an action. */
  readonly fromNow?: boolean;
  /** Ends the wait at a navigation after this mark; now by default. */
  readonly stepMark?: number;
}

/** Contract 4: 300 ms without a change, at most 3 s. */
const QUIET_MS = 300;
const TIMEOUT_MS = 3_000;
/** The host's count has no event, so it is polled. */
const ASK_AGAIN_MS = 50;

type Unrest = { readonly reason: StabilityReason; readonly lastsMs: number };

/** Waits until nothing changes, loads or moves (INT-253, INT-254). */
export function waitForStability(options: StabilityOptions): Promise<Stability> {
  const { watch, clock = pageClock, timeoutMs = TIMEOUT_MS } = options;
  const startedAt = clock.now();
  const { stepMark = watch.navigation.mark() } = options;
  const isLeaving = () => watch.navigation.since(stepMark).some(({ kind }) => kind === 'document');

  return new Promise((resolve) => {
    let timer: number | undefined;
    const stop = watch.onActivity(() => {
      if (isLeaving()) end('leaving');
    });
    const end = (reason: StabilityReason) => {
      stop();
      clock.clearTimeout(timer);
      resolve({ stable: reason === 'stable', reason, waited_ms: Math.round(clock.now() - startedAt) });
    };
    const look = () => {
      const left = startedAt + timeoutMs - clock.now();
      const unrest = unrestOf(options, clock, startedAt);
      if (isLeaving()) end('leaving');
      else if (unrest === undefined) end('stable');
      else if (left <= 0) end(unrest.reason);
      else timer = clock.setTimeout(look, Math.max(1, Math.min(unrest.lastsMs, left)));
    };
    look();
  });
}

/** The first ongoing activity, and its minimum remaining time. */
function unrestOf(options: StabilityOptions, clock: PageClock, startedAt: number): Unrest | undefined {
  const { document, watch, inFlight, quietMs = QUIET_MS, fromNow = false } = options;
  const now = clock.now();
  const sinceMutation =
    now - (fromNow ? Math.max(watch.lastMutationAt(), startedAt) : watch.lastMutationAt());
  if (sinceMutation < quietMs) return { reason: 'timeout: still mutating', lastsMs: quietMs - sinceMutation };
  const isLoading = document.readyState !== 'complete' || document.querySelector('[aria-busy=true]') !== null;
  if (isLoading) return { reason: 'timeout: still loading', lastsMs: ASK_AGAIN_MS };
  if ((inFlight?.() ?? 0) > 0) return { reason: 'timeout: network busy', lastsMs: ASK_AGAIN_MS };
  const sinceRequest = now - watch.network.lastFinishedAt();
  if (sinceRequest < quietMs) return { reason: 'timeout: network busy', lastsMs: quietMs - sinceRequest };
  const animationMs = longestAnimation(document.getAnimations());
  return animationMs > 0 ? { reason: 'timeout: still animating', lastsMs: animationMs } : undefined;
}

/** Time until the running animations end; endless ones are ignored. */
export function longestAnimation(animations: readonly Animation[]): number {
  const left = animations.map(({ effect, playState, currentTime }) => {
    if (playState !== 'running' || effect === null || typeof currentTime !== 'number') return 0;
    const { endTime } = effect.getComputedTiming();
    return typeof endTime === 'number' && Number.isFinite(endTime) ? Math.max(0, endTime - currentTime) : 0;
  });
  return Math.ceil(Math.max(0, ...left));
}
