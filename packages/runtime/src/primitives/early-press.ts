import type { Cancellation } from '@drawbridge/manifest';
import type { PreparedPress, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { subjectOf } from '../grants/subjects.ts';
import type { PointTarget } from '../in-page/geometry.ts';
import type { DragPoints } from '../in-page/pointing.ts';
import type { PrimitiveContext } from './primitive-context.ts';

/** Both ends of a drag, or the element at a point, for presses without an id. */
type TargetFacts = Partial<DragPoints> & { readonly target?: PointTarget };
export type PressTarget = (PreparedPress & TargetFacts) | { readonly ok: false; readonly error: RefusalData };
type Pressing = InputOf<'element.click'>;
type PressContext = Pick<PrimitiveContext, 'host' | 'origin' | 'cancellation'> & {
  /** Set when a person was asked: page code also returns the content that would be sent, in the same round trip. */
  readonly content?: boolean;
};
type Args = Readonly<Record<string, unknown>>;

/** A press that is prepared while its call is classified, in one round trip. */
export interface EarlyPress {
  /** Element context of the pressed element. */
  readonly elementContext: () => Promise<unknown>;
  /** The place to press, for the first caller; undefined when it was dropped. */
  readonly take: () => Promise<PressTarget> | undefined;
  /** Removes the guard from the page, unless the place was taken. */
  readonly drop: () => void;
}

/** The target of each pressing primitive. Others are done by page code on the named element. */
const SPOTS: ReadonlyMap<string, (args: Args) => unknown> = new Map<string, (args: Args) => unknown>([
  ['element.click', ({ id }) => id],
  ['element.double_click', ({ id }) => id],
  ['pointer.click', ({ x, y }) => ({ x, y })],
  ['pointer.double_click', ({ x, y }) => ({ x, y })],
  ['pointer.drag', (args) => args],
  [
    'element.keys',
    (args) => ({ ...subjectOf('element.keys', args), ...(args['id'] !== undefined && { id: args['id'] }) }),
  ],
  ['keyboard.press', (args) => subjectOf('keyboard.press', args)],
  ['text.type', (args) => subjectOf('text.type', args)],
]);
/** Without trusted input, page code finds the targets of these itself. */
const TRUSTED_ONLY: ReadonlySet<string> = new Set(['pointer.drag', 'text.type']);

/** Undefined for a primitive that presses nothing. Preparing scrolls, so only for a call that may act. */
export function prepareEarly(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressContext,
): EarlyPress | undefined {
  const spot = SPOTS.get(name)?.(args);
  if (spot === undefined || (host.input === undefined && TRUSTED_ONLY.has(name))) return undefined;
  // Not cancelled with its call, as the guard on the page would then have no owner.
  const call = [spot, { ...pressOptions(args, origin), ...(content && { content }) }];
  const weighed = host.callPage('act.press', call).then(parseWeighed);
  let prepared: Promise<PressTarget> | undefined = weighed.then(({ place }) => place);
  // The caller of `take` handles the error.
  prepared.catch(() => undefined);
  const taken = () => {
    const last = prepared;
    prepared = undefined;
    return last;
  };
  const letGo = async (place: PressTarget) => place.ok && host.callPage('landed', [place.token]);
  const giveUp = async (place: PressTarget): Promise<never> => {
    await letGo(place);
    throw new BridgeError('cancelled', `${name} was cancelled before anything was pressed.`);
  };
  return {
    elementContext: async () => (await weighed).purpose,
    take: () => taken()?.then((place) => (cancellation.cancelled ? giveUp(place) : place)),
    drop() {
      taken()
        ?.then(letGo)
        .catch(() => undefined);
    },
  };
}

interface PressOptions extends Pick<PressContext, 'host'> {
  readonly origin?: string | undefined;
  readonly cancellation?: Cancellation;
  readonly content?: boolean;
}

/** For a step of a trusted map: guarded, but not classified. */
export async function prepareSpot(name: string, args: Args, options: PressOptions): Promise<PressTarget> {
  return (await prepareWeighed(name, args, options)).place;
}

export async function prepareWeighed(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressOptions,
): Promise<{ readonly place: PressTarget; readonly purpose: unknown }> {
  const call = [SPOTS.get(name)?.(args), { ...pressOptions(args, origin), ...(content && { content }) }];
  return parseWeighed(await host.callPage('act.press', call, cancellation));
}

function pressOptions(args: Args, origin: string | undefined): object {
  const { expected, button = 'left', modifiers = [] } = parsePressing(args);
  return {
    ...(expected !== undefined && { expected }),
    ...(origin !== undefined && { origin }),
    button,
    modifiers,
  };
}

// Validated against the schema before; the page code is ours.

function parsePressing(args: Args): Partial<Pressing> {
  return args as Partial<Pressing>;
}

function parseWeighed(answer: unknown): { readonly place: PressTarget; readonly purpose: unknown } {
  return answer as { readonly place: PressTarget; readonly purpose: unknown };
}
