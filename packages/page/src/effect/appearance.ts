import { isSecretByValue } from '@drawbridge/protocol/secrets';
import {
  eachRenderedChild,
  frameDocument,
  isFrame,
  lineOf,
  renderedChildNodes,
  type ShadowRootOf,
} from '../perceive/composed-tree.ts';
import { scrollDirection } from '../perceive/scrollable.ts';
import { isText, isUnseenTag } from '../perceive/text.ts';
import { type Box, boxOf, clip, isInReach, isLarge, touches, viewportOf } from '../perceive/visibility.ts';
import { styleOf } from '../perceive/walk-cache.ts';
import {
  isField,
  isInput,
  isSecretField,
  isSelect,
  isTextArea,
  isTickBox,
  rawValueOf,
} from '../secrets/secret-field.ts';

/** How a rendered element looks. Compared inside the page; only masked words of it leave. */
export interface Look {
  readonly parent: Element | undefined;
  /** The element's own text, without that of its children. */
  readonly text: string;
  /** The letters of all its text, where it has own text beside other elements. */
  readonly whole?: string;
  /** State that is in no attribute: a value, a tick, the source of a picture, whether a video plays. */
  readonly held: string;
  /** Neither the text nor the value may be put into words. */
  readonly isSecret: boolean;
  /** Values of `PAINTED`, then of both pseudo-elements, then of a shape's attributes. */
  readonly paint: readonly string[];
  readonly classes: string;
  /** Within the parent, so that only the outermost of many moved elements counts. */
  readonly place: string;
  readonly size: string;
}

/** Everything in view, in rendered order. */
export type Appearance = ReadonlyMap<Element, Look>;

/** Computed properties that change pixels but neither the place nor the size of a box. */
export const PAINTED = [
  ...['color', 'background-color', 'background-image', 'background-position', 'border-color', 'border-style'],
  ...['outline', 'box-shadow', 'opacity', 'transform', 'translate', 'rotate', 'scale', 'filter', 'clip-path'],
  ...['text-decoration', 'font-weight', 'font-style', 'text-transform', 'text-align', 'text-shadow'],
  ...['font-size', 'font-family', 'letter-spacing', 'line-height', 'text-indent', 'border-radius'],
  ...[
    'list-style-type',
    'object-position',
    'mask-image',
    'fill',
    'stroke',
    'stroke-width',
    'stroke-dashoffset',
  ],
];
const PSEUDO_PAINTED = [
  ...['color', 'background-color', 'background-image', 'opacity', 'transform', 'rotate', 'translate'],
  ...['left', 'top', 'width', 'height', 'border-color'],
];
/** A page with more in view is compared by these alone. */
const MOST_ELEMENTS = 3_000;
const LEAVES = new Set(['select', 'textarea', 'input', 'audio', 'video', 'canvas', 'img']);
/** Attributes of a shape that do not show. */
const UNPAINTED_ATTRIBUTES = /^(?:id|class|style|data-.*|aria-.*|role|tabindex|on.*)$/;

interface Around {
  readonly parent: Element | undefined;
  readonly origin: Pick<Box, 'left' | 'top'>;
  readonly clip: Box;
  /** Inside an editor whose text is secret. */
  readonly isSecret: boolean;
}

export function appearanceOf(document: Document, shadowRootOf: ShadowRootOf): Appearance {
  const looks = new Map<Element, Look>();

  function visit(element: Element, around: Around): void {
    if (isUnseenTag(element) || looks.size >= MOST_ELEMENTS) return;
    const style = styleOf(element);
    if (style.display === 'none' || style.opacity === '0') return;
    const isRoot = element === element.ownerDocument.documentElement;
    const box = boxOf(element);
    const around_ = style.position === 'fixed' ? { ...around, clip: viewOf(element.ownerDocument) } : around;
    const isBoxless = style.display === 'contents';
    const shown = clip(box, around_.clip);
    const isClipping = !isRoot && element.localName !== 'body' && style.overflow !== 'visible' && !isBoxless;
    const isShown = isBoxless || isLarge(shown) || (isShape(element) && touches(grown(box), around_.clip));
    if (isClipping && !isShown) return;
    if (!isShown && isFarAway(element, box, around_.clip)) return;
    const isSecret = around.isSecret || holdsSecret(element);
    if (isShown && style.visibility === 'visible')
      looks.set(element, lookOf(element, style, box, { ...around, isSecret }, shadowRootOf));
    const inside = isBoxless
      ? { ...around, parent: element, isSecret }
      : {
          parent: element,
          isSecret,
          origin: { left: box.left - element.scrollLeft, top: box.top - element.scrollTop },
          clip: isClipping ? shown : around_.clip,
        };
    if (isFrame(element)) visitFrame(element, shown);
    else if (!LEAVES.has(element.localName))
      eachRenderedChild(element, shadowRootOf, (child) => {
        if (!isFolded(child, element)) visit(child, inside);
      });
  }

  function visitFrame(frame: Element, shown: Box): void {
    const inner = frameDocument(frame);
    if (inner?.documentElement == null || !isLarge(shown)) return;
    visit(inner.documentElement, {
      parent: frame,
      origin: { left: 0, top: 0 },
      clip: viewOf(inner),
      isSecret: false,
    });
  }

  visit(document.documentElement, {
    parent: undefined,
    origin: { left: 0, top: 0 },
    clip: viewOf(document),
    isSecret: false,
  });
  return looks;
}

