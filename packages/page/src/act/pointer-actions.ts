import { focusIn } from '../effect/page-state.ts';
import { isLive } from '../heal/identity.ts';
import { pressTarget } from '../perceive/hit-test.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, refusable } from './action-run.ts';
import { dragFromTo } from './drag.ts';
import { clickOn, focusFrom, hoverOver, type PointerOptions, reachedBy } from './pointer.ts';
import { inOuterDocument, type Presses } from './prepared-press.ts';
import { type PressPoint, requirePressable, requireUsable } from './readiness.ts';
import { resolveTarget, type Target } from './target.ts';

export interface ClickOptions extends ActOptions, PointerOptions {}

/** Trusted through the host if it can, else by synthetic events. */
export async function press(
  action: 'click' | 'double_click',
  id: string,
  options: ClickOptions,
  context: ActionContext,
  presses: Presses,
): Promise<ActionResult> {
  const count = action === 'click' ? 1 : 2;
  const { host } = context;
  if (host.press === undefined) {
    const steps = {
      ready: (target: Target) => requirePressable(target, context),
      act({ element }: Target, { point }: PressPoint): OwnWord {
        clickOn(reachedBy(pressTarget(element), point, context.shadowRootOf), point, count, options);
        return {};
      },
    };
    return perform(action, id, options, steps, context);
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

export function hover(id: string, options: ActOptions, context: ActionContext): Promise<ActionResult> {
  const { host, shadowRootOf, document } = context;
  return perform(
    'hover',
    id,
    options,
    {
      ready: (target) => requirePressable(target, context),
      async act({ element }, { point }) {
        if (host.hover === undefined) hoverOver(reachedBy(element, point, shadowRootOf), point);
        else await host.hover(inOuterDocument(element, point, document));
        return { fidelity: host.hover === undefined ? 'synthetic' : 'trusted' };
      },
    },
    context,
  );
}

export function focus(id: string, options: ActOptions, context: ActionContext): Promise<ActionResult> {
  return perform(
    'focus',
    id,
    options,
    {
      ready: (target) => requireUsable(target, context),
      act({ element }) {
        focusFrom(element);
        const focused = focusIn(context.document, context.shadowRootOf);
        const achieved = focused !== undefined && (element.contains(focused) || focused.contains(element));
        return { achieved, shortfall: 'it does not take the focus' };
      },
    },
    context,
  );
}

export function drag(
  id: string,
  toId: string,
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  return perform(
    'drag',
    id,
    options,
    {
      async ready(from) {
        const to = resolveTarget(toId, context);
        const toPlace = await requirePressable(to, context);
        const fromPoint = await requirePressable(from, context);
        // Scrolling to one end may have moved the other.
        const again = isLive(to.element) ? await requirePressable(to, context) : toPlace;
        return { fromPoint, toPlace: again };
      },
      act({ element }, { fromPoint, toPlace }) {
        dragFromTo({ element, point: fromPoint.point }, toPlace);
        return {};
      },
    },
    context,
  );
}
