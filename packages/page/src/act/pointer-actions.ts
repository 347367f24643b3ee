import { focusIn } from '../effect/page-state.ts';
import { isLive } from '../heal/identity.ts';
import { pressTarget } from '../perceive/hit-test.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, refusable } from './action-run.ts';
import { dragFromTo } from './drag.ts';
import { clickOn, focusFrom, hoverOver, type PointerOptions, reachedBy } from './pointer.ts';
import { inOuterDocument, type Presses } from './prepared-press.ts';
import { type Place, requirePressable, requireUsable } from './readiness.ts';
import { resolveTarget, type Target } from './target.ts';
import type { Workplace } from './workplace.ts';

export interface ClickOptions extends ActOptions, PointerOptions {}

/** Trusted through the host if it can, else by synthetic events. */
export async function press(
  action: 'click' | 'double_click',
  id: string,
  options: ClickOptions,
  workplace: Workplace,
  presses: Presses,
): Promise<ActionResult> {
  const count = action === 'click' ? 1 : 2;
  const { host } = workplace;
  if (host.press === undefined) {
    const steps = {
      ready: (target: Target) => requirePressable(target, workplace),
      act({ element }: Target, { point }: Place): OwnWord {
        clickOn(reachedBy(pressTarget(element), point, workplace.shadowRootOf), point, count, options);
        return {};
      },
    };
    return perform(action, id, options, steps, workplace);
  }
  const prepared = await presses.prepare(id, action, options);
  if (!prepared.ok) return prepared;
  const { button = 'left', modifiers = [] } = options;
  const order = { ...prepared.point, button, count, modifiers };
  return refusable(action, async () => {
    const checked = await presses.recheck(prepared.token, false);
    if (!checked.ok) return checked;
    await host.press?.(order);
    return presses.confirm(prepared.token);
  });
}

export function hover(id: string, options: ActOptions, workplace: Workplace): Promise<ActionResult> {
  const { host, shadowRootOf, document } = workplace;
  return perform(
    'hover',
    id,
    options,
    {
      ready: (target) => requirePressable(target, workplace),
      async act({ element }, { point }) {
        if (host.hover === undefined) hoverOver(reachedBy(element, point, shadowRootOf), point);
        else await host.hover(inOuterDocument(element, point, document));
        return { fidelity: host.hover === undefined ? 'synthetic' : 'trusted' };
      },
    },
    workplace,
  );
}

export function focus(id: string, options: ActOptions, workplace: Workplace): Promise<ActionResult> {
  return perform(
    'focus',
    id,
    options,
    {
      ready: (target) => requireUsable(target, workplace),
      act({ element }) {
        focusFrom(element);
        const focused = focusIn(workplace.document, workplace.shadowRootOf);
        const achieved = focused !== undefined && (element.contains(focused) || focused.contains(element));
        return { achieved, shortfall: 'it does not take the focus' };
      },
    },
    workplace,
  );
}

export function drag(
  id: string,
  toId: string,
  options: ActOptions,
  workplace: Workplace,
): Promise<ActionResult> {
  return perform(
    'drag',
    id,
    options,
    {
      async ready(from) {
        const to = resolveTarget(toId, workplace);
        const toPlace = await requirePressable(to, workplace);
        const fromPlace = await requirePressable(from, workplace);
        // Scrolling to one end may have moved the other.
        const again = isLive(to.element) ? await requirePressable(to, workplace) : toPlace;
        return { fromPlace, toPlace: again };
      },
      act({ element }, { fromPlace, toPlace }) {
        dragFromTo({ element, point: fromPlace.point }, toPlace);
        return {};
      },
    },
    workplace,
  );
}
