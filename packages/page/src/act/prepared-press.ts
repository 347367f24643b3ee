import type { Observation } from '../effect/observation.ts';
import { originOf } from '../locate/frame-origin.ts';
import type { Point } from '../perceive/hit-test.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import type { ActionName, ActionRefused, ActionResult, ActOptions } from './action-result.ts';
import { begin, conclude, refusable, startObservation } from './action-run.ts';
import { createPressGuard, type Guarded } from './press-guard.ts';
import { type Place, requirePressable } from './readiness.ts';
import { refusal } from './refusal.ts';
import type { Healed } from './target.ts';
import type { Workplace } from './workplace.ts';

/** Where to press, in the coordinates of the outermost document that the page code can reach. */
export interface PreparedPress {
  readonly ok: true;
  readonly point: Point;
  readonly token: string;
  readonly id: string;
  readonly healed?: Healed;
  /** What the caller makes of it, when it was told how. */
  readonly purpose?: unknown;
}

export type Prepared = PreparedPress | ActionRefused;

export interface Presses {
  /** At once, unless what is to be pressed moves. */
  readonly prepare: (id: string, action: ActionName, options: ActOptions) => Prepared | Promise<Prepared>;
  readonly confirm: (token: string) => Promise<ActionResult>;
  readonly close: () => void;
}

interface Pending extends Guarded {
  readonly token: string;
  readonly action: ActionName;
  readonly options: ActOptions;
  readonly before: () => Observation;
}

/** One press is under way at a time: preparing another gives the last one up. */
export function createPresses(workplace: Workplace): Presses {
  const guard = createPressGuard(workplace);
  let pending: Pending | undefined;
  let made = 0;
  /** With a copy of what is known: what else is found, such as the size of the window, holds for this walk alone. */
  const inWalkNow = <Found>(work: () => Found) => withWalkCache(work, new Map(workplace.looks.names()));
  const hold = (press?: Pending) => {
    pending = press;
    guard.watch(press);
  };

  return {
    prepare(id, action, options) {
      hold();
      return refusable(action, () => {
        const moment = workplace.watch.moment();
        const [target, place] = inWalkNow(() => {
          const meant = begin(id, options, workplace);
          return [meant, requirePressable(meant, workplace)] as const;
        });
        const ready = ({ point: inside }: Place): PreparedPress => {
          const { element, healed } = target;
          const purpose = inWalkNow(() => options.weigh?.(element));
          const token = `press-${++made}`;
          const before = beforePress(options, workplace);
          hold({ token, action, target, moment, options, before, landing: 'none' });
          const point = inOuterDocument(element, inside, workplace.document);
          return { ok: true, point, token, id: target.id, purpose, ...(healed && { healed }) };
        };
        return place instanceof Promise ? place.then(ready) : ready(place);
      });
    },
    confirm: (token) => {
      const press = pending?.token === token ? pending : undefined;
      if (press !== undefined) hold();
      return refusable(press?.action ?? 'click', () => concludePress(press, token, workplace));
    },
    close: guard.close,
  };
}

async function concludePress(
  press: Pending | undefined,
  token: string,
  workplace: Workplace,
): Promise<ActionResult> {
  if (press === undefined) {
    const message = `No press is prepared under ${token}: prepare it again.`;
    throw refusal('invalid_input', 'not_pressed', message);
  }
  const { action, target, options, landing, before } = press;
  if (landing === 'none') throw refusal('handler_failed', 'not_pressed', 'No press reached the page.');
  if (landing !== 'hit') {
    const message = `The press would have reached ${landing.missed}: nothing was done.`;
    throw refusal('state_mismatch', 'covered', message, { id: target.id, cover: landing.missed });
  }
  const own = { fidelity: 'trusted' } as const;
  return conclude({ action, target, own, options, observation: before(), workplace });
}

/**
 * The page as it is before the press: looked at while the point is on its way to the host, or when the press
 * comes sooner. What is expected is looked at now: a selector that is refused is refused before a press.
 */
function beforePress(options: ActOptions, workplace: Workplace): () => Observation {
  let started: Observation | undefined;
  const start = () => (started ??= startObservation(options, workplace));
  if (options.expected) start();
  else workplace.clock.setTimeout(start, 0);
  return start;
}

export function inOuterDocument(element: Element, { x, y }: Point, outermost: Document): Point {
  const { left, top } = originOf(element, outermost);
  return { x: x + left, y: y + top };
}
