import type { OutputOf } from '@drawbridge/protocol/primitives';
import type { Point, ViewportPart } from '../host.ts';
import type { ReadyPress } from './guarded-press.ts';
import type { HandlerContext } from './handler-context.ts';

/** An action as page code has judged it. */
export type Judged = OutputOf<'element.click'> & { readonly unseen?: true };
const MOST_PX = 2_000;

/**
 * Compares pictures of a drawing that page code cannot read: WebGL, or with pictures of another origin. Taken
 * before the press is checked again, so that nothing comes between the check and the press.
 */
export async function watchDrawing(
  { point, drawing }: ReadyPress,
  { host: { drawn } }: HandlerContext,
): Promise<(acted: Judged) => Promise<Judged>> {
  const unwatched = async (acted: Judged) => acted;
  if (drawn === undefined || drawing === undefined) return unwatched;
  const look = () => drawn(partAt(point, drawing)).catch(() => undefined);
  const [before, again] = [await look(), await look()];
  // A drawing that moves by itself says nothing.
  if (before === undefined || before !== again) return unwatched;
  return async (acted) => {
    const { effect, verification_message } = acted;
    if (effect.drawing === undefined) return acted;
    const now = await look();
    if (now === undefined) return acted;
    const { drawing: _, ...observed } = effect;
    if (now === before)
      return {
        ...acted,
        effect: observed,
        verification_message: verification_message.replace(', drawing not observed', ''),
      };
    return seenByHost(acted, { ...observed, seen: ['the drawing changed'] }, 'the drawing changed');
  };
}

/** Adds a change that page code does not see, which passes an action that had failed only for want of one. */
export function seenByHost(judged: Judged, effect: Judged['effect'], words: string): Judged {
  const { unseen, ...acted } = judged;
  return {
    ...acted,
    effect: { ...effect, happened: true },
    ...(unseen && { verification_passed: true, verification_message: `${acted.action}: ${words}` }),
  };
}

function partAt(
  { x, y }: Point,
  { left, top, width, height }: NonNullable<ReadyPress['drawing']>,
): ViewportPart {
  const [fromX, fromY] = [Math.max(0, x + left), Math.max(0, y + top)];
  return {
    x: fromX,
    y: fromY,
    width: Math.min(MOST_PX, x + left + width - fromX),
    height: Math.min(MOST_PX, y + top + height - fromY),
  };
}
