import { BridgeError } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import type { InputOf, PrimitiveName } from '@drawbridge/protocol/primitives';
import { SHORT_ROLES } from '@drawbridge/protocol/semantic';
import { oneLine } from '../answer/fence.ts';
import { fieldsOf, namedAsOurs, ticked, wrong } from './step-names.ts';
import type { Fields } from './tool.ts';
import { fileOf } from './uploaded-file.ts';

type Pair = [number, number];

/** The fields of a step, as they are after aliases. */
interface Given {
  readonly tab?: string;
  readonly id?: string;
  readonly target?: string;
  readonly value?: string;
  readonly at?: Pair;
  readonly to?: Pair;
  readonly by?: Pair;
  readonly path?: Pair[];
  readonly ms?: number;
  readonly nth?: number;
  readonly modifiers?: string[];
  readonly file?: string;
}

export type Field = keyof Given;

export interface PrimitiveCall {
  readonly name: PrimitiveName;
  readonly arguments: Fields;
}

const primitive = <Name extends PrimitiveName>(name: Name, args: InputOf<Name>): PrimitiveCall => ({
  name,
  arguments: { ...args },
});

type Place = Pick<InputOf<'element.click'>, 'id' | 'at'>;

const placed = ({ id, at }: Given): Place => ({ ...(id !== undefined && { id }), ...(at && { at }) });

type Click = Omit<InputOf<'element.click'>, 'id' | 'at' | 'expected'>;

const click =
  (how: Click) =>
  (step: Given): PrimitiveCall =>
    primitive('element.click', {
      ...placed(step),
      ...how,
      ...(step.modifiers && { modifiers: step.modifiers.map(modifierOf) }),
      ...(how.touch === true && step.ms !== undefined && { hold_ms: step.ms }),
    });

interface Kind {
  /** `point`: an id, a target or a point; `element`: an id or a target; `focus`: as `element`, or neither. */
  readonly place: 'point' | 'element' | 'focus' | 'none';
  readonly needs?: readonly Field[];
  readonly takes?: readonly Field[];
  readonly make?: (step: Given) => PrimitiveCall;
}

const CLICK = { place: 'point', takes: ['modifiers'] } as const;
const KEYS = { place: 'focus', needs: ['value'] } as const;

