import { hostOf, lineOf } from '../perceive/composed-tree.ts';
import { isControl, isNamedByContent } from '../perceive/control.ts';
import { innermostAt } from '../perceive/hit-test.ts';
import { originOf } from '../secrets/scrub.ts';
import type { ActionContext } from './action-context.ts';
import { viewOf } from './page-events.ts';
import { describe } from './target.ts';

/** Outcome of a host's input: reached its target, was stopped elsewhere, or has not arrived. */
export type Landing = 'none' | 'hit' | Missed;

interface Missed {
  readonly missed: string;
  readonly isLate?: boolean;
  /** The key's first event took its field away, and nothing but its other key events was stopped. */
  isDone?: boolean;
}

/** Awaited input. */
export interface Guarded {
  /** A move is awaited by nothing. */
  readonly kind: 'press' | 'drag' | 'keys' | 'move';
  /** The innermost classified elements: one, or both ends of a drag. */
  readonly classifiedElements: readonly Element[];
  /** Describes what replaced the classified element; undefined while it is the same. */
  readonly change: () => string | undefined;
  /** The same during the press: ignores changes that keep it the same press. */
  readonly lateChange: () => string | undefined;
  readonly options: { readonly several?: boolean; readonly held?: boolean };
  /** Called before the page's own listeners. */
  readonly before: () => unknown;
  landing: Landing;
  /** An element around the classified one, to which the page sends the rest of the press. */
  captor?: Element;
  /** Keys have already pressed a button. */
  isSetOff?: boolean;
}

const DOWN = ['pointerdown', 'mousedown', 'touchstart', 'dragstart'];
const UP = [
  'pointerup',
  'mouseup',
  'touchmove',
  'touchend',
  'click',
  'auxclick',
  'dblclick',
  'contextmenu',
  'drop',
];
const PRESSES = [...DOWN, ...UP];
const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput'];
/** A page's listeners for earlier events may have changed the effect of these. */
const COMPARED = [...PRESSES, 'keydown', 'keypress', 'submit'];
/** A held button shows that it is held, and its page must see it released. */
const COMPARED_IN_HOLD = ['pointerdown', 'click', 'keydown', 'keypress', 'submit'];
/** A drag shows what it does, and its page must see it end. */
const COMPARED_IN_DRAG = ['click'];
const MOVES = ['pointermove', 'mousemove'];
/** These come before the first move over an element. */
const BEGINNINGS = ['pointerover', 'wheel'];
const UNREADABLE = 'an element that the page keeps from being read';
/** Tells the shield of this window that the guard is here: read by `calls/input-shield.ts`. */
const GUARDED_HERE = Symbol.for('drawbridge.guarded');

/**
 * The page may change between the moment a point is returned and the press. The guard sees each event before
 * the page does, and passes it only to the classified element. Listeners stay attached: removing and adding
 * them takes longer than the press itself.
 */
