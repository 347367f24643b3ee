import { identityOf } from '../heal/identity.ts';
import { isRecounted, isSameElement } from '../heal/match.ts';
import type { Fingerprint } from '../identity/element-registry.ts';
import { isVisible } from '../perceive/visibility.ts';
import { type PageClock, timersSet } from '../watch/clock.ts';
import { nextFrame, settle } from '../watch/settling.ts';
import type { Watch } from '../watch/watch.ts';
import { readDrawings } from './drawings.ts';
import { type Effect, effectBetween, type Written } from './effect.ts';
import { type ExpectedOutcome, elementsLike, isMet, type OutcomeContext } from './expected-outcome.ts';
import type { LateEffects } from './late-effect.ts';
import type { NodeEdit } from './node-changes.ts';
import type { PageState, PageStateContext } from './page-state.ts';
import type { StateCache } from './state-cache.ts';

export interface ObservationOptions extends PageStateContext {
  readonly watch: Watch;
  readonly clock: PageClock;
  readonly stateCache: StateCache;
  readonly lateEffects: LateEffects;
  /** The host sees requests start and asks again after them; otherwise quiet is waited for. */
  readonly seesRequests?: boolean | undefined;
  /** The pointer only moves. */
  readonly isHover?: boolean | undefined;
}

export interface Observed {
  readonly effect: Effect;
  /** Changes between the last report and this act. */
  readonly late: Effect | undefined;
  /** Undefined when nothing was expected. */
  readonly isMet: boolean | undefined;
}

export interface Observation {
  /** Just before the action: later timers and drawings are its own. */
  readonly atAct: () => void;
  /** Waits for the action's effect and returns it; again for what came later. */
  readonly end: (actedId: string | undefined, written?: Written) => Promise<Observed>;
}

/** Timeout of an expected outcome (INT-247). */
const OUTCOME_TIMEOUT_MS = 2_000;
/** A timer or an unseen request is given this long to show something. */
const LATE_EFFECT_MS = 300;
/** A tip comes after a rest of the pointer. */
const LATE_TIP_MS = 800;
/** A drawing that an act moves comes to rest. */
const DRAWING_REST_MS = 1_200;
const DRAWING_LOOK_MS = 80;
/** Interval of looks at a page that changes all the time. */
const LOOK_AGAIN_MS = 50;

