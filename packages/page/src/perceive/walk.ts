import { type ListenerHint, type Reason, reasonToList } from './actionable.ts';
import { eachRenderedChild, frameDocument, isFrame, type ShadowRootOf } from './composed-tree.ts';
import { type Container, containerOf } from './container.ts';
import { delegates } from './delegation.ts';
import { revealsOnHover } from './hover-rules.ts';
import { holdsTiles, isPossibleTarget, type ListenerKinds } from './possible-target.ts';
import { type Direction, scrollDirection } from './scrollable.ts';
import { isPopup, isText, isUnseenTag } from './text.ts';
import { type Box, boxOf, clip, insideOrigin, isLarge, touches } from './visibility.ts';
import { styleOf } from './walk-cache.ts';

/** A document's coordinates within the outermost one, and its visible part. */
export interface View {
  readonly left: number;
  readonly top: number;
  /** In the document's own coordinates. */
  readonly seen: Box;
  /** The frame element of this document, except for the outermost. */
  readonly frame?: Element;
}

export interface Found {
  readonly element: Element;
  readonly reason: Reason | undefined;
  readonly scrolls: Direction | undefined;
  readonly view: View;
  /** A card: its content stays apart from it. */
  readonly isBox?: boolean;
  /** Other things it listens for: `drop hover`. */
  readonly kinds?: string;
  /** Index among the found elements, and that of the first one after it that is not its descendant. */
  readonly order: number;
  end: number;
}

/** A cross-origin frame, which the host reads. */
export interface ForeignFrame {
  readonly element: Element;
  readonly view: View;
}

export interface WalkOptions {
  readonly shadowRootOf: ShadowRootOf;
  readonly listenerHint: ListenerHint | undefined;
  /** Lists possible targets too, as a view does. */
  readonly withPossible?: boolean;
  readonly listenerKinds?: ListenerKinds | undefined;
  /** Skips elements outside the view. */
  readonly inViewOnly: boolean;
  /** Never skips these: a part of them was seen in view. */
  readonly keep: ReadonlySet<Element>;
  /** Called for every rendered element that, with `inViewOnly`, may be in view. */
  readonly onElement?: (element: Element, seen: Box) => void;
  /** Called when a walk has missed something and restarts. */
  readonly onRestart?: () => void;
}

export interface Walked {
  readonly found: Found[];
  readonly foreignFrames: ForeignFrame[];
  readonly documents: Document[];
  /** The outermost elements that were skipped for their place. */
  readonly skipped: SkippedTrees;
}

export interface SkippedTrees {
  readonly isEmpty: () => boolean;
  readonly has: (element: Element) => boolean;
}

/** Long lists are first tested in pieces of this many rows. */
const PIECE = 48;

/**
 * One walk in rendered order. Reads layout only where that saves a subtree: an element outside the view
 * without overflow is skipped with its content. Content positioned from there into the view is missed here
 * and found by hit tests (see `viewport.ts`).
 */
