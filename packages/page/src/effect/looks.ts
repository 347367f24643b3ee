import { whenIdle } from '../identity/tagger.ts';
import type { Answers } from '../perceive/walk-cache.ts';
import type { Watch } from '../watch/watch.ts';
import { type PageScene, type PageState, pageStateOf } from './page-state.ts';

export interface LookScene extends PageScene {
  readonly watch: Watch;
  /** Called after each look: whoever keeps something for as long as it holds can look then, too. */
  readonly onLook?: (() => void) | undefined;
}

/**
 * An act is set against the page as it was before. The last look at it will do for as long as nothing was heard of
 * the page: then a press need not wait for another.
 */
export interface Looks {
  readonly before: () => PageState;
  /** What was in view at the last look is called, while that will do. */
  readonly names: () => Answers | undefined;
  readonly after: () => PageState;
  readonly close: () => void;
}

/** Twice as long from look to look until the next act: a page that goes on changing, or is left alone, pays a few. */
const SOONEST_MS = 20;
const LATEST_MS = 30_000;

export function createLooks(scene: LookScene): Looks {
  const { watch } = scene;
  let kept: { readonly state: PageState; readonly moment: number } | undefined;
  let waitMs = SOONEST_MS;
  let isDue = false;

  /** The last look, if nothing was heard since. */
  const rested = () => (kept?.moment === watch.moment() ? kept.state : undefined);
  const look = () => {
    const moment = watch.moment();
    const state = pageStateOf(scene);
    kept = { moment, state };
    scene.onLook?.();
    whenIdle((hasTime) => {
      if (rested() === state) state.recognise(hasTime);
    }, SOONEST_MS);
    return state;
  };
  /** While an act is under way nothing is kept, and afterwards whatever happens is looked at in an idle moment. */
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
    names: () => rested()?.names,
    before() {
      const last = rested();
      kept = undefined;
      waitMs = SOONEST_MS;
      return last?.isStill() ? last : pageStateOf(scene);
    },
    after: look,
    close() {
      kept = undefined;
    },
  };
}
