import type { Cancellation } from '@drawbridge/manifest';
import type { PreparedPress, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { subjectOf } from '../grants/subjects.ts';
import type { PointTarget } from '../in-page/geometry.ts';
import type { DragPlaces } from '../in-page/pointing.ts';
import type { PrimitiveContext } from './primitive-context.ts';

/** Where a drag begins and ends, what is at a point: of presses that have no id. */
type PlaceFacts = Partial<DragPlaces> & { readonly target?: PointTarget };
export type PressPlace = (PreparedPress & PlaceFacts) | { readonly ok: false; readonly error: RefusalData };
type Pressing = InputOf<'element.click'>;
type PressContext = Pick<PrimitiveContext, 'host' | 'origin' | 'cancellation'> & {
  /** A person was asked: page code also says what would be sent now, in the turn that prepares the press. */
  readonly content?: boolean;
};
type Args = Readonly<Record<string, unknown>>;

/** A press that is prepared while its call is weighed: both take one way to the page and back. */
export interface EarlyPress {
  /** What page code says of what would be pressed. */
  readonly purpose: () => Promise<unknown>;
  /** The place to press, for the first who asks; nothing when it was given up. */
  readonly take: () => Promise<PressPlace> | undefined;
  /** Nobody presses: takes the guard off the page again, unless the place was taken. */
  readonly drop: () => void;
}

/** What each would press. Others are done by page code, to the element that is named. */
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
/** By page script these act on what they find themselves. */
const TRUSTED_ONLY: ReadonlySet<string> = new Set(['pointer.drag', 'text.type']);

/** Nothing for a primitive that presses nothing. Preparing scrolls: only for a call that may act. */
export function prepareEarly(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressContext,
): EarlyPress | undefined {
  const spot = SPOTS.get(name)?.(args);
  if (spot === undefined || (host.input === undefined && TRUSTED_ONLY.has(name))) return undefined;
  // Not cancelled with its call: then nobody would know whose guard stays on the page.
  const call = [spot, { ...pressOptions(args, origin), ...(content && { content }) }];
  const weighed = host.callPage('act.press', call).then(parseWeighed);
  let prepared: Promise<PressPlace> | undefined = weighed.then(({ place }) => place);
  // Whoever takes it hears how it failed.
  prepared.catch(() => undefined);
  const taken = () => {
    const last = prepared;
    prepared = undefined;
    return last;
  };
  const letGo = async (place: PressPlace) => place.ok && host.callPage('landed', [place.token]);
  const giveUp = async (place: PressPlace): Promise<never> => {
    await letGo(place);
    throw new BridgeError('cancelled', `${name} was cancelled before anything was pressed.`);
  };
  return {
    purpose: async () => (await weighed).purpose,
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

/** For a step of a map that is believed: nothing is weighed, and the press is guarded all the same. */
export async function prepareSpot(name: string, args: Args, options: PressOptions): Promise<PressPlace> {
  return (await prepareWeighed(name, args, options)).place;
}

export async function prepareWeighed(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressOptions,
): Promise<{ readonly place: PressPlace; readonly purpose: unknown }> {
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

// The schema of a press has been checked; the page code is ours.

function parsePressing(args: Args): Partial<Pressing> {
  return args as Partial<Pressing>;
}

function parseWeighed(answer: unknown): { readonly place: PressPlace; readonly purpose: unknown } {
  return answer as { readonly place: PressPlace; readonly purpose: unknown };
}
