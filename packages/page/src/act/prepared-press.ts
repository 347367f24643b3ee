import type { Observation } from '../effect/observation.ts';
import type { Point } from '../perceive/hit-test.ts';
import type { ActionName, ActionResult, ActOptions } from './action-result.ts';
import { begin, conclude, refusable, startObservation } from './action-run.ts';
import { guardPress, type PressGuard } from './press-guard.ts';
import { requirePressable } from './readiness.ts';
import { Refusal, type RefusalData } from './refusal.ts';
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
  readonly guard: PressGuard;
  readonly observation: Observation;
}

/** One press is under way at a time: preparing another gives the last one up. */
export function createPresses(workplace: Workplace): Presses {
  let pending: Pending | undefined;
  let made = 0;
  const drop = () => {
    pending?.guard.close();
    pending = undefined;
  };

  return {
    async prepare(id, action, options) {
      drop();
      let prepared: PreparedPress | undefined;
      const refused = await refusable(action, async () => {
        const target = begin(id, options, workplace);
        const { point } = await requirePressable(target, workplace);
        const token = `press-${++made}`;
        const observation = startObservation(options, workplace);
        pending = { token, action, target, options, guard: guardPress(target, workplace), observation };
        const outer = inOuterDocument(target.element, point, workplace.document);
        prepared = {
          ok: true,
          point: outer,
          token,
          id: target.id,
          ...(target.healed && { healed: target.healed }),
        };
        return { ok: false, action, error: notPressed(token) };
      });
      if (prepared !== undefined) return prepared;
      return refused.ok ? { ok: false, error: notPressed('') } : { ok: false, error: refused.error };
    },
    confirm(token) {
      const press = pending?.token === token ? pending : undefined;
      pending = press === undefined ? pending : undefined;
      if (press === undefined)
        return Promise.resolve({ ok: false, action: 'click', error: notPressed(token) });
      return refusable(press.action, () => concludePress(press, workplace)).finally(() =>
        press.guard.close(),
      );
    },
    close: drop,
  };
}

async function concludePress(press: Pending, workplace: Workplace): Promise<ActionResult> {
  const { action, target, options, observation, guard } = press;
  const landing = guard.landing();
  if (landing === 'none') throw new Refusal('handler_failed', 'not_pressed', 'No press reached the page.');
  if (landing !== 'hit') {
    const message = `The press would have reached ${landing.missed}: it was stopped, and nothing was done.`;
    throw new Refusal('state_mismatch', 'covered', message, { id: target.id, cover: landing.missed });
  }
  return conclude({ action, target, own: { fidelity: 'trusted' }, options, observation, workplace });
}

function notPressed(token: string): RefusalData {
  const message =
    token === '' ? 'Nothing was prepared.' : `No press is prepared under ${token}: prepare it again.`;
  return new Refusal('invalid_input', 'not_pressed', message).data;
}

export function inOuterDocument(element: Element, point: Point, outermost: Document): Point {
  let { x, y } = point;
  for (let { ownerDocument } = element; ownerDocument !== outermost; ) {
    const frame = ownerDocument.defaultView?.frameElement;
    if (frame == null) break;
    const box = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    x += box.left + frame.clientLeft + Number.parseFloat(style.paddingLeft);
    y += box.top + frame.clientTop + Number.parseFloat(style.paddingTop);
    ownerDocument = frame.ownerDocument;
  }
  return { x, y };
}
