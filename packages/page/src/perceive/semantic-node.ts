import type { SemanticNode, SemanticNodeV2 } from '@drawbridge/protocol/semantic';
import type { ElementRegistry } from '../identity/element-registry.ts';
import { isInput } from '../secrets/secret-field.ts';
import { fullNameOf, NAME_LIMIT } from './accessible-name.ts';
import { isInShadow } from './composed-tree.ts';
import { hasTrait, roleOf, shortRole } from './role.ts';
import { scrollingOf } from './scrollable.ts';
import { shownValueOf, stateOf } from './state.ts';
import { cutText } from './text.ts';
import type { Sighting } from './viewport.ts';

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
    n: cutText(withoutOrnaments(clean(sightingName(sighting))), NAME_LIMIT),
  };
  const value = clean(shownValueOf(element) ?? '');
  const state = stateOf(element);
  const frame = registry.frameNumberOf(view.frame);
  if (value !== '' && value !== node.n) node.v = value;
  if (state !== undefined) node.s = state;
  node.xy = [Math.round(view.left + point.x), Math.round(view.top + point.y)];
  if (withBox) node.box = boxIn(box, view);
  if (scrolls !== undefined) node.scr = scrollingOf(element, scrolls);
  if (coveredBy !== undefined) node.occ = true;
  if (frame !== 0) node.f = frame;
  return node;
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

/** Arrows, bars and dots around a name are decoration. */
const ORNAMENTS = /^[\s|·‣›→▸▶►]+|[\s|·‣›→▸▶►▾▼⋁⌄﹀]+$|(?<=^[^«]+)\s*»$/g;

function withoutOrnaments(name: string): string {
  return /[\p{L}\p{N}]/u.test(name) ? name.replace(ORNAMENTS, '') : name;
}

function boxIn(box: Sighting['box'], view: Sighting['view']): [number, number, number, number] {
  return [
    Math.round(view.left + box.left),
    Math.round(view.top + box.top),
    Math.round(box.right - box.left),
    Math.round(box.bottom - box.top),
  ];
}