/** Every kind of step. One without `make` is done by the tool itself. */
export const KINDS = {
  click: { ...CLICK, make: click({}) },
  double_click: { ...CLICK, make: click({ count: 2 }) },
  triple_click: { ...CLICK, make: click({ count: 3 }) },
  right_click: { ...CLICK, make: click({ button: 'right' }) },
  middle_click: { ...CLICK, make: click({ button: 'middle' }) },
  tap: { place: 'point', takes: ['ms'], make: click({ touch: true }) },
  double_tap: { place: 'point', make: click({ touch: true, count: 2 }) },
  hold: {
    place: 'point',
    takes: ['ms', 'value', 'modifiers'],
    make: (step) =>
      primitive('element.click', {
        ...placed(step),
        hold_ms: step.ms ?? (step.value === undefined ? HOLD_MS : HOLD_UNTIL_MS),
        ...(step.value !== undefined && { until: step.value }),
        ...(step.modifiers && { modifiers: step.modifiers.map(modifierOf) }),
      }),
  },
  hover: {
    place: 'point',
    takes: ['path'],
    make: (step) => primitive('element.hover', { ...placed(step), ...(step.path && { path: step.path }) }),
  },
  drag: {
    place: 'point',
    takes: ['value', 'to', 'by', 'path'],
    make: ({ value, to, by, path, ...step }) =>
      primitive('element.drag', {
        ...placed(step),
        ...(value !== undefined && { to_id: value }),
        ...(to && { to }),
        ...(by && { by }),
        ...(path && { path }),
      }),
  },
  swipe: {
    place: 'point',
    takes: ['to', 'by', 'path'],
    make: ({ to, by, path, ...step }) =>
      primitive('element.drag', {
        ...placed(step),
        ...(to && { to }),
        ...(by && { by }),
        ...(path && { path }),
        touch: true,
      }),
  },
  wheel: {
    place: 'point',
    needs: ['by'],
    make: (step) => primitive('element.wheel', { ...placed(step), by: step.by ?? [0, 0] }),
  },
  scroll: {
    place: 'focus',
    takes: ['value', 'to', 'by'],
    make: (step) => primitive('element.scroll_to', { ...placed(step), ...scrollOf(step) }),
  },
  focus: { place: 'element', make: (step) => primitive('element.focus', { id: step.id ?? '' }) },
  fill: {
    ...{ place: 'element', needs: ['value'] },
    make: ({ id = '', value = '' }) => primitive('element.fill', { id, text: value }),
  },
  type: {
    ...{ place: 'focus', needs: ['value'], takes: ['ms'] },
    make: ({ id = '', value = '' }) => primitive('element.type', { id, text: value }),
  },
  select: {
    ...{ place: 'element', needs: ['value'] },
    make: ({ id = '', value = '' }) => primitive('element.select', { id, choice: { label: value } }),
  },
  select_text: {
    ...{ place: 'focus', takes: ['value', 'nth'] },
    make: ({ id = '', value, nth }) =>
      primitive('element.select_text', {
        id,
        ...(value !== undefined && { text: value }),
        ...(nth !== undefined && { nth }),
      }),
  },
  check: { place: 'element', make: ({ id = '' }) => primitive('element.check', { id }) },
  uncheck: { place: 'element', make: ({ id = '' }) => primitive('element.uncheck', { id }) },
  keys: {
    ...{ ...KEYS, takes: ['ms'] },
    make: (step) =>
      primitive('element.keys', { ...keysOf(step), ...(step.ms !== undefined && { hold_ms: step.ms }) }),
  },
  key_down: { ...KEYS, make: (step) => primitive('element.keys', { ...keysOf(step), phase: 'down' }) },
  key_up: { ...KEYS, make: (step) => primitive('element.keys', { ...keysOf(step), phase: 'up' }) },
  upload: {
    ...{ place: 'element', needs: ['value'], takes: ['file'] },
    make: ({ id = '', value = '', file = '' }) =>
      primitive('element.upload', { id, files: [fileOf(value, file)] }),
  },
  accept_dialog: {
    ...{ place: 'none', takes: ['value'] },
    make: ({ value }) =>
      primitive('browser.dismiss_dialog', {
        accept: true,
        ...(value !== undefined && value !== '' && { prompt_text: value }),
      }),
  },
  dismiss_dialog: { place: 'none', make: () => primitive('browser.dismiss_dialog', {}) },
  wait: { place: 'none', takes: ['target', 'value', 'ms'] },
  wait_gone: { place: 'none', needs: ['value'], takes: ['ms'] },
  look: { place: 'none', takes: ['value'] },
  screenshot: { place: 'none' },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

const HOLD_MS = 1_000;
const HOLD_UNTIL_MS = 10_000;

export interface Step extends Given {
  readonly kind: KindName;
  /** In our words: what the agent asked for. */
  readonly words: string;
}

const keysOf = ({ id, value = '' }: Given) => ({
  ...(id !== undefined && { id }),
  keys: chordsIn(value),
});

const chordsIn = (value: string): string[] => (value.trim() === '' ? [value] : value.trim().split(/\s+/));

const MODIFIERS = {
  alt: 'Alt',
  control: 'Control',
  ctrl: 'Control',
  meta: 'Meta',
  cmd: 'Meta',
  shift: 'Shift',
};

function modifierOf(name: string): 'Alt' | 'Control' | 'Meta' | 'Shift' {
  const key = name.toLowerCase();
  for (const [known, modifier] of Object.entries(MODIFIERS))
    if (known === key) return trustModifier(modifier);
  throw new BridgeError('invalid_input', `\`modifiers\` are Alt, Control, Meta, Shift; got \`${name}\`.`);
}

function scrollOf({ value, to, by }: Given): Omit<InputOf<'element.scroll_to'>, 'id'> {
  if (to !== undefined) return { to };
  if (by !== undefined) {
    const [x, y] = by;
    if (x !== 0) return { direction: x > 0 ? 'right' : 'left', by: Math.abs(x) };
    return { direction: y > 0 ? 'down' : 'up', by: Math.abs(y) };
  }
  const [first = '', second] = (value ?? '').toLowerCase().split(/[\s,]+/);
  const end = ENDS[second ?? first];
  if (first === 'down' || first === 'up' || first === 'left' || first === 'right')
    return { direction: first, ...(end && { to: end }) };
  if (end !== undefined) return { to: end };
  if (first === '') return {};
  throw wrong('scroll', '`value` is down, up, left, right, start or end; a position goes in `to`: [x, y]');
}

const ENDS: Readonly<Record<string, 'start' | 'end'>> = {
  ...{ start: 'start', top: 'start', end: 'end', bottom: 'end' },
};

/** A step with our names, or an error that names the right ones. Keys are cut before Enter and Space. */
export function stepsFrom(given: unknown, scale: number): Step[] {
  const { name, fields } = namedAsOurs(isObject(given) ? given : {});
  const kind = Object.keys(KINDS).find((each): each is KindName => each === name);
  if (kind === undefined)
    throw new BridgeError(
      'invalid_input',
      `A step has one of these to \`do\`: ${Object.keys(KINDS).join(', ')}.`,
    );
  const spec: Kind = KINDS[kind];
  const step = parsed(kind, fieldsOf(kind, fields, fieldsFor(kind)));
  checkFields(kind, spec, step);
  const scaled = scale === 1 || kind === 'scroll' ? step : inPageGrid(step, kind, scale);
  // Values are refused before any step runs.
  spec.make?.(scaled);
  return partsOf(kind, scaled).map((part) => ({ ...part, kind, words: wordsOf(kind, part) }));
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isPair = (value: unknown): value is Pair =>
  Array.isArray(value) && value.length === 2 && value.every(isNumber);

/** How each field must look. */
const FORMS: Readonly<Record<Field, readonly [(value: unknown) => boolean, string]>> = {
  tab: [(value) => typeof value === 'string', 'a tab id or a part of an address, or `new`'],
  id: [(value) => typeof value === 'string', 'a text'],
  target: [(value) => typeof value === 'string', 'a role and a name, as `button Save`'],
  value: [(value) => typeof value === 'string', 'a text'],
  file: [(value) => typeof value === 'string', 'a text'],
  at: [isPair, 'a point: [x, y]'],
  to: [isPair, 'a point: [x, y]'],
  by: [isPair, 'a distance: [x, y]'],
  path: [(value) => Array.isArray(value) && value.length > 1 && value.every(isPair), 'two or more points'],
  ms: [(value) => isNumber(value) && value >= 0 && value <= 30_000, 'milliseconds, at most 30000'],
  nth: [(value) => Number.isInteger(value) && Number(value) > 0, 'a number from 1'],
  modifiers: [(value) => Array.isArray(value), 'a list'],
};

/** A point as an object, as other tools have it, is read as ours. */
const pairIn = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).sort().join() === 'x,y' ? [value['x'], value['y']] : value;

function parsed(kind: KindName, found: Record<string, unknown>): Given {
  const tidy: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(found)) {
    const text = typeof value === 'number' && ['id', 'value', 'tab'].includes(field) ? String(value) : value;
    const list = field === 'modifiers' && typeof value === 'string' ? value.split(/[\s+,]+/) : pairIn(text);
    const joined = field === 'value' && Array.isArray(list) ? list.join(' ') : list;
    const form = FORMS[trustField(field)];
    if (!form[0](joined)) throw wrong(`${kind}:`, `\`${field}\` must be ${form[1]}`);
    if (joined !== '' || field === 'value') tidy[field] = joined;
  }
  return trustGiven(tidy);
}

