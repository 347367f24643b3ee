import type { SurfaceHost } from '../host.ts';
import type { Manner } from '../in-page/element-context.ts';
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

const pressed: ActTargetsOf = ({ id }) => [{ id, by: 'press' }];
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
  ['element.drag', ({ id, to_id }) => [id, to_id].map((end) => ({ id: end, by: 'press' }))],
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
