import { whenIdle } from '../identity/tagger.ts';
import type { Answers } from '../perceive/walk-cache.ts';
import type { Watch } from '../watch/watch.ts';
import { type PageState, type PageStateContext, pageStateOf } from './page-state.ts';

export interface StateCacheContext extends PageStateContext {
  readonly watch: Watch;
  /** Called after each look, for other caches with the same lifetime. */
  readonly onLook?: (() => void) | undefined;
}

/**
 * State cache: an act is compared with the page before it. The last look is reused while nothing has changed,
 * so that a press need not wait for another.
 */
export type StateCache = ReturnType<typeof createStateCache>;

/** Doubles after each look until the next act: a page that keeps changing, or is idle, costs a few looks. */
const SOONEST_MS = 20;
const LATEST_MS = 30_000;

export function createStateCache(context: StateCacheContext) {
  const { watch } = context;
  let kept: { readonly state: PageState; readonly moment: number } | undefined;
  let waitMs = SOONEST_MS;
  let isDue = false;

  /** The last look, if nothing has changed since. */
  const rested = () => (kept?.moment === watch.moment() ? kept.state : undefined);
  const look = (isAfterAct = false) => {
    const moment = watch.moment();
    const state = pageStateOf(context, isAfterAct);
    kept = { moment, state };
    context.onLook?.();
    whenIdle((hasTime) => {
      if (rested() === state) state.recognise(hasTime);
    }, SOONEST_MS);
    return state;
  };
  /** Nothing is cached during an act; afterwards changes are looked at while idle. */
  watch.onActivity(() => {
    if (isDue || kept === undefined || waitMs > LATEST_MS) return;
    isDue = true;
    whenIdle(() => {
      isDue = false;
      if (kept !== undefined) look();
    }, waitMs);
    waitMs *= 2;
  });

  return {
    /** Names of elements in view at the last look, while it is valid. */
    names: (): Answers | undefined => rested()?.names,
    before(): PageState {
      const last = rested();
      kept = undefined;
      waitMs = SOONEST_MS;
      return last?.isStill() ? last : pageStateOf(context);
    },
    after: (): PageState => look(true),
    close(): void {
      kept = undefined;
    },
  };
}
