import { BridgeError, type EffectClass } from '@drawbridge/protocol';
import type { PrimitiveSpec } from '@drawbridge/protocol/primitives';
import type { SurfaceHost } from '../host.ts';
import { effectOfPress, type Purpose, readPurpose } from './purpose.ts';

export interface WeighedCall {
  readonly effect: EffectClass;
  readonly purpose?: Purpose;
}

type Args = Readonly<Record<string, unknown>>;

/** What page code is asked about: an element by id, a point, or whatever has the focus. */
type Subject =
  | { readonly id: unknown }
  | { readonly x: unknown; readonly y: unknown }
  | { readonly focused: true };

/** The primitives that may set something off, and what each of them touches. */
const PRESSES: ReadonlyMap<string, (args: Args) => Subject> = new Map([
  ...[
    'element.click',
    'element.double_click',
    'element.check',
    'element.uncheck',
    'element.fill',
    'element.type',
  ].map((name) => [name, ({ id }: Args) => ({ id })] as const),
  ...['pointer.click', 'pointer.double_click'].map((name) => [name, ({ x, y }: Args) => ({ x, y })] as const),
  ['pointer.drag', ({ to }: Args) => pointOf(to)],
  ['element.drag', ({ to_id: id }: Args) => ({ id })],
  ['element.keys', ({ id }: Args) => (id === undefined ? { focused: true } : { id })],
  ['keyboard.press', () => ({ focused: true })],
  ['text.type', () => ({ focused: true })],
]);

/** Keys that do what pressing would: the rest only write or move. */
const COMMITTING_KEY = /(?:^|\+)(?:Enter|Return|NumpadEnter|Space| )$/i;

/** Weighs a primitive by what it would touch: a heuristic, and said to be one. */
export async function effectOfPrimitive(
  primitive: PrimitiveSpec,
  args: Args,
  host: SurfaceHost,
): Promise<WeighedCall> {
  const subject = PRESSES.get(primitive.name)?.(args);
  if (subject === undefined) return { effect: primitive.effect };
  const answer = await host.callPage('act.purpose', [subject]);
  // Nobody is asked about what is not there.
  if (answer === null) throw nothingThere(primitive.name, subject);
  const purpose = readPurpose(answer);
  return { effect: commits(primitive.name, args) ? effectOfPress(purpose) : primitive.effect, purpose };
}

const nothingThere = (name: string, subject: Subject): BridgeError =>
  new BridgeError('target_not_found', `${name} found nothing there. Take a snapshot and use an id from it.`, {
    evidence: { ...subject },
  });

function commits(name: string, args: Args): boolean {
  if (name === 'element.fill') return false;
  if (name === 'element.type' || name === 'text.type') return /[\n\r]/.test(String(args['text'] ?? ''));
  if (name !== 'element.keys' && name !== 'keyboard.press') return true;
  return [args['keys'] ?? args['key']].flat().some((chord) => COMMITTING_KEY.test(String(chord)));
}

function pointOf(to: unknown): Subject {
  return typeof to === 'object' && to !== null && 'x' in to && 'y' in to
    ? { x: to.x, y: to.y }
    : { focused: true };
}
