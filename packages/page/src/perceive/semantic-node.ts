import type { SemanticNode, SemanticNodeV2, ViewNode } from '@drawbridge/protocol/semantic';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { isEditable, isField, isInput, isSelect, isTextArea } from '../secrets/secret-field.ts';
import { fullNameOf, isGuessedName, NAME_LIMIT, withoutOrnaments } from './accessible-name.ts';
import { isControl, isDraggable } from './actionable.ts';
import { hexOf } from './colour.ts';
import { isInShadow } from './composed-tree.ts';
import { isIcon } from './container.ts';
import { hasTrait, roleOf, shortRole } from './role.ts';
import { scrollingOf } from './scrollable.ts';
import { exactValueOf, limitsOf, shownValueOf, stateOf, viewStatesOf } from './state.ts';
import { cutText, textIn } from './text.ts';
import type { Sighting } from './viewport.ts';
import { styleOf } from './walk-cache.ts';

/** The role for an agent: an element that only listens is a button, one that only scrolls a region. */
export function actingRole({ element, reason }: Sighting): string {
  const role = roleOf(element);
  if (!hasTrait(role, 'm')) return role;
  if (element.localName === 'video' || element.localName === 'audio') return element.localName;
  return reason === undefined ? 'region' : 'button';
}

/** Masks secrets; applied to names before they are cut, so that no half of a secret remains. */
type Clean = (text: string) => string;

export function semanticNode(
  sighting: Sighting,
  registry: ElementRegistry,
  clean: Clean,
  withBox = false,
): SemanticNode {
  const { element, box, point, view, coveredBy, scrolls } = sighting;
  const node: SemanticNode = {
    i: registry.idOf(element),
    r: shortRole(actingRole(sighting)),
    n: cutText(ownWords(element, clean(sightingName(sighting))), NAME_LIMIT),
  };
  const value = clean(shownValueOf(element) ?? '');
  const state = stateOf(element);
  const frame = registry.frameNumberOf(view.frame);
  if (value !== '' && (value !== node.n || isField(element))) node.v = value;
  if (state !== undefined) node.s = state;
  node.xy = [Math.round(view.left + point.x), Math.round(view.top + point.y)];
  if (withBox) node.box = boxIn(box, view);
  if (scrolls !== undefined) node.scr = scrollingOf(element, scrolls);
  if (coveredBy !== undefined) node.occ = true;
  if (frame !== 0) node.f = frame;
  return node;
}

/** The same for a view: the exact kind, name, value and states, and whether the name is a guess. */
export function viewNode(sighting: Sighting, registry: ElementRegistry, clean: Clean): ViewNode {
  const { element } = sighting;
  const { v: _value, s: _state, ...rest } = semanticNode(sighting, registry, clean);
  const node: ViewNode = rest;
  node.r = kindOf(sighting);
  node.n = clean(viewName(sighting));
  const value = clean(exactValueOf(element) ?? shownBeside(sighting, node.n) ?? '');
  const kinds = sighting.kinds?.split(' ').filter((kind) => kind !== 'drag' || !isDraggable(element));
  const fill = isNamedBar(element, node) ? hexOf(styleOf(element).fill) : '';
  const states = [viewStatesOf(element), kinds?.join(','), fill && fill !== node.n && `~${fill}`]
    .filter(Boolean)
    .join(',');
  const limits = limitsOf(element);
  // The middle of an outline belongs to the drawing.
  if (isDrawn(element) && sighting.coveredBy?.contains(element)) delete node.occ;
  if (value !== '' && (value !== node.n || isField(element))) node.v = value;
  if (states !== '') node.s = states;
  if (limits !== undefined) node.m = clean(limits);
  if (element.localName === 'canvas' || isNamedBar(element, node)) node.m = sizeOf(element);
  if (node.n !== '' && isGuessed(sighting)) node.g = true;
  return node;
}

/** A bar of a chart says its value by its size. */
const isNamedBar = ({ localName }: Element, { n }: ViewNode): boolean => localName === 'rect' && n !== '';

/** Points in a drawing count from its corner, and the place is that of its middle. */
const sizeOf = (element: Element): string => {
  const { width, height } = element.getBoundingClientRect();
  return `${Math.round(width)}x${Math.round(height)}`;
};

