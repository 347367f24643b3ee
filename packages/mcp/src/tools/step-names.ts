import { BridgeError } from '@drawbridge/protocol';
import type { Field, KindName } from './act-steps.ts';
import type { Fields } from './tool.ts';

/** Names that other tools have for our kinds of steps. */
const KIND_ALIASES: Readonly<Record<string, KindName>> = {
  ...{ left_click: 'click', mouse_click: 'click', dblclick: 'double_click', doubleclick: 'double_click' },
  ...{ rightclick: 'right_click', context_click: 'right_click', left_click_drag: 'drag', drag_to: 'drag' },
  ...{ scroll_to: 'scroll', move: 'hover', mouse_move: 'hover', long_press: 'hold', touch: 'tap' },
  ...{ pan: 'swipe', flick: 'swipe' },
  ...{ press: 'keys', press_key: 'keys', key: 'keys', keydown: 'key_down', keyup: 'key_up' },
  ...{ input: 'fill', select_option: 'select', sleep: 'wait', wait_for: 'wait', snapshot: 'look' },
};

/** Names that other tools have for our fields. */
const FIELDS: Readonly<Record<string, Field>> = {
  ...{ tab: 'tab', tab_id: 'tab', tabid: 'tab' },
  ...{ id: 'id', ref: 'id', element_id: 'id', uid: 'id', startref: 'id', start_ref: 'id' },
  ...{ target: 'target', at: 'at', position: 'at', point: 'at', offset: 'at', to: 'to', end: 'to' },
  ...{ coordinate: 'at', coordinates: 'at', start_coordinate: 'at', end_coordinate: 'to' },
  ...{ value: 'value', text: 'value', option: 'value', label: 'value', key: 'value', keys: 'value' },
  ...{ to_id: 'value', endref: 'value', end_ref: 'value', until: 'value', direction: 'value' },
  ...{ attachment_id: 'value', by: 'by', delta: 'by', path: 'path', points: 'path' },
  ...{ ms: 'ms', duration: 'ms', hold_ms: 'ms', time: 'ms', timeout: 'ms', timeout_ms: 'ms' },
  ...{ nth: 'nth', occurrence: 'nth', modifiers: 'modifiers', modifier: 'modifiers' },
  ...{ file: 'file', filename: 'file', file_name: 'file' },
};

export const wrong = (kind: string, why: string): BridgeError =>
  new BridgeError('invalid_input', `${kind} ${why}.`);

export const ticked = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The kind of a step and its other fields, before they are read. */
interface Named {
  readonly name: string;
  readonly fields: Fields;
}

/** A click with its button and count in fields, as Playwright's, is a kind of ours. */
export function namedAsOurs({ do: asked, ...raw }: Fields): Named {
  const { action, type, ...others } = raw;
  const [said, fields] =
    asked !== undefined
      ? [asked, raw]
      : action !== undefined
        ? [action, { ...others, ...(type !== undefined && { type }) }]
        : [type, others];
  const kind = String(said ?? '');
  const name = KIND_ALIASES[kind] ?? kind;
  return name === 'click' ? clickOf(fields) : { name, fields };
}

const BUTTONS: Readonly<Record<string, string>> = {
  left: 'click',
  right: 'right_click',
  middle: 'middle_click',
};
const COUNTS: Readonly<Record<string, string>> = {
  ...{ 1: 'click', 2: 'double_click', 3: 'triple_click' },
  ...{ true: 'double_click', false: 'click' },
};

function clickOf({ button, clickCount, click_count, doubleClick, double, ...fields }: Fields): Named {
  const counted = clickCount ?? click_count ?? doubleClick ?? double;
  const byButton = button === undefined ? 'click' : BUTTONS[String(button)];
  const byCount = counted === undefined ? 'click' : COUNTS[String(counted)];
  if (byButton === undefined) throw wrong('click', '`button` is left, right or middle');
  if (byCount === undefined) throw wrong('click', '`clickCount` is 1, 2 or 3');
  if (byButton !== 'click' && byCount !== 'click') throw wrong(byButton, 'is a single click');
  return { name: byButton === 'click' ? byCount : byButton, fields };
}

export const AN_ID = /^(?:\w+_)?\d+$/;

/** Fields with our names; two names for one field, and a field that no step has, are refused. */
export function fieldsOf(kind: KindName, raw: Fields, takes: readonly Field[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const names = new Map<Field, string>();
  const set = (field: Field, name: string, value: unknown) => {
    const other = names.get(field);
    if (other !== undefined)
      throw wrong(kind, `has ${ticked([other])} and ${ticked([name])}, which mean the same. Give one`);
    names.set(field, name);
    found[field] = value;
  };
  const { x, y, role, name, element, startElement = element, endElement, ...rest } = raw;
  if (x !== undefined || y !== undefined) set('at', 'x', [x, y]);
  if (role !== undefined) set('target', 'role', `${String(role)} ${String(name ?? '')}`);
  else if (name !== undefined) set(kind === 'upload' ? 'file' : 'target', 'name', name);
  const unknown: string[] = [];
  for (const [alias, value] of Object.entries(rest)) {
    const field = fieldNamed(alias.toLowerCase(), raw);
    if (field === undefined) unknown.push(alias);
    else set(field, alias, value);
  }
  // Playwright's tools describe in `element` what `ref` names.
  if (startElement !== undefined && !names.has('id'))
    set(AN_ID.test(String(startElement)) ? 'id' : 'target', 'element', startElement);
  if (endElement !== undefined && !names.has('value')) set('value', 'endElement', endElement);
  if (unknown.length > 0) throw wrong(kind, `takes ${ticked(takes)}; got ${ticked(unknown)}`);
  return found;
}

/** A drag from `start_coordinate` ends at `coordinate`. */
function fieldNamed(alias: string, raw: Fields): Field | undefined {
  if (alias === 'coordinate' && raw['start_coordinate'] !== undefined) return 'to';
  return Object.hasOwn(FIELDS, alias) ? FIELDS[alias] : undefined;
}
