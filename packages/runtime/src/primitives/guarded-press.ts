import type { Confirmed, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type Point } from '../host.ts';
import { type PressPlace, prepareSpot } from './early-press.ts';
import type { Hands } from './hands.ts';

export type ReadyPlace = Extract<PressPlace, { ok: true }>;

/** The place to press: prepared during classification, else now. */
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
 * Moves the pointer first, so that the page applies its hover effects; has the page recheck the target; only
 * then presses. The guard stays until the page reports the outcome, and is removed on a failure.
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

/** Fails when a press at a point, or typing, was stopped by the guard. */
export async function requireLanded({ token }: ReadyPlace, hands: Hands): Promise<void> {
  const landed = await hands.page<Confirmed>('landed', token).catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The new document does not know a press prepared in the previous one.
  if (landed?.ok === false && !hands.journey.hasLeft()) throw refusal(landed.error);
}

export const refusal = ({ code, message, evidence }: RefusalData): BridgeError =>
  new BridgeError(code, message, { evidence });