const PLACES: Readonly<Record<Kind['place'], readonly Field[]>> = {
  point: ['id', 'target', 'at'],
  element: ['id', 'target'],
  focus: ['id', 'target'],
  none: [],
};

function fieldsFor(kind: KindName): Field[] {
  const { place, needs = [], takes = [] }: Kind = KINDS[kind];
  return [...PLACES[place], ...needs, ...takes, 'tab'];
}

function checkFields(kind: KindName, { place, needs = [] }: Kind, step: Given): void {
  const fields = fieldsFor(kind);
  const extra = Object.keys(step).filter((name) => !fields.some((field) => field === name));
  if (extra.length > 0) {
    throw wrong(kind, `takes ${ticked(fields)}; got ${ticked(extra)}`);
  }
  const missing = needs.filter((field) => step[field] === undefined);
  if (missing.length > 0) throw wrong(kind, `needs ${ticked(missing)}`);
  const { id, target, at, path, to, by, value } = step;
  if (id !== undefined && target !== undefined) throw wrong(kind, 'takes `id` or `target`, not both');
  const isPlaced = (id ?? target) !== undefined || (place === 'point' && (at ?? path) !== undefined);
  if ((place === 'element' || place === 'point') && !isPlaced)
    throw wrong(
      kind,
      `needs ${place === 'point' ? '`id`, `target` or `at`' : '`id` or `target`'}, from a snapshot`,
    );
  const ways = [value ?? to, by, path].filter((way) => way !== undefined);
  if (kind === 'drag' && ways.length !== 1)
    throw wrong(
      kind,
      'needs one of `value` (an id or a target, with `to` for a point in it), `to`, `by` and `path`',
    );
}

