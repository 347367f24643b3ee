import { hostOf, lineOf } from '../perceive/composed-tree.ts';
import { isControl, isNamedByContent } from '../perceive/control.ts';
import { innermostAt } from '../perceive/hit-test.ts';
import { originOf } from '../secrets/scrub.ts';
import { viewOf } from './page-events.ts';
import { describe } from './target.ts';
import type { Workplace } from './workplace.ts';

/** How input that a host sends has ended: where it was meant to, elsewhere (and then it was stopped), or not yet. */
export type Landing = 'none' | 'hit' | { readonly missed: string; readonly isLate?: boolean };

/** Input that is awaited. */
export interface Guarded {
  readonly kind: 'press' | 'drag' | 'keys';
  /** The innermost elements that were weighed: one, or both ends of a drag. */
  readonly weighed: readonly Element[];
  /** Describes what stands there instead of what was weighed; undefined while it is the same. */
  readonly change: () => string | undefined;
  /** The same once the press is under way: undefined also for changes that make it no other press. */
  readonly lateChange: () => string | undefined;
  /** Called before the page hears of the input. */
  readonly before: () => unknown;
  landing: Landing;
  /** Keys have pressed a button already. */
  isSetOff?: boolean;
}

export interface PressGuard {
  /** One at a time, or none: the last one is given up. */
  readonly watch: (guarded: Guarded | undefined) => void;
  /** Resolves when the pointer has come to what is awaited. */
  readonly pointer: () => Promise<void>;
  readonly close: () => void;
}

const DOWN = ['pointerdown', 'mousedown', 'dragstart'];
const PRESSES = [...DOWN, ...'pointerup mouseup click auxclick dblclick contextmenu drop'.split(' ')];
const KEYS = ['keydown', 'keypress', 'keyup', 'beforeinput'];
/** A page may have changed what these would do in its own listeners for the events before them. */
const COMPARED = ['pointerdown', 'click', 'keydown', 'keypress', 'submit'];
const MOVES = ['pointermove', 'mousemove'];
/** Tells the shield of this window that the guard is here: `in-page/input-shield.ts` of the runtime reads it. */
const GUARDED_HERE = Symbol.for('drawbridge.guarded');

/**
 * Between the moment a point is told and the moment it is pressed the page may change. The guard looks at
 * each event before the page does, and lets it through only to the element that was weighed. Its
 * listeners stay: to take them off and put them on again takes longer than the press itself.
 */
export function createPressGuard(workplace: Workplace): PressGuard {
  const stop = new AbortController();
  const early = { capture: true, signal: stop.signal };
  const observers = new Map<Document, MutationObserver>();
  let guarded: Guarded | undefined;
  let views: Window[] = [];
  let waiting: (() => void) | undefined;

  const onMove = ({ isTrusted }: Event) => {
    if (isTrusted) waiting?.();
  };
  const onEvent = (event: Event) => {
    if (guarded === undefined || !event.isTrusted) return;
    const isKeys = guarded.kind === 'keys';
    const isSetOff = isKeys && (event.type === 'click' || event.type === 'submit');
    const isAwaited = event.type !== 'submit' && KEYS.includes(event.type) === isKeys;
    if (isSetOff ? guarded.landing === 'none' : !isAwaited) return;
    guarded.before();
    const late = lateChangeBy(event, guarded);
    const missed = late ?? (isSetOff ? undefined : missedBy(event, guarded, workplace));
    if (guarded.landing === 'none') guarded.landing = missed === undefined ? 'hit' : { missed };
    else if (late !== undefined) guarded.landing = { missed: late, isLate: true };
    // The listeners of a button that a key presses may change what its form sends, as those of a click do.
    if (isSetOff && guarded.landing === 'hit') guarded.isSetOff = true;
    if (guarded.landing === 'hit' && missed === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const listen = (view: Window) => {
    for (const type of [...PRESSES, ...KEYS, 'submit']) view.addEventListener(type, onEvent, early);
  };
  // Before the page's own scripts, where page code comes first.
  if (workplace.document.defaultView !== null) listen(workplace.document.defaultView);
  /** `document.open()` takes every listener off, and leaves observers. */
  const observe = (view: Window) => {
    if (observers.has(view.document)) return;
    const observer = new MutationObserver(() => listen(view));
    observer.observe(view.document, { childList: true });
    observers.set(view.document, observer);
  };

  return {
    watch(next) {
      for (const view of views) Reflect.set(view, GUARDED_HERE, false);
      guarded = next;
      views = [...new Set(next?.weighed.map((element) => viewOf(element)))];
      for (const view of views) {
        Reflect.set(view, GUARDED_HERE, true);
        listen(view);
        for (const type of MOVES) view.addEventListener(type, onMove, early);
        observe(view);
      }
    },
    pointer: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    close() {
      stop.abort();
      for (const observer of observers.values()) observer.disconnect();
      for (const view of views) Reflect.set(view, GUARDED_HERE, false);
    },
  };
}

/** A tick is set before its click is sent, and taken back when that is refused. */
const TICKED = 'input:is([type=checkbox], [type=radio])';

/** Describes what has become of the target of a press that is under way. */
function lateChangeBy(event: Event, guarded: Guarded): string | undefined {
  if (guarded.landing !== 'hit' || guarded.kind === 'drag' || !COMPARED.includes(event.type))
    return undefined;
  if (guarded.isSetOff === true || originOf(event)?.matches(TICKED)) return undefined;
  return guarded.lateChange();
}

/** Describes what an event would reach other than what was weighed. */
function missedBy(event: Event, guarded: Guarded, workplace: Workplace): string | undefined {
  const reached = reachedIn(event, workplace);
  if (reached === undefined) return 'nothing';
  const { kind, weighed, landing } = guarded;
  const change = landing === 'none' ? guarded.change() : undefined;
  if (change !== undefined) return change;
  const [first, last] = weighed;
  const isMeant =
    kind === 'keys'
      ? first !== undefined && hasFocusIn(reached, first)
      : kind === 'drag' && !DOWN.includes(event.type)
        ? reaches(reached, [first, last]) || !isOtherControl(reached, weighed)
        : reaches(reached, [first]);
  return isMeant ? undefined : describe(reached, workplace);
}

/** The event is for the weighed element, or for something in it that is no other control. */
export function reaches(reached: Element, weighed: readonly (Element | undefined)[]): boolean {
  const meant = new Set(weighed.flatMap((element) => (element === undefined ? [] : answering(element))));
  for (const outer of lineOf(reached)) {
    if (meant.has(outer)) return true;
    if (isControl(outer)) return false;
  }
  return false;
}

/** The element itself, the control that is named by it, and what a label presses. */
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

/** A drag may end over the picture of what is dragged, which is no control. */
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

/** The path of an event ends at the host of a closed shadow root: further in, the point tells. */
function reachedIn(event: Event, { shadowRootOf }: Workplace): Element | undefined {
  const reached = originOf(event);
  if (reached === undefined || !('clientX' in event && 'clientY' in event)) return reached;
  return innermostAt(reached, { x: Number(event.clientX), y: Number(event.clientY) }, shadowRootOf);
}