/** Call before an action: records the current page. */
export function observe(options: ObservationOptions, expected?: ExpectedOutcome): Observation {
  const { document, watch, registry, clock, stateCache, lateEffects } = options;
  const before = stateCache.before();
  const late = lateEffects.until(before);
  const mark = watch.mark();
  const stepMark = watch.navigation.mark();
  const requestMark = watch.network.mark();
  const sceneFor = (actedId: string | undefined) => ({
    document,
    shadowRootOf: options.shadowRootOf,
    elementOf: registry.elementOf,
    actedId,
    cleaner: watch.secrets.cleaner,
  });
  const wasThere = new Set(
    outcomesOf(expected).flatMap(({ type, element }) => {
      // Evaluated even where the result is unused, so that an invalid selector is refused before the action.
      const fitting = element === undefined ? [] : elementsLike(element, sceneFor(undefined));
      return type === 'element_appears' ? fitting.filter(isVisible) : [];
    }),
  );

  const { background } = watch;
  const begunAt = clock.now();
  background.begin(begunAt);
  const drawn = readDrawings(before.appearance.keys());
  let drawnAgain = drawn;
  const lateMs = options.isHover === true ? LATE_TIP_MS : LATE_EFFECT_MS;
  let timers = timersSet();
  let actedAt = begunAt;
  let reported: [id: string, Fingerprint][] = [];
  let shown = before;
  let written: Written | undefined;

  const effectNow = (settled: Effect['settled'], actedId: string | undefined): Effect => {
    const after = stateCache.after();
    const effect = effectBetween({
      before,
      after,
      drawings: { before: drawn, again: drawnAgain, after: readDrawings(after.appearance.keys()) },
      background,
      begunAt,
      watchedMs: clock.now() - actedAt,
      hasTimer: timersSet() > timers,
      events: watch.since(mark),
      steps: watch.navigation.since(stepMark),
      requests: watch.network.since(requestMark),
      settled,
      acted: actedId === undefined ? undefined : registry.elementOf(actedId),
      written,
      idOf: registry.idOf,
      elementOf: registry.elementOf,
      rememberedOf: registry.fingerprintOf,
      clean: watch.secrets.cleaner(),
    });
    reported = [...reportedIn(effect, after), ...recountedAround(actedId, after)];
    shown = after;
    return effect;
  };

  /**
   * Fingerprints of the reported nodes. A report without a new name leaves out a node that was renamed before the
   * action: the agent knows only its old name.
   */
  const reportedIn = ({ added, changed }: Effect, after: PageState): [id: string, Fingerprint][] => {
    const isKnown = ({ i, n }: NodeEdit) =>
      n !== undefined || identityOf(registry.elementOf(i), registry.fingerprintOf(i)) === 'same';
    return [...added, ...changed.filter(isKnown)].flatMap(({ i }) => {
      const fingerprint = after.fingerprintOf(i);
      return fingerprint === undefined ? [] : [[i, fingerprint]];
    });
  };

  /**
   * The acted element and those of its row, after the act changed a count in the row's words, and what had no words
   * around it before the act. A row that moved up
   * into these nodes was there before.
   */
  const recountedAround = (actedId: string | undefined, after: PageState): [id: string, Fingerprint][] => {
    const acted = actedId === undefined ? undefined : registry.fingerprintOf(actedId);
    const known = [...before.nodes.keys()].flatMap((id) => registry.fingerprintOf(id) ?? []);
    return [...after.nodes.keys()].flatMap((id) => {
      const was = registry.fingerprintOf(id);
      const isFirst = was?.belongs === '';
      if (was === undefined || !(isFirst || was.belongs === acted?.belongs)) return [];
      const now = after.fingerprintOf(id);
      if (now === undefined || now.belongs === was.belongs) return [];
      if (!isRecounted(was, now) && !(isFirst && isSameElement({ ...now, belongs: '' }, was))) return [];
      return known.some((each) => isSameElement(each, now)) ? [] : [[id, now]];
    });
  };

  const isLeaving = () => watch.navigation.since(stepMark).some(({ kind }) => kind === 'document');
  /**
   * Waits until drawings that changed are at rest: what moves after that changes by itself. A drawing that moved when
   * the act began may have been moved by the act before.
   */
  const waitForDrawings = async (): Promise<void> => {
    const all = [...drawn.keys()];
    let last = readDrawings(all);
    const moving = all.filter((canvas) => last.get(canvas) !== drawn.get(canvas));
    const until = clock.now() + DRAWING_REST_MS;
    while (moving.length > 0 && clock.now() < until && !isLeaving()) {
      await new Promise((resolve) => clock.setTimeout(() => resolve(undefined), DRAWING_LOOK_MS));
      const now = readDrawings(all);
      if (moving.every((canvas) => now.get(canvas) === last.get(canvas))) {
        drawnAgain = drawn;
        return;
      }
      last = now;
    }
  };
  /** Waits for two quiet frames, then as long as something may still come. */
  const rest = async (actedId: string | undefined): Promise<Effect> => {
    const target = actedId === undefined ? undefined : registry.elementOf(actedId);
    const startedAt = clock.now();
    const settling = { document, watch, clock, begunAt, startedAt, isLeaving, target };
    for (let changedAt = startedAt; ; ) {
      const reason = await settle(settling);
      const unseen = options.seesRequests === true ? 0 : Math.max(changedAt, watch.network.lastFinishedAt());
      const effect =
        unseen > 0 && clock.now() < unseen + LATE_EFFECT_MS ? undefined : effectNow(reason, actedId);
      const isAnswered = watch.network.since(requestMark) > 0 && effect?.happened !== true;
      const until = Math.max(
        unseen + LATE_EFFECT_MS,
        // A busy page shows an answer later than it has it.
        isAnswered ? watch.network.lastFinishedAt() + LATE_EFFECT_MS : 0,
        timersSet() > timers && (effect?.happened !== true || isOnlyScrolled(effect))
          ? startedAt + lateMs
          : 0,
      );
      if (effect !== undefined && (reason !== 'stable' || clock.now() >= until)) return effect;
      if (reason !== 'stable') return effectNow(reason, actedId);
      const count = background.count();
      while (clock.now() < until && background.count() === count && !isLeaving()) await nextFrame(settling);
      if (background.count() !== count) changedAt = clock.now();
    }
  };

  return {
    atAct() {
      if (drawn.size > 0) drawnAgain = readDrawings(drawn.keys());
      timers = timersSet();
      actedAt = clock.now();
    },
    async end(actedId, how) {
      background.resume();
      const context = { ...sceneFor(actedId), wasThere };
      written = how;
      const look = (settled: Effect['settled']) => effectNow(settled, actedId);
      let effect =
        expected === undefined || expected.type === 'no_change'
          ? await rest(actedId)
          : await untilMet(expected, context, look, watch, clock);
      const wasMoving = [...drawn].some(([canvas, was]) => drawnAgain.get(canvas) !== was);
      if (drawn.size > 0 && (!wasMoving || !effect.happened)) {
        await waitForDrawings();
        effect = look(effect.settled);
      }
      // Only the last look goes to the agent and counts as seen (INT-212).
      for (const [id, fingerprint] of reported) registry.remember(id, fingerprint);
      background.end(clock.now());
      late?.told();
      lateEffects.reported(shown);
      return { effect, late: late?.effect, isMet: expected && isMet(expected, effect, context) };
    },
  };
}

/** A virtual list draws its rows a moment after it was scrolled. */
const isOnlyScrolled = ({ scrolled, added, seen = [] }: Effect): boolean =>
  scrolled === true && added.length === 0 && !seen.some((words) => words.startsWith('new:'));

function outcomesOf(expected: ExpectedOutcome | undefined): ExpectedOutcome[] {
  return expected === undefined ? [] : [expected, ...outcomesOf(expected.orOutcome)];
}

/** Looks after each change; met as soon as it holds, missed after its timeout. */
function untilMet(
  expected: ExpectedOutcome,
  context: OutcomeContext,
  effectNow: (settled: Effect['settled']) => Effect,
  watch: Watch,
  clock: PageClock,
): Promise<Effect> {
  const endsAt = clock.now() + (expected.timeoutMs ?? OUTCOME_TIMEOUT_MS);
  return new Promise((resolve) => {
    let timer: number | undefined;
    let nextLookAt = 0;
    const look = () => {
      clock.clearTimeout(timer);
      const left = endsAt - clock.now();
      const effect = effectNow(left > 0 ? 'stable' : 'timeout: still mutating');
      if (left <= 0 || effect.navigation === 'document' || isMet(expected, effect, context)) {
        stop();
        resolve(effect);
      } else {
        nextLookAt = clock.now() + LOOK_AGAIN_MS;
        timer = clock.setTimeout(look, left);
      }
    };
    const stop = watch.onActivity(() => {
      clock.clearTimeout(timer);
      timer = clock.setTimeout(look, Math.max(0, nextLookAt - clock.now()));
    });
    look();
  });
}