function viewOf({ documentElement, defaultView }: Document): Box {
  const { clientWidth, clientHeight } = documentElement;
  return { left: 0, top: 0, right: clientWidth, bottom: defaultView?.innerHeight ?? clientHeight };
}

/** Out of view with all of its content, as far as boxes show. */
function isFarAway(element: Element, box: Box, view: Box): boolean {
  if (!isLarge(box) || touches(box, view)) return false;
  return element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth + 1;
}

/** Content of a closed `details` has a box, and is not rendered. */
const isFolded = (child: Element, parent: Element): boolean =>
  parent.localName === 'details' && !parent.hasAttribute('open') && child.localName !== 'summary';

const isShape = (element: Element): boolean => 'ownerSVGElement' in element;
const grown = ({ left, top, right, bottom }: Box): Box => ({
  left,
  top,
  right: right + 1,
  bottom: bottom + 1,
});

function lookOf(
  element: Element,
  style: CSSStyleDeclaration,
  box: Box,
  { parent, origin, isSecret }: Around,
  shadowRootOf: ShadowRootOf,
): Look {
  const isRoot = parent === undefined || isFrame(parent);
  const text = ownText(element, shadowRootOf);
  const { left, top, right, bottom } = box;
  return {
    parent,
    text,
    ...(text !== '' && element.childElementCount > 0 && { whole: lettersOf(element) }),
    held: heldBy(element),
    isSecret,
    paint: [
      ...PAINTED.map((name) => (name === 'outline' ? outlineOf(style) : style.getPropertyValue(name))),
      ...['::before', '::after'].map((pseudo) => pseudoPaint(element, pseudo)),
      isShape(element) ? shapeOf(element) : '',
    ],
    classes: element.getAttribute('class') ?? '',
    place: isRoot ? '' : `${Math.round(left - origin.left)},${Math.round(top - origin.top)}`,
    size: isRoot ? '' : `${Math.round(right - left)},${Math.round(bottom - top)}`,
  };
}

function ownText(element: Element, shadowRootOf: ShadowRootOf): string {
  if (LEAVES.has(element.localName)) return '';
  let text = '';
  // Neighbouring text nodes are one text to a reader.
  for (const node of renderedChildNodes(element, shadowRootOf)) text += isText(node) ? node.data : ' ';
  return text.replace(/\s+/g, ' ').trim();
}

const LONGEST_WHOLE = 4_000;
const lettersOf = ({ textContent }: Element): string =>
  (textContent ?? '').slice(0, LONGEST_WHOLE).replace(/\s+/g, '');

/** Ignores the colour of an outline without a line. */
const outlineOf = ({ outlineStyle, outline }: CSSStyleDeclaration): string =>
  outlineStyle === 'none' ? 'none' : outline;

function pseudoPaint(element: Element, pseudo: string): string {
  const style = getComputedStyle(element, pseudo);
  const content = style.getPropertyValue('content');
  if (content === 'none' || content === 'normal') return '';
  return [content, ...PSEUDO_PAINTED.map((name) => style.getPropertyValue(name))].join(' ');
}

function shapeOf(element: Element): string {
  return element
    .getAttributeNames()
    .flatMap((name) => (UNPAINTED_ATTRIBUTES.test(name) ? [] : `${name}=${element.getAttribute(name)}`))
    .join(' ');
}

/** Asked while the element is on the page: without its label, a removed field may look harmless. */
const holdsSecret = (element: Element): boolean =>
  isField(element) && (isSecretField(element) || isSecretByValue(rawValueOf(element) ?? ''));

function heldBy(element: Element): string {
  if (isTickBox(element)) return element.indeterminate ? 'mixed' : element.checked ? 'checked' : 'unchecked';
  if (isInput(element) && element.type === 'file') return String(element.files?.length ?? 0);
  if (isInput(element) || isTextArea(element)) return element.value || element.placeholder;
  if (isSelect(element)) return [...element.selectedOptions].map(({ text }) => text).join(', ');
  if (isMedia(element)) return mediaState(element);
  if ('currentSrc' in element) return String(element.currentSrc);
  return element.matches('progress, meter') ? String(Reflect.get(element, 'value')) : '';
}

const isMedia = (element: Element): element is HTMLMediaElement => 'paused' in element;

function mediaState({ paused, muted, volume, currentTime, currentSrc }: HTMLMediaElement): string {
  const state = paused ? `paused at ${Math.round(currentTime)} s` : 'playing';
  return [state, muted ? 'muted' : `volume ${volume}`, currentSrc].join(', ');
}

/** Can be scrolled to, unlike text for screen readers. */
export const isLegible = (element: Element): boolean =>
  element.isConnected &&
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
  isLarge(boxOf(element)) &&
  isInReach(element);

/** Still there, and only scrolled or pushed away: a scroll would show it. */
export function isOutOfView(element: Element): boolean {
  if (!isLegible(element)) return false;
  const box = boxOf(element);
  for (const outer of lineOf(element).slice(1)) {
    const style = styleOf(outer);
    if (style.position === 'fixed') return false;
    const isRoot = outer === outer.ownerDocument.documentElement || outer.localName === 'body';
    if (isRoot || `${style.overflowX} ${style.overflowY}` === 'visible visible') continue;
    if (!touches(box, boxOf(outer))) return scrollDirection(outer, style) !== undefined;
  }
  return !touches(box, viewportOf(element));
}
