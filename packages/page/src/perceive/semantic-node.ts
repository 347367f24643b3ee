import type { SemanticNode, SemanticNodeV2 } from '@drawbridge/protocol/semantic';
import type { ElementRegistry, Fingerprint } from '../identity/element-registry.ts';
import { isInput } from '../secrets/secret-field.ts';
import { nameOf } from './accessible-name.ts';
import { isInShadow } from './composed-tree.ts';
import { roleOf, shortRole } from './role.ts';
import { type Scrolling, scrollingOf } from './scrollable.ts';
import type { Sighting } from './sight.ts';
import { shownValueOf, stateOf } from './state.ts';
import { cutText, textIn } from './text.ts';

/** Roles that say nothing of what to do with an element: to whoever presses it, it is a button. */
const MEANINGLESS = new Set(
  `generic paragraph presentation none strong emphasis code mark insertion deletion subscript superscript
  time term definition blockquote figure caption group note`.split(/\s+/),
);

/** The role an agent acts by: what listens and is nothing else is a button, what only scrolls a region. */
export function actingRole({ element, reason }: Sighting): string {
  const role = roleOf(element);
  if (!MEANINGLESS.has(role)) return role;
  if (element.localName === 'video' || element.localName === 'audio') return element.localName;
  return reason === undefined ? 'region' : 'button';
}

export function semanticNode(sighting: Sighting, registry: ElementRegistry, withBox: boolean): SemanticNode {
  const { element, box, point, view, coveredBy, scrolls } = sighting;
  const node: SemanticNode = {
    i: registry.idOf(element),
    r: shortRole(actingRole(sighting)),
    n: sightingName(sighting),
  };
  const value = shownValueOf(element);
  const state = stateOf(element);
  const frame = registry.frameNumberOf(view.frame);
  if (value !== undefined && value !== node.n) node.v = value;
  if (state !== undefined) node.s = state;
  node.xy = [Math.round(view.left + point.x), Math.round(view.top + point.y)];
  if (withBox) node.box = boxIn(box, view);
  if (scrolls !== undefined) node.scr = scrollField(scrollingOf(element, scrolls));
  if (coveredBy !== undefined) node.occ = true;
  if (frame !== 0) node.f = frame;
  return node;
}

/** The same with full keys, and what only they can say. */
export function fullKeyNode(sighting: Sighting, registry: ElementRegistry): SemanticNodeV2 {
  const { element, box, view } = sighting;
  const { i, n, v, s, f } = semanticNode(sighting, registry, false);
  const [x, y, width, height] = boxIn(box, view);
  const placeholder = element.getAttribute('placeholder');
  const href = element.getAttribute('href');
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

/**
 * What is remembered of an element, to tell later whether it is still the one that was listed. It holds
 * names as they are and stays in the page: whoever tells of it takes the secrets out first.
 */
export function fingerprintOf(sighting: Sighting, before: string, after: string): Fingerprint {
  const { element, box } = sighting;
  const window = element.ownerDocument.defaultView;
  return {
    role: roleOf(element),
    name: nameOf(element),
    text: cutText(textIn(element, 200), 100),
    box: [
      Math.round(box.left + (window?.scrollX ?? 0)),
      Math.round(box.top + (window?.scrollY ?? 0)),
      Math.round(box.right - box.left),
      Math.round(box.bottom - box.top),
    ],
    neighbours: [before, after],
  };
}

/** A box that only scrolls is not called by all that is in it. */
function sightingName({ element, reason }: Sighting): string {
  if (reason !== undefined) return nameOf(element);
  const label =
    element.getAttribute('aria-label') ?? (element.hasAttribute('aria-labelledby') ? nameOf(element) : '');
  return cutText(label, 50);
}

function scrollField({ depth, hasMore }: Scrolling): { depth: string; h: boolean } {
  return { depth, h: hasMore };
}

function boxIn(box: Sighting['box'], view: Sighting['view']): [number, number, number, number] {
  return [
    Math.round(view.left + box.left),
    Math.round(view.top + box.top),
    Math.round(box.right - box.left),
    Math.round(box.bottom - box.top),
  ];
}