/** Points were read from a picture of this scale. A wheel turns by a distance that no picture shows. */
function inPageGrid(step: Given, kind: KindName, scale: number): Given {
  const scaled = ([x, y]: Pair): Pair => [Math.round(x / scale), Math.round(y / scale)];
  const { at, to, by, path } = step;
  return {
    ...step,
    ...(at && { at: scaled(at) }),
    ...(to && { to: scaled(to) }),
    ...(by && kind !== 'wheel' && { by: scaled(by) }),
    ...(path && { path: path.map(scaled) }),
  };
}

const PRESSING = /(?:^|\+)(?:Enter|Return|NumpadEnter|Space)$/i;

const KEY_NAMES: Readonly<Record<string, string>> = { ' ': 'Space', '\n': 'Enter', '\t': 'Tab' };

/** The keys that write a text where only keys are heard; each call begins with an Enter or Space, if there is one. */
export function keysFor(text: string): string[][] {
  const keys = [...text].map((letter) => KEY_NAMES[letter] ?? letter);
  return partsIn(keys);
}

/** Each Enter and Space is asked about by itself, so that it begins a call. */
function partsIn(chords: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (const chord of chords) {
    const last = parts.at(-1);
    if (last === undefined || PRESSING.test(chord) || last.length >= 100) parts.push([chord]);
    else last.push(chord);
  }
  return parts;
}

function partsOf(kind: KindName, step: Given): Given[] {
  const [x = 0, y = 0] = step.by ?? [];
  // A scroll goes one way at a time.
  if (kind === 'scroll' && x !== 0 && y !== 0)
    return [
      { ...step, by: [x, 0] },
      { ...step, by: [0, y] },
    ];
  if (kind !== 'keys' || step.value === undefined) return [step];
  const parts = partsIn(chordsIn(step.value));
  const { id: _, target: __, ...later } = step;
  // After the first part the focus may have moved: the keys follow it.
  return parts.map((part, index) => ({ ...(index === 0 ? step : later), value: part.join(' ') }));
}

const SHOWN_VALUE: ReadonlySet<KindName> = new Set(['keys', 'key_down', 'key_up', 'wait', 'wait_gone']);

function wordsOf(kind: KindName, { tab, id, target, at, value }: Given): string {
  const words = [
    kind,
    id ?? target ?? (at && `at ${at.join(',')}`),
    SHOWN_VALUE.has(kind) ? value : undefined,
    tab && `in ${tab}`,
  ];
  return oneLine(words.filter((word) => word !== undefined && word !== '').join(' '), 80);
}

/** Roles, and words that a snapshot has for them. */
const ROLES: ReadonlySet<string> = new Set([
  ...Object.entries(SHORT_ROLES).flat(),
  ...'alert alertdialog application article banner canvas cell checkbox code color columnheader'.split(' '),
  ...'combobox complementary contentinfo date definition dialog document feed figure file form'.split(' '),
  ...'generic grid gridcell group iframe img list log main menubar menuitemcheckbox'.split(' '),
  ...'menuitemradio meter navigation note paragraph progressbar radiogroup region row rowgroup'.split(' '),
  ...'rowheader scrollbar search separator status table tablist tabpanel textarea time timer'.split(' '),
  ...'toolbar tooltip treegrid treeitem video'.split(' '),
]);

/** Kinds of a snapshot line that are no roles: the name alone finds the element. */
const KINDS_ONLY = new Set(
  'text box svg circle ellipse rect polygon polyline path line image editor combo'.split(' '),
);

/** `button Save`, `btn "Save"`, `text Attic`, or a name alone. */
export function locatorOf(target: string): { readonly role?: string; readonly name?: string } {
  const [, first = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(target.trim()) ?? [];
  // Names begin with a capital letter more often than not; roles never do.
  const role = first;
  const plain = (text: string) => text.trim().replace(/^["'“](.*)["'”]$/, '$1');
  if (KINDS_ONLY.has(role) && rest !== '') return { name: plain(rest) };
  if (!ROLES.has(role)) return { name: plain(target) };
  return { role, ...(rest !== '' && { name: plain(rest) }) };
}

// Checked above.

function trustGiven(step: Record<string, unknown>): Given {
  return step as Given;
}

function trustField(field: string): Field {
  return field as Field;
}

function trustModifier(name: string): 'Alt' | 'Control' | 'Meta' | 'Shift' {
  return name as 'Alt';
}