export function walk(roots: Iterable<Element>, view: View, options: WalkOptions): Walked {
  const walked = { found: [] as Found[], foreignFrames: [] as ForeignFrame[], documents: [] as Document[] };
  const skippedTrees = new Set<Element>();
  const visitedRows = new Set<Element>();
  const longLists = new Set<Element>();

  const delegated = new Set<Element>();
  const outermost: Around = {
    points: false,
    inView: !options.inViewOnly,
    isDelegated: false,
    isInTarget: false,
  };

  function visit(element: Element, view: View, parent: Around): void {
    if (isUnseenTag(element) || element.hasAttribute('inert')) return;
    const place = parent.inView ? 'within' : positionOf(element, view);
    if (place === 'outside' && !options.keep.has(element)) {
      skippedTrees.add(element);
      return;
    }
    const style = styleOf(element);
    if (style.display === 'none') return;
    const scroller = scrollerAround(element, style, parent.scroller);
    options.onElement?.(element, scroller?.seen ?? view.seen);
    if (isFrame(element)) {
      visitFrame(element, view);
      return;
    }
    const points = style.cursor === 'pointer';
    const declared = reasonFor(element, points && !parent.points);
    const container =
      declared === undefined || declared === 'control' ? undefined : containerOf(element, style.cursor);
    const known = container === 'root' ? undefined : declared;
    const kinds = options.withPossible === true ? kindsOf(element) : undefined;
    const reason = known ?? possibleReason(element, style, kinds, parent);
    const isBox =
      container === 'box' ||
      (reason === 'maybe' &&
        (isDropArea(kinds) || hasOwnWords(element)) &&
        containerOf(element, '') !== undefined);
    const scrolls = scrollDirection(element, style);
    const order = walked.found.length;
    const isFound = reason !== undefined || scrolls !== undefined;
    const more = { ...(isBox && { isBox }), ...(kinds !== undefined && { kinds }) };
    const found = isFound ? { element, reason, scrolls, view, order, end: order + 1, ...more } : undefined;
    if (found !== undefined) walked.found.push(found);
    if (!LEAVES.has(element.localName))
      visitChildren(element, view, {
        points,
        scroller:
          scrolls === undefined
            ? scroller
            : { element, seen: clip(boxOf(element), scroller?.seen ?? view.seen) },
        inView: place === 'within',
        isDelegated:
          parent.isDelegated ||
          (declared === 'listens' && listensForContent(element, container)) ||
          isForTiles(element, kinds),
        isInTarget: !isPopup(element) && (parent.isInTarget || (reason !== undefined && !isBox)),
      });
    if (found !== undefined) found.end = walked.found.length;
  }

  function kindsOf(element: Element): string | undefined {
    const kinds = options.listenerKinds?.(element);
    return kinds?.includes('hover') !== true && revealsOnHover(element)
      ? [kinds, 'hover'].filter(Boolean).join(' ')
      : kinds;
  }

  function possibleReason(
    element: Element,
    { cursor }: CSSStyleDeclaration,
    kinds: string | undefined,
    parent: Around,
  ): Reason | undefined {
    if (options.withPossible !== true || parent.isInTarget || isForTiles(element, kinds)) return undefined;
    const isHandled =
      isDropArea(kinds) ||
      ((kinds !== undefined || MOVABLE.test(cursor)) &&
        (hasOwnWords(element) || containerOf(element, '') === undefined));
    return isHandled || isPossibleTarget(element, parent.isDelegated) ? 'maybe' : undefined;
  }

  /** A container that listens for its content is not the press target itself. */
  function reasonFor(element: Element, isHand: boolean): Reason | undefined {
    const own = reasonToList(element, options.listenerHint);
    const reason = own ?? (delegated.has(element) ? 'listens' : isHand ? 'pointer' : undefined);
    const onBehalf = reason === 'control' ? [] : delegates(element, reason);
    for (const inner of onBehalf) delegated.add(inner);
    return onBehalf.length > 0 && reason !== 'focusable' ? undefined : reason;
  }

  function visitChildren(element: Element, view: View, around: Around): void {
    if (!around.inView && element.childElementCount > PIECE * 2) visitRows(element, view, around);
    else eachRenderedChild(element, options.shadowRootOf, (child) => visit(child, view, around));
  }

  function visitRows(list: Element, view: View, around: Around): void {
    const rows: Element[] = [];
    eachRenderedChild(list, options.shadowRootOf, (row) => rows.push(row));
    longLists.add(list);
    for (let start = 0; start < rows.length; start += PIECE) {
      const piece = rows.slice(start, start + PIECE);
      if (isPieceOutOfView(piece, view) && !piece.some((row) => options.keep.has(row))) continue;
      for (const row of piece) {
        visitedRows.add(row);
        visit(row, view, around);
      }
    }
  }

  function visitFrame(frame: Element, outer: View): void {
    const inside = frameDocument(frame);
    if (inside?.documentElement == null) {
      if (isLarge(frame.getBoundingClientRect())) walked.foreignFrames.push({ element: frame, view: outer });
      return;
    }
    walked.documents.push(inside);
    const view = viewInto(frame, inside, outer);
    if (!options.inViewOnly || isLarge(view.seen)) visit(inside.documentElement, view, outermost);
  }

  for (const root of roots) {
    walked.documents.push(root.ownerDocument);
    visit(root, view, outermost);
  }
  return {
    ...walked,
    skipped: {
      isEmpty: () => skippedTrees.size === 0 && longLists.size === 0,
      has: (element) =>
        skippedTrees.has(element) ||
        (element.parentElement !== null && longLists.has(element.parentElement) && !visitedRows.has(element)),
    },
  };
}

