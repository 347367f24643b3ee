import { focusIn } from '../effect/page-state.ts';
import { pressTarget } from '../perceive/hit-test.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, refusable } from './action-run.ts';
import { clickOn, focusFrom, type PointerOptions, reachedBy } from './pointer.ts';
import type { Presses, PressOptions } from './prepared-press.ts';
import type { Way } from './press-points.ts';
import { type PressPoint, requirePressable, requireUsable } from './readiness.ts';
import type { Target } from './target.ts';

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

export async function hover(
  id: string | undefined,
  options: PressOptions,
  { host }: ActionContext,
  presses: Presses,
): Promise<ActionResult> {
  const prepared = await presses.prepareWay(id, 'hover', options);
  if (!prepared.ok) return prepared;
  if (host.hover === undefined) return presses.pressNow(prepared.token, 1, {});
  for (const point of prepared.path ?? []) await host.hover(point);
  return presses.confirm(prepared.token);
}

/** The caller's element dragged to another, to a point or along a path, by page script. */
export async function drag(
  id: string,
  to: Way,
  options: ActOptions,
  presses: Presses,
): Promise<ActionResult> {
  const prepared = await presses.prepareWay(id, 'drag', { ...options, ...to });
  return prepared.ok ? presses.pressNow(prepared.token, 1, {}) : prepared;
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