export function createPressGuard(context: ActionContext) {
  const stop = new AbortController();
  const early = { capture: true, signal: stop.signal };
  /** Weak, so that a frame that was pressed can be collected once it is gone. */
  const observed = new WeakSet<Document>();
  let guarded: Guarded | undefined;
  /** Collected before the press: a page may put another control into a label during it. */
  let meant: readonly ReadonlySet<Element>[] = [];
  let views: Window[] = [];
  let waiting: (() => void) | undefined;

  const onMove = ({ isTrusted, type }: Event) => {
    if (!isTrusted) return;
    if (guarded?.kind === 'move') guarded.before();
    if (MOVES.includes(type)) waiting?.();
  };
  /** A page that makes the comparison throw gets no event. */
  const compare = (event: Event, press: Guarded, isSetOff: boolean) => {
    try {
      press.before();
      const late = lateChangeBy(event, press);
      return { late, missed: late ?? (isSetOff ? undefined : missedBy(event, press, meant, context)) };
    } catch {
      return { late: press.landing === 'hit' ? UNREADABLE : undefined, missed: UNREADABLE };
    }
  };
  const onEvent = (event: Event) => {
    if (guarded === undefined || guarded.kind === 'move' || !event.isTrusted) return;
    const isKeys = guarded.kind === 'keys';
    const isSetOff = isKeys && (event.type === 'click' || event.type === 'submit');
    const isAwaited = event.type !== 'submit' && KEYS.includes(event.type) === isKeys;
    if (isSetOff ? guarded.landing === 'none' : !isAwaited) return;
    const { late, missed } = compare(event, guarded, isSetOff);
    if (guarded.landing === 'none') guarded.landing = missed === undefined ? 'hit' : { missed };
    else if (late !== undefined)
      guarded.landing = { missed: late, isLate: true, isDone: isOver(event, guarded) };
    else if (isSetOff && guarded.landing !== 'hit') guarded.landing.isDone = false;
    // Listeners of a button that a key presses may change its form, like those of a click.
    if (isSetOff && guarded.landing === 'hit') guarded.isSetOff = true;
    if (guarded.landing === 'hit' && missed === undefined) return;
    // Chrome makes touch listeners of a window passive, and warns in the page's console.
    if (!event.type.startsWith('touch')) event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listen = (view: Window) => {
    for (const type of [...PRESSES, ...KEYS, 'submit']) view.addEventListener(type, onEvent, early);
  };
  // Added before the page's own scripts, where page code starts first.
  if (context.document.defaultView !== null) listen(context.document.defaultView);
  /** `document.open()` removes listeners but keeps observers. */
  const observe = (view: Window) => {
    if (observed.has(view.document)) return;
    observed.add(view.document);
    const observer = new MutationObserver(() => {
      if (stop.signal.aborted) observer.disconnect();
      else listen(view);
    });
    observer.observe(view.document, { childList: true });
  };

  return {
    /** One at a time, or none: the previous one is dropped. */
    watch(next: Guarded | undefined): void {
      for (const view of views) Reflect.set(view, GUARDED_HERE, false);
      guarded = next;
      meant = (next?.classifiedElements ?? []).map((element) => new Set(answering(element)));
      views = [...new Set(next?.classifiedElements.map((element) => viewOf(element)))];
      for (const view of views) {
        Reflect.set(view, GUARDED_HERE, true);
        listen(view);
        for (const type of [...MOVES, ...BEGINNINGS]) view.addEventListener(type, onMove, early);
        observe(view);
      }
    },
    /** Resolves when the pointer has reached its target. */
    pointer: (): Promise<void> =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    close(): void {
      stop.abort();
      for (const view of views) Reflect.set(view, GUARDED_HERE, false);
    },
  };
}

/** A key pressed on one of these would do something, or write. */
const KEYED =
  'a[href], area, button, input, select, textarea, summary, audio, video, iframe, object, embed, [contenteditable]';

/** The page took the field away at the key's first event, and left the focus where the key itself does nothing. */
function isOver(event: Event, { kind, classifiedElements }: Guarded): boolean {
  const receiver = originOf(event);
  return (
    kind === 'keys' &&
    KEYS.includes(event.type) &&
    classifiedElements.every((element) => !element.isConnected) &&
    receiver?.closest(KEYED) === null
  );
}

/** A checkbox changes before its click event, and changes back when that is cancelled. */
const TICKED = 'input:is([type=checkbox], [type=radio])';

function comparedIn({ kind, options }: Guarded): readonly string[] {
  if (kind === 'drag') return COMPARED_IN_DRAG;
  return options.held === true ? COMPARED_IN_HOLD : COMPARED;
}

/** Describes how the target changed during the press. */
function lateChangeBy(event: Event, guarded: Guarded): string | undefined {
  if (guarded.landing !== 'hit' || !comparedIn(guarded).includes(event.type)) return undefined;
  if (guarded.isSetOff === true || originOf(event)?.matches(TICKED)) return undefined;
  if (isLaterKey(event, guarded)) return undefined;
  return guarded.lateChange();
}

/** Describes the element that an event would reach instead of the classified one. */
function missedBy(
  event: Event,
  guarded: Guarded,
  meant: readonly ReadonlySet<Element>[],
  context: ActionContext,
): string | undefined {
  if (isLaterKey(event, guarded)) return undefined;
  const reached = reachedIn(event, context);
  if (reached === undefined) return 'nothing';
  const { kind, classifiedElements, landing } = guarded;
  const change = landing === 'none' ? guarded.change() : undefined;
  if (change !== undefined) return change;
  const [first] = classifiedElements;
  const isMeant =
    isCaptured(event, reached, guarded) ||
    (kind === 'keys'
      ? first !== undefined && hasFocusIn(reached, first)
      : kind === 'drag' && !DOWN.includes(event.type)
        ? meant.some((each) => isWithin(reached, each)) || !isOtherControl(reached, classifiedElements)
        : meant[0] !== undefined && isWithin(reached, meant[0]));
  return isMeant ? undefined : describe(reached, context);
}

/**
 * `setPointerCapture` sends the rest of a press to another element. One around the classified element would get
 * these events anyway; any other is missed.
 */
function isCaptured(event: Event, reached: Element, guarded: Guarded): boolean {
  const { kind, classifiedElements, landing } = guarded;
  const [first] = classifiedElements;
  if (kind !== 'press' || landing !== 'hit' || first === undefined) return false;
  const receiver = originOf(event);
  const isPointer = 'pointerId' in event && typeof event.pointerId === 'number';
  if (isPointer && receiver?.hasPointerCapture(Number(event.pointerId)) && lineOf(first).includes(receiver))
    guarded.captor = receiver;
  return receiver !== undefined && (guarded.captor === receiver || guarded.captor === reached);
}

/** Only the first of several keys has a known target; none of the others presses anything. */
function isLaterKey(event: Event, { kind, landing, options }: Guarded): boolean {
  if (kind !== 'keys' || options.several !== true || landing !== 'hit') return false;
  const word = String(Reflect.get(event, 'key') ?? Reflect.get(event, 'inputType'));
  return KEYS.includes(event.type) && !PRESSING.test(word);
}

const PRESSING = /^(?:Enter| |insertLineBreak|insertParagraph)$/;

/** The event is for the classified element, or for something in it that is not another control. */
export const reaches = (reached: Element, classified: Element | undefined): boolean =>
  classified !== undefined && isWithin(reached, new Set(answering(classified)));

function isWithin(reached: Element, meant: ReadonlySet<Element>): boolean {
  for (const outer of lineOf(reached)) {
    if (meant.has(outer)) return true;
    if (isControl(outer)) return false;
  }
  return false;
}

/** The element itself, the control that it names, and the control of a label. */
function answering(element: Element): Element[] {
  const control = lineOf(element).find(isControl);
  const all = control !== undefined && isNamedByContent(control) ? [element, control] : [element];
  return all.flatMap((each) => {
    const labelled: unknown = each.localName === 'label' ? Reflect.get(each, 'control') : null;
    return isElement(labelled) ? [each, labelled] : [each];
  });
}

const isElement = (value: unknown): value is Element =>
  typeof value === 'object' && value !== null && Reflect.get(value, 'nodeType') === 1;

/** A drag may end over its own preview, which is not a control. */
function isOtherControl(reached: Element, ends: readonly Element[]): boolean {
  const control = lineOf(reached).find(isControl);
  return control !== undefined && !ends.some((end) => lineOf(end).includes(control));
}

/** The path of an event ends at the host of a closed shadow root. */
function hasFocusIn(reached: Element, focused: Element): boolean {
  for (let outer: Element | undefined = focused; outer !== undefined; outer = hostOf(outer))
    if (outer === reached) return true;
  return false;
}

/** The path of an event ends at the host of a closed shadow root; the point shows the inner element. */
function reachedIn(event: Event, { shadowRootOf }: ActionContext): Element | undefined {
  const reached = originOf(event);
  if (reached === undefined || !('clientX' in event && 'clientY' in event)) return reached;
  return innermostAt(reached, { x: Number(event.clientX), y: Number(event.clientY) }, shadowRootOf);
}