const listensForContent = (element: Element, container: Container | undefined): boolean =>
  container === 'root' || element.localName === 'svg';

/** A column of cards is a target, and its cards are too. */
const isDropArea = (kinds: string | undefined): boolean => kinds?.split(' ').includes('drop') === true;

/** Listens for its tiles, and is none itself. */
const isForTiles = (element: Element, kinds: string | undefined): boolean =>
  kinds !== undefined && TILE_KINDS.test(kinds) && holdsTiles(element);
const TILE_KINDS = /^(?!.*\bdrop).*\b(?:menu|double|hover)/;

const MOVABLE = /^(?:move|grab|grabbing|crosshair)$/;

/** Controls whose children belong to them. */
const LEAVES = new Set(['select', 'textarea', 'input', 'audio', 'video', 'canvas', 'img']);

export function viewOf(document: Document): View {
  const { clientWidth, clientHeight } = document.documentElement;
  // In quirks mode the root element is as high as its contents.
  const right = Math.min(clientWidth, document.defaultView?.innerWidth ?? clientWidth) || clientWidth;
  const bottom = document.defaultView?.innerHeight ?? clientHeight;
  return { left: 0, top: 0, seen: { left: 0, top: 0, right, bottom } };
}

function viewInto(frame: Element, inside: Document, outer: View): View {
  const { left, top } = insideOrigin(frame);
  const shown = clip(frame.getBoundingClientRect(), outer.seen);
  const own = viewOf(inside).seen;
  const moved = {
    left: shown.left - left,
    top: shown.top - top,
    right: shown.right - left,
    bottom: shown.bottom - top,
  };
  return { left: outer.left + left, top: outer.top + top, seen: clip(own, moved), frame };
}

interface Scroller {
  readonly element: Element;
  /** The part of the view that shows its content. */
  readonly seen: Box;
}

/** A fixed element, or one positioned from outside, is not cut off by the scroller around it. */
function scrollerAround(
  element: Element,
  { position }: CSSStyleDeclaration,
  scroller: Scroller | undefined,
): Scroller | undefined {
  if (scroller === undefined || position === 'fixed') return undefined;
  const from: unknown = position === 'absolute' ? Reflect.get(element, 'offsetParent') : scroller.element;
  return from instanceof Node && scroller.element.contains(from) ? scroller : undefined;
}

/** Facts about an element's ancestors at its visit. */
interface Around {
  /** The innermost ancestor that scrolls. */
  readonly scroller?: Scroller | undefined;
  /** An ancestor has the hand cursor. */
  readonly points: boolean;
  /** An ancestor listens for its content. */
  readonly isDelegated: boolean;
  /** An ancestor is a target, and this a part of it. */
  readonly isInTarget: boolean;
  /** All in view, or the view does not matter: descendants need no check. */
  readonly inView: boolean;
}

/** `outside`: with its content, as far as boxes show. Unknown without a size. */
function positionOf(element: Element, { seen }: View): 'within' | 'outside' | 'unknown' {
  if (element.firstElementChild === null || element.localName === 'body' || element.localName === 'html')
    return 'unknown';
  const box = boxOf(element);
  if (!isLarge(box)) return 'unknown';
  if (touches(box, seen)) return lieWithin(box, seen) ? 'within' : 'unknown';
  const { clientHeight } = element;
  if (clientHeight === 0) return 'unknown';
  const overflows = element.scrollHeight > clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  return overflows ? 'unknown' : 'outside';
}

function lieWithin(box: Box, seen: Box): boolean {
  return box.left >= seen.left && box.top >= seen.top && box.right <= seen.right && box.bottom <= seen.bottom;
}

/** Rows in a flow: when the first, the last and one between lie on the same side, so do the rest. */
function isPieceOutOfView(piece: readonly Element[], { seen }: View): boolean {
  const probes = [piece[0], piece[piece.length >> 1], piece[piece.length - 1]];
  const boxes = probes.filter((row) => row !== undefined).map((row) => row.getBoundingClientRect());
  if (!boxes.every(isLarge)) return false;
  return boxes.every((box) => box.top >= seen.bottom) || boxes.every((box) => box.bottom <= seen.top);
}

/** A menu's word, beside what the pointer opens. */
const hasOwnWords = ({ childNodes }: Element): boolean =>
  [...childNodes].some((child) => isText(child) && child.data.trim() !== '');
