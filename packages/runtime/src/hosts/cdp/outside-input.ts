import type { TrustedInput } from '../../host.ts';
import { isDialogOpen } from './interruption.ts';

/** A point of the tab, or the focused element. */
type InputTarget =
  | { readonly x: number; readonly y: number }
  | { readonly focused: true; readonly by: 'keys' };

/**
 * Trusted input reaches every frame of the tab. Where some frames are refused, page code is asked before each
 * input which element it would reach; `requireOutside` fails for a frame without page code.
 */
export function outsideInput(
  input: TrustedInput,
  hasRefused: () => boolean,
  requireOutside: (target: InputTarget) => Promise<unknown>,
): TrustedInput {
  const outside = async (...targets: readonly InputTarget[]): Promise<void> => {
    if (!hasRefused()) return;
    for (const target of targets)
      await requireOutside(target).catch((error: unknown) => {
        // Nothing is pressed while a dialog is open; the input itself reports that.
        if (!isDialogOpen(error)) throw error;
      });
  };
  const focused = { focused: true, by: 'keys' } as const;
  const at = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x, y });
  return {
    press: (press) => (hasRefused() ? outside(at(press)).then(() => input.press(press)) : input.press(press)),
    move: (point) => outside(at(point)).then(() => input.move(point)),
    aim: (point) => (hasRefused() ? outside(at(point)).then(() => input.aim(point)) : input.aim(point)),
    drag: (from, to, steps) => outside(at(from), at(to)).then(() => input.drag(from, to, steps)),
    wheel: (target, delta) => outside(at(target)).then(() => input.wheel(target, delta)),
    keys: (chord) => outside(focused).then(() => input.keys(chord)),
    insertText: (text) => outside(focused).then(() => input.insertText(text)),
  };
}

/**
 * Reads an answer about the element that input would reach: in a frame that page code cannot read, for which it
 * gives a point; or without any text that describes its action.
 */
export function reachedElement(answer: unknown): {
  readonly isForeign: boolean;
  readonly isUnnamed: boolean;
} {
  const given: unknown =
    typeof answer === 'object' && answer !== null && 'elementContext' in answer
      ? answer.elementContext
      : answer;
  let [isForeign, isUnnamed] = [false, false];
  for (const each of [given].flat()) {
    if (typeof each !== 'object' || each === null) continue;
    isForeign ||= 'foreign' in each;
    isUnnamed ||= 'words' in each && Array.isArray(each.words) && each.words.length === 0;
  }
  return { isForeign, isUnnamed };
}

/** Calls whose answer names the element that input would reach. */
export const namesReachedElement = (name: string): boolean =>
  name === 'act.element_context' || name === 'act.prepare_press';
