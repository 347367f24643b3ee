import type { Confirmed, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type Point } from '../host.ts';
import { type PressPlace, prepareSpot } from './early-press.ts';
import type { Hands } from './hands.ts';

export type ReadyPlace = Extract<PressPlace, { ok: true }>;

/** The place to press: prepared while the call was weighed, else now. */
export async function placeFor(
  name: string,
  args: Readonly<Record<string, unknown>>,
  hands: Hands,
): Promise<ReadyPlace> {
  const place = await (hands.early?.take() ?? prepareSpot(name, args, hands));
  if (!place.ok) throw refusal(place.error);
  return place;
}

/**
 * Moves the pointer first, so that the page does what it does under a pointer; has the page look again at what would
 * be reached; only then presses. The guard stays until the page is asked how it ended, and is taken off on a failure.
 */
export async function pressGuarded(
  { token }: ReadyPlace,
  at: Point | undefined,
  hands: Hands,
  press: () => Promise<void>,
): Promise<void> {
  try {
    const moving = at && hands.host.input?.aim(at);
    const [checked] = await Promise.all([
      hands.page<Confirmed>('recheckPress', token, moving !== undefined),
      moving,
    ]);
    if (!checked.ok) throw refusal(checked.error);
    await press();
  } catch (error) {
    await hands.page('landed', token).catch(() => undefined);
    throw error;
  }
}

/** Refuses when what was pressed at a point, or typed, was stopped. */
export async function requireLanded({ token }: ReadyPlace, hands: Hands): Promise<void> {
  const landed = await hands.page<Confirmed>('landed', token).catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The document that came knows nothing of a press that was prepared in the one that left.
  if (landed?.ok === false && !hands.journey.hasLeft()) throw refusal(landed.error);
}

export const refusal = ({ code, message, evidence }: RefusalData): BridgeError =>
  new BridgeError(code, message, { evidence });
