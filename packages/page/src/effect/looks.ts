import { whenIdle } from '../identity/tagger.ts';
import type { Watch } from '../watch/watch.ts';
import { type PageScene, type PageState, pageStateOf } from './page-state.ts';

export interface LookScene extends PageScene {
  readonly watch: Watch;
}

/**
 * An act is set against the page as it was before. The last look at it will do for as long as nothing was heard of
 * the page: then a press need not wait for another.
 */
export interface Looks {
  readonly before: () => PageState;
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

  const look = () => {
    kept = { moment: watch.moment(), state: pageStateOf(scene) };
    return kept.state;
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
    before() {
      const last = kept;
      kept = undefined;
      waitMs = SOONEST_MS;
      return last?.moment === watch.moment() && last.state.isStill() ? last.state : pageStateOf(scene);
    },
    after: look,
    close() {
      kept = undefined;
    },
  };
}
