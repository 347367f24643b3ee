import type { Clock } from '@drawbridge/manifest';
import { BridgeError } from '@drawbridge/protocol';
import { mannerOf } from '../grants/chords.ts';
import type { WeighedCall } from '../grants/primitive-effect.ts';
import { SUBJECTS } from '../grants/subjects.ts';
import { DocumentLeft, type SurfaceHost } from '../host.ts';
import type { HoldOrder } from '../in-page/submit-hold.ts';

interface Act {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** A person has permitted what it sends. */
  readonly isPermitted: boolean;
}

const PRESSES: ReadonlySet<string> = new Set([
  'element.click',
  'element.double_click',
  'element.drag',
  'pointer.click',
  'pointer.double_click',
  'pointer.drag',
]);
/** Not weighed, and heard by the page: a field that loses the focus may send its form. */
const HEARD: ReadonlySet<string> = new Set([
  'element.hover',
  'element.focus',
  'dom.focus',
  'pointer.move',
  'text.select',
]);
/** As long as page code holds after an act. */
const AFTER_MS = 1_000;
const heldUntil = new WeakMap<SurfaceHost, number>();

/** Sending is what was weighed, and nobody would have got so far without a yes. */
export const isPermittedToSend = ({ effect, form }: WeighedCall): boolean =>
  effect === 'irreversible' || form !== undefined;

/**
 * Runs an act. A form that the page sends by itself for it, other than by GET, is stopped: pressing its button asks,
 * and writing into its fields must not be a way around that.
 */
export async function holdingSubmits<T>(
  { name, args, isPermitted }: Act,
  host: SurfaceHost,
  clock: Clock,
  run: () => Promise<T>,
): Promise<T> {
  const order = (given: HoldOrder) => orderHold(host, given);
  const isHeld = (heldUntil.get(host) ?? 0) > clock.now();
  if (isPermitted) {
    if (isHeld) await order('lift');
    heldUntil.delete(host);
    return run();
  }
  const presses = isPress(name, args);
  const holds = HEARD.has(name) || (SUBJECTS.has(name) && !presses);
  if (!holds && !(presses && isHeld)) return run();
  if (holds) await order('hold');
  let stopped: string | null = null;
  try {
    return await run();
  } finally {
    if (holds) heldUntil.set(host, clock.now() + AFTER_MS);
    stopped = await order(holds ? 'release' : 'look');
    // biome-ignore lint/correctness/noUnsafeFinally: how the act ended matters less than what it set off.
    if (stopped !== null) throw sendsByItself(name, stopped);
  }
}

function isPress(name: string, args: Act['args']): boolean {
  if (PRESSES.has(name)) return true;
  return (name === 'element.keys' || name === 'keyboard.press') && mannerOf(name, args) !== 'keys';
}

/** A document that has left holds nothing, and one that shows a dialog is held already. */
async function orderHold(host: SurfaceHost, order: HoldOrder): Promise<string | null> {
  try {
    return parseHeld(await host.callPage('submit.hold', [order])).to;
  } catch (error) {
    if (error instanceof DocumentLeft || error instanceof BridgeError) return null;
    throw error;
  }
}

function sendsByItself(name: string, to: string): BridgeError {
  const message = `${name} was done, and the page was kept from sending its form for it: nobody has permitted that. Press the button of the form instead, which asks the person. If the page has none, wait a second and press what sends it.`;
  return new BridgeError('permission_denied', message, { evidence: { reason: 'sends_by_itself', name, to } });
}

function parseHeld(value: unknown): { readonly to: string | null } {
  return value as { readonly to: string | null };
}
