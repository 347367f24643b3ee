import type { Confirmed, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import { DocumentLeft, type Point } from '../host.ts';
import { type PressOrRefusal, prepareGuarded } from './early-press.ts';
import type { HandlerContext } from './handler-context.ts';

export type ReadyPress = Extract<PressOrRefusal, { ok: true }>;

/** The press: prepared during classification, else now. */
export async function readyPressFor(
  name: string,
  args: Readonly<Record<string, unknown>>,
  context: HandlerContext,
): Promise<ReadyPress> {
  const press = await (context.early?.take() ?? prepareGuarded(name, args, context));
  if (!press.ok) throw refusal(press.error);
  return press;
}

/**
 * Moves the pointer first, so that the page applies its hover effects; has the page recheck the target; only
 * then presses. The guard stays until the page reports the outcome, and is removed on a failure.
 */
export async function pressGuarded(
  { token }: ReadyPress,
  at: Point | undefined,
  context: HandlerContext,
  press: () => Promise<void>,
): Promise<void> {
  try {
    const moving = at && context.host.input?.aim(at);
    const [checked] = await Promise.all([
      context.page<Confirmed>('recheckPress', token, moving !== undefined),
      moving,
    ]);
    if (!checked.ok) throw refusal(checked.error);
    await press();
  } catch (error) {
    await context.page('releasePress', token).catch(() => undefined);
    throw error;
  }
}

/** Fails when a press at a point, or typing, was stopped by the guard. */
export async function requireLanded({ token }: ReadyPress, context: HandlerContext): Promise<void> {
  const landed = await context.page<Confirmed>('releasePress', token).catch((error: unknown) => {
    if (error instanceof DocumentLeft) return undefined;
    throw error;
  });
  // The new document does not know a press prepared in the previous one.
  if (landed?.ok === false && !context.navigation.hasLeft()) throw refusal(landed.error);
}

export const refusal = ({ code, message, evidence }: RefusalData): BridgeError =>
  new BridgeError(code, message, { evidence });
