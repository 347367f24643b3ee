import type { TrustedInput } from '../../host.ts';
import { isDialogOpen } from './page-calls.ts';

/** A point of the tab, or the focused element. */
type Place = { readonly x: number; readonly y: number } | { readonly focused: true; readonly by: 'keys' };

/**
 * Trusted input reaches every frame of the tab. Where some frames are refused, page code is asked before each
 * input which element it would reach; `requireOutside` fails for a frame without page code.
 */
export function outsideInput(
  input: TrustedInput,
  hasRefused: () => boolean,
  requireOutside: (place: Place) => Promise<unknown>,
): TrustedInput {
  const outside = async (...places: readonly Place[]): Promise<void> => {
    if (!hasRefused()) return;
    for (const place of places)
      await requireOutside(place).catch((error: unknown) => {
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
    wheel: (place, delta) => outside(at(place)).then(() => input.wheel(place, delta)),
    keys: (chord) => outside(focused).then(() => input.keys(chord)),
    insertText: (text) => outside(focused).then(() => input.insertText(text)),
  };
}

/** Page code answers with a point when the press or key would reach a frame that it cannot read. */
export const isInForeignFrame = (answer: unknown): boolean =>
  purposesIn(answer).some((each) => 'foreign' in each);

/** No text describes its action. */
export const isUnnamed = (answer: unknown): boolean =>
  purposesIn(answer).some((each) => 'words' in each && Array.isArray(each.words) && each.words.length === 0);

function purposesIn(answer: unknown): object[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const purpose: unknown = 'purpose' in answer ? answer.purpose : answer;
  return [purpose].flat().filter((each): each is object => typeof each === 'object' && each !== null);
}

/** Calls whose answer names the element that input would reach. */
export const tellsReached = (name: string): boolean => name === 'act.purpose' || name === 'act.press';
