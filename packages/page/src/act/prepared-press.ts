import type { Observation } from '../effect/observation.ts';
import { originOf } from '../locate/frame-origin.ts';
import type { Point } from '../perceive/hit-test.ts';
import type { ActionName, ActionResult, ActOptions } from './action-result.ts';
import { begin, conclude, refusable, refusalOf, startObservation } from './action-run.ts';
import { createPressGuard, type Landing } from './press-guard.ts';
import { requirePressable } from './readiness.ts';
import { type RefusalData, refusal } from './refusal.ts';
import type { Healed, Target } from './target.ts';
import type { Workplace } from './workplace.ts';

/** Where to press, in the coordinates of the outermost document that the page code can reach. */
export interface PreparedPress {
  readonly ok: true;
  readonly point: Point;
  readonly token: string;
  readonly id: string;
  readonly healed?: Healed;
}

export interface Presses {
  readonly prepare: (
    id: string,
    action: ActionName,
    options: ActOptions,
  ) => Promise<PreparedPress | { readonly ok: false; readonly error: RefusalData }>;
  readonly confirm: (token: string) => Promise<ActionResult>;
  readonly close: () => void;
}

interface Pending {
  readonly token: string;
  readonly action: ActionName;
  readonly target: Target;
  readonly options: ActOptions;
  readonly observation: () => Observation;
}

/** One press is under way at a time: preparing another gives the last one up. */
export function createPresses(workplace: Workplace): Presses {
  const guard = createPressGuard(workplace);
  let pending: Pending | undefined;
  let made = 0;
  const drop = () => {
    guard.rest();
    pending = undefined;
  };

  return {
    async prepare(id, action, options) {
      drop();
      try {
        const target = begin(id, options, workplace);
        const place = await requirePressable(target, workplace);
        const token = `press-${++made}`;
        const observation = beforeThePress(options, workplace);
        guard.watch({ target, onPress: observation });
        pending = { token, action, target, options, observation };
        const point = inOuterDocument(target.element, place.point, workplace.document);
        return { ok: true, point, token, id: target.id, ...(target.healed && { healed: target.healed }) };
      } catch (error) {
        return { ok: false, error: refusalOf(error, action) };
      }
    },
    confirm: (token) => {
      const press = pending?.token === token ? pending : undefined;
      const landing = guard.landing();
      if (press !== undefined) drop();
      return refusable(press?.action ?? 'click', () => concludePress(press, landing, token, workplace));
    },
    close: guard.close,
  };
}

async function concludePress(
  press: Pending | undefined,
  landing: Landing,
  token: string,
  workplace: Workplace,
): Promise<ActionResult> {
  if (press === undefined) {
    const message = `No press is prepared under ${token}: prepare it again.`;
    throw refusal('invalid_input', 'not_pressed', message);
  }
  const { action, target, options, observation } = press;
  if (landing === 'none') throw refusal('handler_failed', 'not_pressed', 'No press reached the page.');
  if (landing !== 'hit') {
    const message = `The press would have reached ${landing.missed}: nothing was done.`;
    throw refusal('state_mismatch', 'covered', message, { id: target.id, cover: landing.missed });
  }
  const own = { fidelity: 'trusted' } as const;
  return conclude({ action, target, own, options, observation: observation(), workplace });
}

/**
 * The page as it is before the press: looked at while the point is on its way to the host, or when the press
 * comes sooner. What is expected is looked at now: a selector that is refused is refused before a press.
 */
function beforeThePress(options: ActOptions, workplace: Workplace): () => Observation {
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
