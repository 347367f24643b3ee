import type { Manner } from '@drawbridge/page/calls';
import type { SurfaceHost } from '../host.ts';
import { mannerOf } from './chords.ts';

export type Args = Readonly<Record<string, unknown>>;

/** The element that page code is asked about, and the action on it. */
export interface ActTarget {
  readonly by: Manner;
  readonly id?: unknown;
  readonly x?: unknown;
  readonly y?: unknown;
  readonly focused?: true;
  readonly locator?: unknown;
  readonly choice?: unknown;
}

type ActTargetsOf = (args: Args, host: SurfaceHost) => readonly ActTarget[] | Promise<readonly ActTarget[]>;

const pressed: ActTargetsOf = ({ id, at }) => [{ ...placeOf(id, at), by: 'press' }];

/** By its id, else by the point. */
function placeOf(id: unknown, at: unknown): Pick<ActTarget, 'id' | 'x' | 'y'> {
  const [x, y] = Array.isArray(at) ? at : [];
  return id === undefined ? { x, y } : { id };
}

const pressedAt: ActTargetsOf = ({ x, y }) => [{ x, y, by: 'press' }];

/** A drag is asked about at both ends, because one that ends where it began is a press. */
export const ACT_TARGETS: ReadonlyMap<string, ActTargetsOf> = new Map<string, ActTargetsOf>([
  ['element.click', pressed],
  ['element.double_click', pressed],
  ['element.check', pressed],
  ['element.uncheck', pressed],
  ['element.fill', ({ id, text }) => [{ id, by: 'write', choice: { label: text } }]],
  ['element.type', ({ id, text }) => [{ id, by: typed(text) }]],
  ['element.select', ({ id, choice }) => [{ id, by: 'choose', choice }]],
  ['element.upload', ({ id }) => [{ id, by: 'upload' }]],
  // A press is prepared before it: its classification has both ends, wherever they are.
  ['element.select_text', pressed],
  ['element.drag', ({ id, at, path, to, to_id }) => dragEnds(id, at ?? firstOf(path), to_id, to)],
  [
    'element.keys',
    (args) => [
      { ...(args['id'] === undefined ? FOCUSED : { id: args['id'] }), by: mannerOf('element.keys', args) },
    ],
  ],
  ['keyboard.press', (args) => [actTargetOf('keyboard.press', args)]],
  ['pointer.click', pressedAt],
  ['pointer.double_click', pressedAt],
  ['pointer.drag', async (args, host) => (await endsOf(args, host)).map((end) => ({ ...end, by: 'press' }))],
  ['text.type', (args) => [actTargetOf('text.type', args)]],
  [
    'text.insert',
    ({ text, target, mode }) => [inserted(target, mode === 'append' ? typed(text) : 'write', text)],
  ],
  // The existing value is unknown here; after an append it may contain a line break.
  ['transfer.insert', ({ target, mode }) => [inserted(target, mode === 'append' ? 'lines' : 'write')]],
  ['clipboard.paste', ({ text, target }) => [inserted(target, typed(text))]],
]);

const firstOf = (path: unknown): unknown => (Array.isArray(path) ? path[0] : undefined);

function dragEnds(id: unknown, at: unknown, toId: unknown, to: unknown): ActTarget[] {
  const ends = [placeOf(id, at), ...(toId === undefined ? [] : [{ id: toId }])];
  if (id === undefined && Array.isArray(to)) ends.push(placeOf(undefined, to));
  return ends.map((end) => ({ ...end, by: 'press' }));
}

const FOCUSED = { focused: true } as const;

/** Keys and text go to the focused element. */
export function actTargetOf(name: string, args: Args): ActTarget {
  return { ...FOCUSED, by: name === 'text.type' ? typed(args['text']) : mannerOf(name, args) };
}

/** Page code types a line break as Enter. */
const typed = (text: unknown): Manner => (/[\n\r]/.test(String(text ?? '')) ? 'lines' : 'write');

const inserted = (target: unknown, by: Manner, text?: unknown): ActTarget => ({
  ...(target === undefined ? FOCUSED : { locator: target }),
  by,
  ...(text !== undefined && { choice: { label: text } }),
});

interface End {
  readonly x: unknown;
  readonly y: unknown;
}

/** An end may be a locator, and scrolling to one end moves the other: page code resolves both. */
async function endsOf(args: Args, host: SurfaceHost): Promise<readonly End[]> {
  const given = [args['from'], args['to']];
  if (given.every(isPoint)) return given.map(({ x, y }) => ({ x, y }));
  const places: unknown = await host.callPage('pointer.places', [args]);
  const found = typeof places === 'object' && places !== null ? places : {};
  return [Reflect.get(found, 'from'), Reflect.get(found, 'to')].map((end: unknown) =>
    isPoint(end) ? { x: end.x, y: end.y } : { x: undefined, y: undefined },
  );
}

function isPoint(place: unknown): place is End {
  return typeof place === 'object' && place !== null && 'x' in place && 'y' in place;
}
