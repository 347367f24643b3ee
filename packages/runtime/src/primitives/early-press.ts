import type { Cancellation } from '@drawbridge/manifest';
import type { PreparedPress, RefusalData } from '@drawbridge/page';
import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { actTargetOf } from '../grants/act-targets.ts';
import type { PointTarget } from '../in-page/geometry.ts';
import type { DragPoints } from '../in-page/pointing.ts';
import type { PrimitiveContext } from './primitive-context.ts';

/** Both ends of a drag, or the element at a point, for presses without an id. */
type TargetFacts = Partial<DragPoints> & { readonly target?: PointTarget };
export type PressOrRefusal =
  | (PreparedPress & TargetFacts)
  | { readonly ok: false; readonly error: RefusalData };
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
  /** The prepared press, for the first caller; undefined when it was dropped. */
  readonly take: () => Promise<PressOrRefusal> | undefined;
  /** Removes the guard from the page, unless the press was taken. */
  readonly drop: () => void;
}

/** The target of each pressing primitive. Others are done by page code on the named element. */
const PRESS_TARGETS: ReadonlyMap<string, (args: Args) => unknown> = new Map<string, (args: Args) => unknown>([
  ['element.click', ({ id }) => id],
  ['element.double_click', ({ id }) => id],
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

/** Undefined for a primitive that presses nothing. Preparing scrolls, so only for a call that may act. */
export function prepareEarly(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressContext,
): EarlyPress | undefined {
  const pressTarget = PRESS_TARGETS.get(name)?.(args);
  if (pressTarget === undefined || (host.input === undefined && TRUSTED_ONLY.has(name))) return undefined;
  // Not cancelled with its call, as the guard on the page would then have no owner.
  const call = [pressTarget, { ...pressOptions(args, origin), ...(content && { content }) }];
  const classified = host.callPage('act.prepare_press', call).then(asPreparedPress);
  let prepared: Promise<PressOrRefusal> | undefined = classified.then(({ press }) => press);
  // The caller of `take` handles the error.
  prepared.catch(() => undefined);
  const taken = () => {
    const last = prepared;
    prepared = undefined;
    return last;
  };
  const release = async (press: PressOrRefusal) => press.ok && host.callPage('releasePress', [press.token]);
  const cancelPress = async (press: PressOrRefusal): Promise<never> => {
    await release(press);
    throw new BridgeError('cancelled', `${name} was cancelled before anything was pressed.`);
  };
  return {
    elementContext: async () => (await classified).elementContext,
    take: () => taken()?.then((press) => (cancellation.cancelled ? cancelPress(press) : press)),
    drop() {
      taken()
        ?.then(release)
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
export async function prepareGuarded(
  name: string,
  args: Args,
  options: PressOptions,
): Promise<PressOrRefusal> {
  return (await prepareClassified(name, args, options)).press;
}

export async function prepareClassified(
  name: string,
  args: Args,
  { host, origin, cancellation, content = false }: PressOptions,
): Promise<{ readonly press: PressOrRefusal; readonly elementContext: unknown }> {
  const call = [
    PRESS_TARGETS.get(name)?.(args),
    { ...pressOptions(args, origin), ...(content && { content }) },
  ];
  return asPreparedPress(await host.callPage('act.prepare_press', call, cancellation));
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

function asPreparedPress(answer: unknown): {
  readonly press: PressOrRefusal;
  readonly elementContext: unknown;
} {
  return answer as { readonly press: PressOrRefusal; readonly elementContext: unknown };
}
