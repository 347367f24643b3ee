import type { Confirmed, Landed, PreparedPress, Rechecked, RefusalData } from '@drawbridge/page';
import type { DragPoints, PointTarget } from '@drawbridge/page/calls';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { actTargetOf } from '../grants/act-targets.ts';
import { DocumentLeft, type Point, type SurfaceHost } from '../host.ts';
import type { HandlerContext } from './handler-context.ts';

type Args = Readonly<Record<string, unknown>>;

/** Both ends of a drag, or the element at a point, for presses without an id. */
type TargetFacts = Partial<DragPoints> & { readonly target?: PointTarget };
type PressOrRefusal = (PreparedPress & TargetFacts) | { readonly ok: false; readonly error: RefusalData };
export type ReadyPress = Extract<PressOrRefusal, { ok: true }>;

/**
 * A press that page code has found, classified and guarded in one call, so that the classified element is the
 * pressed one. Page code guards it until it is pressed or released.
 */
export interface GuardedPress {
  readonly press: PressOrRefusal;
  /** Element context of the pressed element. */
  readonly elementContext: unknown;
  /** A handler has taken it and ends it. */
  isTaken: boolean;
}

/** On the element, at its `at` if there is one, else at a point of the viewport. */
function idOrPoint({ id, at }: Args): unknown {
  const [x, y] = Array.isArray(at) ? at : [];
  return id ?? { x, y };
}

/** The target of each pressing primitive. Others are done by page code on the named element. */
const PRESS_TARGETS: ReadonlyMap<string, (args: Args) => unknown> = new Map<string, (args: Args) => unknown>([
  ['element.click', idOrPoint],
  ['element.double_click', idOrPoint],
  ['element.drag', ({ id }) => id],
  ['pointer.click', ({ x, y }) => ({ x, y })],
  ['pointer.double_click', ({ x, y }) => ({ x, y })],
  ['pointer.drag', (args) => args],
  [
    'element.keys',
    (args) => ({ ...actTargetOf('element.keys', args), ...(args['id'] !== undefined && { id: args['id'] }) }),
  ],
  ['keyboard.press', (args) => actTargetOf('keyboard.press', args)],
  ['text.type', (args) => actTargetOf('text.type', args)],
]);
/** Without trusted input, page code finds the targets of these itself. */
const TRUSTED_ONLY: ReadonlySet<string> = new Set(['pointer.drag', 'text.type']);

interface PressOptions {
  readonly host: SurfaceHost;
  readonly origin?: string | undefined;
  /** Set when a person is asked: page code also returns the content that would be sent. */
  readonly content?: boolean;
}

/** Whether a primitive presses something that page code prepares. */
export const presses = (name: string, { input }: SurfaceHost): boolean =>
  PRESS_TARGETS.has(name) && !(input === undefined && TRUSTED_ONLY.has(name));

/**
 * Prepares a press. Preparing scrolls, so only for a call that may act. Not cancelled with its call, as the
 * guard on the page would then have no owner.
 */
export async function preparePress(
  name: string,
  args: Args,
  { host, origin, content = false }: PressOptions,
): Promise<GuardedPress> {
  const { expected, button = 'left', modifiers = [], id, at, hold_ms } = trustPressing(args);
  const way = name === 'element.drag' ? { way: 'drag', ...wayIn(args) } : {};
  const options = {
    ...(id !== undefined && at !== undefined && { at }),
    ...(hold_ms !== undefined && { held: true }),
    ...(Array.isArray(args['keys']) && args['keys'].length > 1 && { several: true }),
    ...way,
    ...(expected !== undefined && { expected }),
    ...(origin !== undefined && { origin }),
    ...(content && { content }),
    button,
    modifiers,
  };
  return trustGuarded(await host.callPage('act.prepare_press', [PRESS_TARGETS.get(name)?.(args), options]));
}

const WAY = ['at', 'to_id', 'to', 'by', 'path'];

/** Fields that say where a drag or a move goes. */
export const wayIn = (args: Args): Args =>
  Object.fromEntries(WAY.flatMap((field) => (args[field] === undefined ? [] : [[field, args[field]]])));

/** Removes the guard from the page, unless the press was taken. */
export async function releaseUntaken(prepared: GuardedPress | undefined, host: SurfaceHost): Promise<void> {
  if (prepared === undefined || prepared.isTaken || !prepared.press.ok) return;
  prepared.isTaken = true;
  await host.callPage('releasePress', [prepared.press.token]).catch(() => undefined);
}

/** The press that was classified; a step of a trusted map is not classified, and prepared here. */
export async function readyPressFor(name: string, args: Args, context: HandlerContext): Promise<ReadyPress> {
  const { prepared = await preparePress(name, args, context) } = context;
  prepared.isTaken = true;
  if (!prepared.press.ok) throw refusal(prepared.press.error);
  return prepared.press;
}

/**
 * Moves the pointer first, so that the page applies its hover effects; has the page recheck the target; only
 * then presses. The guard stays until the page reports the outcome, and is removed on a failure. A moving
 * element is pressed where it is now, and again after a miss, which the guard kept from everything else.
 */
export async function pressGuarded(
  { token }: ReadyPress,
  at: Point | undefined,
  context: HandlerContext,
  press: (at: Point | undefined) => Promise<void>,
): Promise<void> {
  const recheck = async (moving: Promise<void> | undefined): Promise<Point | undefined> => {
    const [checked] = await Promise.all([
      context.page<Rechecked>('recheckPress', token, moving !== undefined),
      moving,
    ]);
    if (!checked.ok) throw refusal(checked.error);
    return checked.point;
  };
  try {
    let now = await recheck(at && context.host.input?.aim(at));
    await press(now ?? at);
    for (let more = MOST_PRESSES; now !== undefined && more > 0; more--) {
      if (await hasLanded(token, context)) return;
      now = (await recheck(undefined)) ?? now;
      await press(now);
    }
  } catch (error) {
    await context.page('releasePress', token).catch(() => undefined);
    throw error;
  }
}

/** Further presses of an element that moves away from each. */
const MOST_PRESSES = 5;

/** A press that took its page away has landed. */
async function hasLanded(token: string, context: HandlerContext): Promise<boolean> {
  try {
    const answer = await context.page<Landed>('hasLanded', token);
    return !answer.ok || answer.landed;
  } catch (error) {
    if (error instanceof DocumentLeft) return true;
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

// Validated against the schema before; the page code is ours.

function trustPressing(args: Args): Partial<InputOf<'element.click'>> {
  return args as Partial<InputOf<'element.click'>>;
}

function trustGuarded(answer: unknown): GuardedPress {
  return { ...(answer as Omit<GuardedPress, 'isTaken'>), isTaken: false };
}
