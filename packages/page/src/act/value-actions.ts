import { elementsLike } from '../effect/expected-outcome.ts';
import type { PageError } from '../locate/page-error.ts';
import { nameOf } from '../perceive/accessible-name.ts';
import { pressTarget } from '../perceive/hit-test.ts';
import { roleOf } from '../perceive/role.ts';
import { isVisible } from '../perceive/visibility.ts';
import { isSelect } from '../secrets/secret-field.ts';
import { waitForStability } from '../watch/stability.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform } from './action-run.ts';
import { type Choice, chooseOptions, optionOf, tickOf } from './choice.ts';
import { dropData } from './drag.ts';
import { type FileData, type FileParts, fileFieldOf, filesIn, giveFiles } from './file-choice.ts';
import { viewOf } from './page-events.ts';
import { clickOn, focusFrom } from './pointer.ts';
import { type PressPoint, requireEnabled, requirePressable, requireUsable } from './readiness.ts';
import { refusal } from './refusal.ts';
import { describe, type Target } from './target.ts';

/** Checks or unchecks; succeeds when already so. */
export function check(
  id: string,
  wanted: boolean,
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    ready(target: Target): Promise<PressPoint> | PressPoint {
      const tick = tickOf(target.element);
      if (tick === undefined) {
        throw unfit(target, 'has no tick to set: use click.', context);
      }
      return tick === wanted
        ? { point: { x: 0, y: 0 }, element: target.element }
        : requirePressable(target, context);
    },
    async act({ element }: Target, place: PressPoint): Promise<OwnWord> {
      if (tickOf(element) !== wanted) press(place);
      await waitForStability({ ...context, quietMs: 50, timeoutMs: 500 });
      return {
        achieved: tickOf(element) === wanted,
        shortfall: `it is ${wanted ? 'not ticked' : 'still ticked'}`,
      };
    },
  };
  return perform(wanted ? 'check' : 'uncheck', id, options, steps, context);
}

/** Chooses in a native list, or in one built from roles. */
export function select(
  id: string,
  choices: readonly Choice[],
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    async ready(target: Target): Promise<PressPoint | undefined> {
      requireUsable(target, context);
      return isSelect(target.element) ? undefined : requirePressable(target, context);
    },
    async act(target: Target, place: PressPoint | undefined): Promise<OwnWord> {
      const { element } = target;
      if (isSelect(element)) {
        focusFrom(element);
        return { achieved: true, reads: chooseOptions(element, choices).join(', ') };
      }
      if (place !== undefined) await chooseByRole(target, place, choices, context);
      return {};
    },
  };
  return perform('select', id, options, steps, context);
}

async function chooseByRole(
  target: Target,
  place: PressPoint,
  choices: readonly Choice[],
  context: ActionContext,
): Promise<void> {
  const { element } = target;
  const opens = roleOf(element) !== 'listbox' && element.getAttribute('aria-expanded') !== 'true';
  if (opens) press(place);
  await waitForStability({ ...context, fromNow: opens, quietMs: 100, timeoutMs: 1_000 });
  const { cleaner } = context.watch.secrets;
  const outcomeContext = { ...context, elementOf: context.registry.elementOf, actedId: target.id, cleaner };
  const listed = elementsLike({ role: 'option' }, outcomeContext).filter(isVisible);
  for (const choice of choices) {
    const option = optionOf(listed, choice, nameOf, (one) => one.getAttribute('data-value'));
    const chosen = { id: context.registry.idOf(option), element: option };
    press(await requirePressable(chosen, context));
  }
}

/** The control itself: a button inside its label is another one. */
function press({ element, point }: PressPoint): void {
  clickOn(pressTarget(element), point, 1);
}

function unfit({ id, element }: Target, problem: string, context: ActionContext): PageError {
  const message = `${describe(element, context)} ${problem}`;
  return refusal('invalid_input', 'not_editable', message, { id });
}

/** Puts files into a file field, the one behind a "Choose" button, or a drop area. */
export function upload(
  id: string,
  files: readonly FileData[],
  parts: FileParts,
  options: ActOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const steps = {
    ready(target: Target) {
      requireEnabled(target, context);
    },
    async act(target: Target): Promise<OwnWord> {
      const { element } = target;
      const isDropTarget = !element.matches('input, button, label, [role=button]');
      if (isDropTarget) {
        const { point } = await requirePressable(target, context);
        if (dropData(element, point, filesIn(viewOf(element), files, parts))) return {};
      }
      const field = fileFieldOf(element);
      if (field === undefined) {
        throw unfit(target, 'takes no files, and no file field belongs to it.', context);
      }
      giveFiles(field, files, parts);
      return { achieved: true };
    },
  };
  return perform('upload', id, options, steps, context);
}