/** Text that a control shows beside another name: the 3 of a cart, the choice of a list. */
function shownBeside({ element, reason, isBox }: Sighting, name: string): string | undefined {
  if (reason === undefined || isBox === true || isField(element) || isDrawn(element)) return undefined;
  const text = textIn(element, LONG_NAME);
  if (text.length > LONG_NAME || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  return name.toLowerCase().includes(withoutOrnaments(text).toLowerCase()) ? undefined : text;
}

/** Kinds of inputs that a person fills in differently; the others are `inp`. */
const INPUT_KINDS = new Set('date time month week color file number'.split(' '));

export function kindOf(sighting: Sighting): string {
  const { element, reason } = sighting;
  const role = actingRole(sighting);
  if (isInput(element)) {
    if (INPUT_KINDS.has(element.type)) return element.type;
    if (element.type === 'datetime-local') return 'datetime';
  }
  if (isTextArea(element)) return 'textarea';
  if (role === 'combobox' && !isSelect(element)) return 'combo';
  if (role === 'textbox' && isEditable(element)) return 'editor';
  if (element.localName === 'svg' && reason !== undefined && isIcon(element)) return shortRole('button');
  if (isDrawn(element) || element.localName === 'canvas') return element.localName;
  if (role === 'button' && element.getAttribute('draggable') === 'true') return 'box';
  if (reason === 'maybe' && role === 'button') return textIn(element, 1) === '' ? 'box' : 'text';
  return shortRole(role);
}

/** A part of a drawing has no words, but a colour. */
export const isDrawn = (element: Element): boolean =>
  element.namespaceURI === 'http://www.w3.org/2000/svg' && roleOf(element) !== 'link';

export function viewName(sighting: Sighting): string {
  const { element } = sighting;
  if (element.localName === 'svg')
    return drawingName(element) || (isIcon(element) ? fullNameOf(element) : '');
  const name = ownWords(element, sightingName(sighting));
  if (name !== '') return holdsText(sighting) ? headOf(element, name) : name;
  if (!isDrawn(element)) return swatchColour(element);
  const colours = [element.getAttribute('fill'), element.getAttribute('stroke')];
  return colours.find((colour) => colour !== null && colour !== 'none') ?? '';
}

/** A nameless box of one colour: the name as the page writes it, else its channels. */
function swatchColour(element: Element): string {
  if (element.childElementCount > 0 || isControl(element) || element.localName === 'canvas') return '';
  const { backgroundColor, backgroundImage } = styleOf(element);
  const colour = backgroundImage === 'none' ? hexOf(backgroundColor) : '';
  if (colour === '' || colour === '#ffffff' || !hasTrait(roleOf(element), 'm')) return '';
  const written = /background(?:-color)?:\s*([a-z]+)\s*(?:;|$)/.exec(element.getAttribute('style') ?? '');
  return written?.[1] ?? colour;
}

function drawingName(drawing: Element): string {
  return (
    drawing.getAttribute('aria-label') ?? drawing.querySelector(':scope > title')?.textContent?.trim() ?? ''
  );
}

function isGuessed({ element, reason }: Sighting): boolean {
  if (fullNameOf(element) === '') return true;
  return reason !== undefined && isGuessedName(element);
}

/** Buttons of a card, at the end of its name. */
const SIGNS = /(?:\s*[^\p{L}\p{N}\s)\]}"'”’.!?%€$£¥°]\uFE0F?)+$/u;
/** A name of more words than a label has. */
const LONG_NAME = 80;
const HEAD = 60;

/** A card or a large link: its text is listed below it, and not folded into its name. */
export function holdsText({ element, isBox }: Sighting): boolean {
  if (isBox === true) return true;
  return (
    !isField(element) && element.childElementCount > 0 && textIn(element, LONG_NAME * 2).length > LONG_NAME
  );
}

function headOf(element: Element, name: string): string {
  const heading = element.querySelector('h1, h2, h3, h4, h5, h6, [role=heading]');
  const given = element.getAttribute('aria-label');
  if (given !== null) return name;
  const head = heading === null ? '' : textIn(heading);
  if (head !== '' && head.length <= LONG_NAME) return head;
  return name.length <= HEAD ? name.replace(SIGNS, '') : `${cutText(name, HEAD).replace(/\s\S*$/, '')}…`;
}

/** The same with full keys, and the facts that only they carry. */
export function fullKeyNode(sighting: Sighting, registry: ElementRegistry, clean: Clean): SemanticNodeV2 {
  const { element, box, view } = sighting;
  const { i, n, v, s, f } = semanticNode(sighting, registry, clean);
  const [x, y, width, height] = boxIn(box, view);
  const placeholder = clean(element.getAttribute('placeholder') ?? '');
  const href = clean(element.getAttribute('href') ?? '');
  return {
    id: i,
    role: actingRole(sighting),
    name: n,
    ...(v !== undefined && { value: v }),
    ...(s !== undefined && { state: s }),
    ...(isInput(element) && { type: element.type }),
    ...(placeholder && { placeholder }),
    ...(href && { href }),
    ...(isInShadow(element) && { isInShadow: true }),
    ...(f !== undefined && { frameId: f }),
    bounds: { x, y, width, height },
  };
}

/** A scroll box is not named by all of its content. */
function sightingName({ element, reason }: Sighting): string {
  if (reason !== undefined || element.hasAttribute('aria-labelledby')) return fullNameOf(element);
  return element.getAttribute('aria-label') ?? '';
}

/** The arrow of a column says how it is sorted. */
const ownWords = (element: Element, name: string): string =>
  roleOf(element) === 'columnheader' ? name : withoutOrnaments(name);

function boxIn(box: Sighting['box'], view: Sighting['view']): [number, number, number, number] {
  return [
    Math.round(view.left + box.left),
    Math.round(view.top + box.top),
    Math.round(box.right - box.left),
    Math.round(box.bottom - box.top),
  ];
}
