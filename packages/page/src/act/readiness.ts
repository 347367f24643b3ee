import { composedParent } from '../perceive/composed-tree.ts';
import { type Hit, hitTest, type Point, pressTarget } from '../perceive/hit-test.ts';
import { isVisible } from '../perceive/visibility.ts';
import { isEditable, isInput, isTextArea } from '../secrets/secret-field.ts';
import { longestAnimation } from '../watch/stability.ts';
import { Refusal } from './refusal.ts';
import { describe, stillSame, type Target } from './target.ts';
import type { Workplace } from './workplace.ts';

/** A place to press that reaches the target and nothing else, in the target's own document. */
export interface Place {
  readonly point: Point;
  readonly element: Element;
}

/** How long something may slide about before it counts as never standing still. */
const STILL_TIMEOUT_MS = 1_000;
const FRAME_MS = 17;

export function requireEnabled(target: Target, workplace: Workplace): void {
  const disabled = disablingElement(target.element);
  if (disabled === undefined) return;
  const what = describe(target.element, workplace);
  const message = `${what} is disabled. Do first what makes the page enable it.`;
  throw new Refusal('state_mismatch', 'disabled', message, { id: target.id });
}

/** `disabled` reaches from a fieldset, `aria-disabled` and `inert` from any ancestor. */
function disablingElement(element: Element): Element | undefined {
  if (element.matches(':disabled')) return element;
  for (let outer: Element | null = element; outer !== null; outer = composedParent(outer)) {
    if (outer.hasAttribute('inert') || outer.getAttribute('aria-disabled') === 'true') return outer;
  }
  return undefined;
}

export function requireEditable(target: Target, workplace: Workplace): void {
  const { element } = target;
  const isReadOnly = element.matches('[readonly]') || element.getAttribute('aria-readonly') === 'true';
  const isWritable = isInput(element) || isTextArea(element) || isEditable(element);
  if (isWritable && !isReadOnly) return;
  const message = `${describe(element, workplace)} takes no text${isReadOnly ? ': it is read-only' : ''}.`;
  throw new Refusal('state_mismatch', 'not_editable', message, { id: target.id });
}

export function requireVisible(target: Target, workplace: Workplace): void {
  const pressed = pressTarget(target.element);
  if (isVisible(pressed)) return;
  const message = `${describe(target.element, workplace)} is in the page but hidden. Open what it is in first.`;
  throw new Refusal('state_mismatch', 'hidden', message, { id: target.id });
}

/** Brings it into view and finds where to press it; refuses when something else would get the press. */
export async function requirePressable(target: Target, workplace: Workplace): Promise<Place> {
  requireVisible(target, workplace);
  requireEnabled(target, workplace);
  bringIntoView(target.element);
  await untilStill(target, workplace);
  let hit = hitTest(target.element, workplace.shadowRootOf);
  if (hit.coveredBy !== undefined || hit.outOfSight === true)
    hit = retryElsewhere(target.element, workplace) ?? hit;
  if (hit.outOfSight === true) {
    const message = `${describe(target.element, workplace)} lies outside of what can be scrolled into view.`;
    throw new Refusal('state_mismatch', 'off_screen', message, { id: target.id });
  }
  if (hit.coveredBy !== undefined) throw covered(target, hit.coveredBy, workplace);
  return { point: hit.point, element: target.element };
}

/** A sticky header covers what was scrolled just under it: the other edge, or the middle, may be free. */
function retryElsewhere(element: Element, { shadowRootOf }: Workplace): Hit | undefined {
  for (const block of ['center', 'end', 'start'] as const) {
    pressTarget(element).scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    const hit = hitTest(element, shadowRootOf);
    if (hit.coveredBy === undefined && hit.outOfSight !== true) return hit;
  }
  return undefined;
}

function covered(target: Target, cover: Element, workplace: Workplace): Refusal {
  const named = nearestNamed(cover);
  const by = describe(named, workplace);
  const message = `${describe(target.element, workplace)} is covered by ${by}. Close or move that first.`;
  const coverId = workplace.registry.idOf(named);
  return new Refusal('state_mismatch', 'covered', message, { id: target.id, cover: by, cover_id: coverId });
}

/** The dialog, not the paragraph in it that happens to lie there. */
function nearestNamed(cover: Element): Element {
  return cover.closest('dialog, [role=dialog], [role=alertdialog], [aria-modal], [popover]') ?? cover;
}

export function bringIntoView(element: Element): void {
  const pressed = pressTarget(element);
  const hit = hitTest(element);
  if (hit.outOfSight !== true && hit.coveredBy === undefined) return;
  pressed.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
}

/** A sliding panel is pressed where it stops. The identity is checked again: rows slide under new names. */
async function untilStill(target: Target, workplace: Workplace): Promise<void> {
  const { clock } = workplace;
  const { element } = target;
  const endsAt = clock.now() + STILL_TIMEOUT_MS;
  for (let before = placeOf(element); longestAnimation(element.ownerDocument, element) > 0; ) {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, FRAME_MS));
    const now = placeOf(element);
    if (now === before) break;
    before = now;
    if (clock.now() < endsAt) continue;
    const message = `${describe(element, workplace)} does not stand still.`;
    throw new Refusal('state_mismatch', 'moving', message, { id: target.id });
  }
  if (!stillSame(target, workplace)) {
    const message = `Element ${target.id} changed while it was waited for: nothing was done. Take a new snapshot.`;
    throw new Refusal('state_mismatch', 'changed_identity', message, { id: target.id });
  }
}

function placeOf(element: Element): string {
  const { left, top, width, height } = element.getBoundingClientRect();
  return `${left} ${top} ${width} ${height}`;
}
