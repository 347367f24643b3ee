import type { PageClock } from '../watch/clock.ts';
import type { Watch } from '../watch/watch.ts';
import { type Effect, effectBetween } from './effect.ts';
import type { PageState, PageStateContext } from './page-state.ts';
import type { StateCache } from './state-cache.ts';

/** Changes that come after the report of an act, for the next report. */
export interface LateEffects {
  /** Records the page as the last report showed it. */
  readonly reported: (state: PageState) => void;
  /** Visible changes from then until this state. */
  readonly until: (now: PageState) => Late | undefined;
  /** Visible changes until now, each returned once. */
  readonly take: () => Effect | undefined;
  /** Messages since the last report, including those that are gone again. */
  readonly said: () => readonly string[];
}

export interface Late {
  readonly effect: Effect;
  /** The agent gets the effect: from now on its nodes count as seen (INT-212). */
  readonly told: () => void;
}

interface LateContext extends PageStateContext {
  readonly watch: Watch;
  readonly clock: PageClock;
  readonly stateCache: StateCache;
}

export function createLateEffects(context: LateContext): LateEffects {
  const { watch, registry, clock, stateCache } = context;
  const { background, navigation, secrets } = watch;
  const marksNow = () => ({
    moment: watch.moment(),
    events: watch.mark(),
    steps: navigation.mark(),
    at: clock.now(),
  });
  let last: ({ readonly state: PageState } & ReturnType<typeof marksNow>) | undefined;
  const reported = (state: PageState) => {
    last = { state, ...marksNow() };
  };
  const isSame = () => last === undefined || (last.moment === watch.moment() && last.state.isStill());
  const until = (after: PageState): Late | undefined => {
    if (last === undefined || last.state === after || isSame()) return undefined;
    const { state: before, events, steps, at } = last;
    const nothing = new Map();
    const effect = effectBetween({
      ...{ before, after, background, begunAt: at, watchedMs: clock.now() - at },
      drawings: { before: nothing, again: nothing, after: nothing },
      events: watch.since(events),
      steps: navigation.since(steps),
      requests: 0,
      settled: 'stable',
      acted: undefined,
      idOf: registry.idOf,
      elementOf: registry.elementOf,
      rememberedOf: registry.fingerprintOf,
      clean: secrets.cleaner(),
    });
    if (!effect.happened || effect.navigation === 'document') return undefined;
    const told = () => {
      for (const { i } of [...effect.added, ...effect.changed.filter(({ n }) => n !== undefined)]) {
        const fingerprint = after.fingerprintOf(i);
        if (fingerprint !== undefined) registry.remember(i, fingerprint);
      }
    };
    return { effect, told };
  };
  return {
    reported,
    until,
    said() {
      const clean = secrets.cleaner();
      return last === undefined ? [] : watch.since(last.events).map(({ text }) => clean(text));
    },
    take() {
      if (isSame()) return undefined;
      const now = stateCache.after();
      const late = until(now);
      reported(now);
      late?.told();
      return late?.effect;
    },
  };
}
