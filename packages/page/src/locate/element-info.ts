import type { ElementRegistry } from '../identity/element-registry.ts';
import { fullNameOf, NAME_LIMIT } from '../perceive/accessible-name.ts';
import { hitTest } from '../perceive/hit-test.ts';
import { roleOf } from '../perceive/role.ts';
import { cutText, textIn, tidy } from '../perceive/text.ts';
import { isVisible } from '../perceive/visibility.ts';
import { isEditable, visibleValueOf } from '../secrets/secret-field.ts';
import { originOf } from './frame-origin.ts';
import { locate } from './locate.ts';
import type { LocateContext, LocateOptions, Locator } from './locator.ts';
import { PageError } from './page-error.ts';
import { selectorPath } from './selector-path.ts';

/** Answer of `PageProbe.find` of the map engine. */
export interface Found {
  readonly count: number;
  readonly visible: boolean;
  readonly selector?: string;
  readonly usedFallback?: boolean;
  readonly text?: string;
}

export type Visibility = 'visible' | 'off_screen' | 'hidden';

export interface InfoOptions extends LocateOptions {
  /** Scrolls an off-screen element into view, so that it can be pressed. True by default. */
  readonly auto_scroll?: boolean;
}

export interface BoundingBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Candidate {
  readonly id: string;
  readonly tag_name: string;
  readonly role: string;
  readonly name: string;
  readonly text: string;
  readonly visible: boolean;
}

export interface PlacedCandidate extends Candidate {
  readonly bounding_box: BoundingBox;
  readonly visibility: Visibility;
  /** A press at `clickable_center` reaches this element; present only then. */
  readonly clickable: boolean;
  readonly clickable_center?: { readonly x: number; readonly y: number };
  /** The element that a press would reach instead. */
  readonly occluded_by?: string;
}

export interface ElementInfo extends PlacedCandidate {
  readonly selector_path?: string;
  /** Before scrolling. */
  readonly initial_visibility: Visibility;
  readonly scroll_operations_performed: number;
  /** Several visible elements match; this is the first. */
  readonly ambiguous: boolean;
  readonly candidate_count: number;
  readonly candidates: readonly PlacedCandidate[];
  /** The selector that matched, and whether it was a fallback. */
  readonly selector?: string;
  readonly used_fallback: boolean;
}

export interface InfoContext extends LocateContext {
  readonly registry: ElementRegistry;
}

const TEXT_CHARS = 240;
/** Maps choose among them by their place, such as a day of a calendar. */
const MAX_CANDIDATES = 50;
/** Below the limit for the output of an expression. */
const CANDIDATE_CHARS = 10_000;

export function findTarget(target: Locator, context: LocateContext, options?: LocateOptions): Found {
  const { elements, selector, usedFallback } = locate(target, context, options);
  const first = elements.find(isVisible) ?? elements[0];
  if (first === undefined) return { count: 0, visible: false };
  return {
    count: elements.length,
    visible: isVisible(first),
    ...(selector !== undefined && { selector }),
    usedFallback,
    text: textOf(first, context),
  };
}

/** Details of the element that a locator means; fails with `target_not_found`. */
export function elementInfo(locator: Locator, context: InfoContext, options: InfoOptions = {}): ElementInfo {
  const { elements, selector, usedFallback } = locate(locator, context, options);
  const visible = elements.filter(isVisible);
  const element = visible[0] ?? elements[0];
  if (element === undefined) throw notFound(locator, context);
  const first = describeElement(element, context);
  const scrolls = first.visibility === 'off_screen' && options.auto_scroll !== false;
  if (scrolls) element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  return {
    ...(scrolls ? describeElement(element, context) : first),
    initial_visibility: first.visibility,
    scroll_operations_performed: scrolls ? 1 : 0,
    ambiguous: (visible.length || elements.length) > 1,
    candidate_count: elements.length,
    candidates: placedCandidates(elements, context),
    ...(selector !== undefined && { selector }),
    used_fallback: usedFallback,
  };
}

function describeElement(element: Element, context: InfoContext) {
  const path = selectorPath(element, context);
  return { ...placedOf(element, context), ...(path !== undefined && { selector_path: path }) };
}

function placedCandidates(elements: readonly Element[], context: InfoContext): PlacedCandidate[] {
  const placed: PlacedCandidate[] = [];
  let chars = 0;
  for (const element of elements.slice(0, MAX_CANDIDATES)) {
    const candidate = placedOf(element, context);
    chars += JSON.stringify(candidate).length;
    if (chars > CANDIDATE_CHARS) break;
    placed.push(candidate);
  }
  return placed;
}

function placedOf(element: Element, context: InfoContext): PlacedCandidate {
  const { left, top } = originOf(element, context.document);
  const { x, y, width, height } = element.getBoundingClientRect();
  const common = {
    ...candidateOf(element, context),
    bounding_box: new DOMRect(x + left, y + top, width, height).toJSON(),
  };
  if (!common.visible) return { ...common, visibility: 'hidden', clickable: false };
  const { point, coveredBy, outOfSight } = hitTest(element, context.shadowRootOf);
  if (outOfSight === true) return { ...common, visibility: 'off_screen', clickable: false };
  if (coveredBy !== undefined) {
    const cover = candidateOf(coveredBy, context);
    return {
      ...common,
      visibility: 'visible',
      clickable: false,
      occluded_by: `${cover.tag_name} '${cover.name}'`,
    };
  }
  const clickable_center = { x: point.x + left, y: point.y + top };
  return { ...common, visibility: 'visible', clickable: true, clickable_center };
}

function candidateOf(element: Element, context: InfoContext): Candidate {
  return {
    id: context.registry.idOf(element),
    tag_name: element.localName,
    role: roleOf(element),
    name: cutText(context.clean(fullNameOf(element)), NAME_LIMIT),
    text: textOf(element, context),
    visible: isVisible(element),
  };
}

/** MAN-243: the text of an editable element is both its text and its value. */
const textOf = (element: Element, { clean }: LocateContext): string => {
  const text = isEditable(element) ? tidy(visibleValueOf(element) ?? '') : textIn(element);
  return cutText(clean(text), TEXT_CHARS);
};

function notFound(locator: Locator, { document, clean }: LocateContext): PageError {
  const message = 'Nothing on the page fits the target. Look at the page, then correct the target.';
  return new PageError('target_not_found', message, { url: clean(document.URL), locator });
}
