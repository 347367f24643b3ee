import type { Cancellation } from '@drawbridge/manifest';
import type { PreparedPress, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import type { PrimitiveContext } from './primitive-context.ts';

export type PressPlace = PreparedPress | { readonly ok: false; readonly error: RefusalData };
type Pressing = InputOf<'element.click'>;
type PressContext = Pick<PrimitiveContext, 'host' | 'origin' | 'cancellation'> & {
  /** A person was asked: page code also says what would be sent now, in the turn that prepares the press. */
  readonly content?: boolean;
};

/** A press that is prepared while its call is weighed: both take one way to the page and back. */
export interface EarlyPress {
  /** What page code says of what would be pressed. */
  readonly purpose: () => Promise<unknown>;
  /** The place to press, for the first who asks; nothing when it was given up. */
  readonly take: () => Promise<PressPlace> | undefined;
  /** Nobody presses: takes the guard off the page again, unless the place was taken. */
  readonly drop: () => void;
}

const PRESSES: ReadonlySet<string> = new Set(['element.click', 'element.double_click']);

/** Nothing for a primitive that no host presses. Preparing scrolls: only for a call that may act. */
export function prepareEarly(
  name: string,
  args: unknown,
  { host, origin, cancellation, content = false }: PressContext,
): EarlyPress | undefined {
  if (!PRESSES.has(name) || host.input === undefined) return undefined;
  // Not cancelled with its call: then nobody would know whose guard stays on the page.
  const [id, options] = pressArguments(parsePressing(args), origin);
  const weighed = host.callPage('act.press', [id, { ...options, content }]).then(parseWeighed);
  let prepared: Promise<PressPlace> | undefined = weighed.then(({ place }) => place);
  // Whoever takes it hears how it failed.
  prepared.catch(() => undefined);
  const taken = () => {
    const last = prepared;
    prepared = undefined;
    return last;
  };
  const letGo = async (place: PressPlace) => place.ok && host.callPage('confirm', [place.token]);
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
}

export async function preparePress(
  pressing: Pressing,
  { host, origin, cancellation }: PressOptions,
): Promise<PressPlace> {
  return parsePlace(await host.callPage('preparePress', pressArguments(pressing, origin), cancellation));
}

function pressArguments(
  { id, expected, button = 'left', modifiers = [] }: Pressing,
  origin: string | undefined,
): [id: string, options: object] {
  const options = {
    ...(expected !== undefined && { expected }),
    ...(origin !== undefined && { origin }),
    button,
    modifiers,
  };
  return [id, options];
}

// The schema of a press has been checked; the page code is ours.

function parsePressing(args: unknown): Pressing {
  return args as Pressing;
}

function parseWeighed(answer: unknown): { readonly place: PressPlace; readonly purpose: unknown } {
  return answer as { readonly place: PressPlace; readonly purpose: unknown };
}

function parsePlace(answer: unknown): PressPlace {
  return answer as PressPlace;
}
