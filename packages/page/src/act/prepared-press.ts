import { unreadPart } from '../effect/drawings.ts';
import type { Observation } from '../effect/observation.ts';
import { focusIn } from '../effect/page-state.ts';
import { originOf } from '../locate/frame-origin.ts';
import { requireOrigin } from '../locate/origin-here.ts';
import { coverAround, innermostOf, type Point, pressedAt, pressTarget } from '../perceive/hit-test.ts';
import { textIn } from '../perceive/text.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionName, ActionRefused, ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { begin, conclude, refusable, startObservation } from './action-run.ts';
import { dragAlong } from './drag.ts';
import { keepFocusAndScroll } from './focus-and-scroll.ts';
import { giveFocus, type KeysOptions } from './key-actions.ts';
import { viewOf } from './page-events.ts';
import { hoverOver, type PointerOptions, pressDown, pressOn, senderFor } from './pointer.ts';
import { createPressGuard, type Guarded, reaches } from './press-guard.ts';
import { asPoint, corner, missingPoint, type Pair, pressPoint, type Way } from './press-points.ts';
import { refusal } from './refusal.ts';
import { scrollBoxAround, turnWheel } from './scroll-box.ts';
import { describe, type Healed, resolveTarget, stillSame, type Target } from './target.ts';

/** The press point, in coordinates of the outermost document that page code can reach. */
export interface PreparedPress {
  readonly ok: true;
  readonly point: Point;
  /** All points of a drag or of a move, the first one being `point`. */
  readonly path?: readonly Point[];
  readonly token: string;
  readonly id: string;
  /** The element at a point, or the one that has the focus. */
  readonly on?: string;
  readonly healed?: Healed;
  /** Where a drawing that page code cannot read is, relative to the point. */
  readonly drawing?: DrawnPart;
  /** The caller's classification, if it passed `classify`. */
  readonly elementContext?: unknown;
}

export interface DrawnPart {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Prepared = PreparedPress | ActionRefused;
export type Confirmed = { readonly ok: true } | ActionRefused;
/** `point`: the element has moved, and is pressed there. */
export type Rechecked = { readonly ok: true; readonly point?: Point } | ActionRefused;

export type Landed = { readonly ok: true; readonly landed: boolean } | ActionRefused;

export type Presses = ReturnType<typeof createPresses>;

export interface PressOptions extends ActOptions, Way {
  /** The button stays down for a time. */
  readonly held?: boolean;
  /** More keys follow the first one, which may move the focus. */
  readonly several?: boolean;
}

export interface PressNowOptions extends PointerOptions {
  readonly hold_ms?: number;
  /** Ends the hold when the page shows this text. */
  readonly until?: string;
  /** Turns the wheel in place of a press. */
  readonly wheel?: Pair;
}

interface Pending extends Guarded {
  readonly token: string;
  readonly action: ActionName;
  readonly target: Target;
  points: readonly Point[];
  readonly options: PressOptions;
  /** The document that the points are of. */
  readonly within: Document;
  readonly path: readonly Point[];
  readonly before: () => Observation;
  classifiedElements: readonly Element[];
  /** Where the press point of its element is now. */
  readonly place?: () => Point;
  /** Restores the scroll positions after a quiet press. */
  readonly putBack?: (() => void) | undefined;
}

/** Longer than a page takes to render and handle the pointer. */
const LATE_MS = 100;

/** A hover effect moves an element by less. */
const NEAR_PX = 4;

/** One press at a time: preparing another drops the last. */
export function createPresses(context: ActionContext) {
  const { document, shadowRootOf, watch, registry } = context;
  const guard = createPressGuard(context);
  let pending: Pending | undefined;
  let made = 0;
  /** Copies the cache: further answers, such as the size of the window, hold for this walk only. */
  const inWalkNow = <Found>(work: () => Found) => withWalkCache(work, new Map(context.stateCache.names()));
  const give = (press?: Pending) => {
    pending?.putBack?.();
    pending = press;
    guard.watch(press);
  };
  const take = (token: string): Pending => {
    if (pending?.token === token) return pending;
    throw refusal('invalid_input', 'not_pressed', 'No press is prepared under this token: prepare it again.');
  };

  interface Order
    extends Pick<
      Pending,
      | 'kind'
      | 'action'
      | 'target'
      | 'points'
      | 'options'
      | 'classifiedElements'
      | 'putBack'
      | 'within'
      | 'path'
      | 'place'
    > {
    readonly moment: number;
  }
  const hold = (order: Order): PreparedPress => {
    const { target, points, options, within, path } = order;
    const classifyNow = () => inWalkNow(() => options.classify?.(target.element, press.classifiedElements));
    const before = beforePress(options, context, order.action === 'hover');
    let elementContext: unknown;
    let { moment } = order;
    let styled = '';
    /** Whether nothing happened since the last look that a page could have changed the target by. */
    const hasRested = (now: number): boolean =>
      // A value set by a script triggers no event.
      options.isSameContext === undefined &&
      now === moment &&
      press.classifiedElements.every((each) => isObserved(each, document)) &&
      styledTexts(press.classifiedElements) === styled;
    const change = () => {
      const now = watch.moment();
      const { isSameContext } = options;
      if (hasRested(now)) return undefined;
      const isKnown = registry.fingerprintOf(target.id) !== undefined && options.located !== true;
      const isSame = isKnown ? stillSame(target, context) : target.element.isConnected;
      if (!isSame || !(isSameContext ?? isEqual)(elementContext, classifyNow()))
        return `${describe(target.element, context)}, which it was not before`;
      moment = now;
      styled = styledTexts(press.classifiedElements);
      return undefined;
    };
    const lateChange = () => {
      const now = watch.moment();
      const { mayContinue } = options;
      if (mayContinue === undefined || hasRested(now)) return undefined;
      if (!mayContinue(elementContext, classifyNow())) return describe(target.element, context);
      moment = now;
      styled = styledTexts(press.classifiedElements);
      return undefined;
    };
    const token = `press-${++made}`;
    const press: Pending = { ...order, token, before, change, lateChange, landing: 'none' };
    elementContext = classifyNow();
    styled = styledTexts(press.classifiedElements);
    give(press);
    const { element, id, healed } = target;
    const [inside = { x: 0, y: 0 }] = points;
    const point = within === document ? inside : inOuterDocument(element, inside, document);
    return {
      ok: true,
      point,
      ...(path.length > 0 && { path }),
      token: press.token,
      id,
      elementContext,
      ...(healed && { healed }),
      ...drawingAt(element, inside, within),
      ...(id === '' && { on: withKnownId(order.classifiedElements[0] ?? element, context) }),
    };
  };

  /** Checks each point again: refuses another element there, unless it lies in the classified one. */
  const look = (press: Pending): void => {
    const { target, points, within } = press;
    const reached = points.map((point) => pressedAt(within, point, shadowRootOf));
    const cover =
      reached.find((each, at) => each === undefined || !reaches(each, press.classifiedElements[at])) ??
      (within === document
        ? undefined
        : points
            .map((point) => coverAround(target.element, point, shadowRootOf))
            .find((each) => each !== undefined));
    if (cover !== undefined || reached.includes(undefined))
      throw missed(press, cover && describe(cover, context));
    press.classifiedElements = reached.flatMap((each) => each ?? []);
    const change = press.change();
    if (change !== undefined) throw missed(press, change);
    guard.watch(press);
  };

  /** The point of an element that has moved since; undefined for one at rest, a point without one, and a drag. */
  const movedTo = async (press: Pending): Promise<Point | undefined> => {
    const { kind, target, points, options } = press;
    const [from] = points;
    if (kind !== 'press' || target.id === '' || from === undefined || !target.element.isConnected)
      return undefined;
    const to = press.place?.();
    if (to === undefined || Math.hypot(to.x - from.x, to.y - from.y) < NEAR_PX) return undefined;
    const { point } = await pressPoint(target, options.at, context);
    press.points = [point];
    press.classifiedElements = [innermostOf(pressTarget(target.element), point, shadowRootOf)];
    return inOuterDocument(target.element, point, document);
  };

  const pressClassified = (press: Pending, count: number, options: PointerOptions): void => {
    const [element] = press.classifiedElements;
    const [point] = press.points;
    if (element === undefined || point === undefined) throw missed(press);
    const requireSame = () => {
      const change = press.change() ?? (element.isConnected ? undefined : 'nothing');
      if (change !== undefined) throw missed(press, change);
    };
    try {
      requireSame();
      hoverOver(element, point);
      requireSame();
      pressOn(element, point, count, options, () => {
        const change = press.lateChange();
        if (change !== undefined) throw missed(press, change, true);
      });
    } finally {
      give();
    }
  };

  /** A change during the drag is not seen: page code is done before the page can react. */
  const dragClassified = (press: Pending): void => {
    const [source, end] = press.classifiedElements;
    const change = press.change();
    give();
    if (source === undefined || end === undefined || change !== undefined) throw missed(press, change);
    const at = (point: Point) => pressedAt(document, point, shadowRootOf) ?? document.documentElement;
    dragAlong(source, end, press.path, at);
  };

  const moveAlong = (press: Pending, wheel: Pair | undefined): OwnWord => {
    give();
    const stops = press.path.map((point) => ({
      point,
      element: pressedAt(document, point, shadowRootOf) ?? document.documentElement,
    }));
    for (const { element, point } of stops) hoverOver(element, point);
    const [first] = stops;
    if (wheel === undefined || first === undefined) return {};
    return { box: turnWheel(first.element, first.point, wheel) };
  };

  const scrolledBox = ({ classifiedElements: [element] }: Pending): Element =>
    scrollBoxAround(element ?? document.documentElement);

  /** The button goes up where it went down; a click follows unless the page has changed the target. */
  const holdClassified = async (press: Pending, options: PressNowOptions): Promise<OwnWord> => {
    const [element] = press.classifiedElements;
    const [point] = press.points;
    const change = press.change();
    if (element === undefined || point === undefined || change !== undefined) throw missed(press, change);
    hoverOver(element, point);
    const send = senderFor(element, point, options, 1);
    const goesOn = pressDown(element, send, options.quiet);
    const isMet = await heldLongEnough(options, context);
    send('pointerup');
    if (goesOn) send('mouseup');
    const late = press.lateChange();
    give();
    if (late === undefined && element.isConnected) send('click');
    return isMet ? {} : { achieved: false, shortfall: 'the text did not come while the button was held' };
  };

  return {
    /** Synchronous unless the target moves. */
    prepare(id: string, action: ActionName, options: PressOptions): Prepared | Promise<Prepared> {
      give();
      return refusable(action, () => {
        const moment = watch.moment();
        let putBack: (() => void) | undefined;
        const [target, place] = inWalkNow(() => {
          const meant = begin(id, options, context);
          putBack = options.quiet ? keepFocusAndScroll(meant.element) : undefined;
          return [meant, pressPoint(meant, options.at, context)] as const;
        });
        const ready = ({ point }: { readonly point: Point }) => {
          const classifiedElements = [innermostOf(pressTarget(target.element), point, shadowRootOf)];
          return hold({
            kind: 'press',
            action,
            target,
            points: [point],
            path: [],
            within: target.element.ownerDocument,
            options,
            classifiedElements,
            moment,
            putBack,
            place: placeOf(target.element, point),
          });
        };
        return place instanceof Promise ? place.then(ready) : ready(place);
      });
    },
    /** The targets of a press at a point, or of both ends of a drag. */
    prepareAt: (points: readonly Point[], options: PressOptions): Prepared => {
      give();
      return atOnce('click', () => {
        requireOrigin(options, context);
        const moment = watch.moment();
        const classifiedElements = points.map(
          (point) => pressedAt(document, point, shadowRootOf) ?? document.documentElement,
        );
        const [element = document.documentElement] = classifiedElements;
        const target = { id: '', element: outermost(element) };
        const kind = points.length > 1 ? 'drag' : 'press';
        return hold({
          ...{ kind, action: 'click', target, points, path: [], within: document },
          ...{ options, classifiedElements, moment },
        });
      });
    },
    /** A drag, or a move that presses nothing: from the element or from a point of the viewport. */
    prepareWay: (
      id: string | undefined,
      action: 'drag' | 'hover' | 'wheel',
      options: PressOptions,
    ): Promise<Prepared> => {
      give();
      return refusable(action, async () => {
        requireOrigin(options, context);
        const from = id === undefined ? undefined : begin(id, options, context);
        const path = await wayOf(from, action, options, context);
        const moment = watch.moment();
        const ends = [path[0], path.at(-1)].flatMap((point) => point ?? []);
        const points = action === 'drag' ? ends : ends.slice(0, 1);
        const classifiedElements = points.map((point) => {
          const reached = pressedAt(document, point, shadowRootOf);
          if (reached !== undefined) return reached;
          const { x, y } = point;
          throw refusal('state_mismatch', 'off_screen', `The point ${x}, ${y} is outside the window.`);
        });
        const [element = document.documentElement] = classifiedElements;
        const target = from ?? { id: '', element: outermost(element) };
        const kind = action === 'drag' ? 'drag' : 'move';
        return hold({
          ...{ kind, action, target, points, path, within: document },
          ...{ options, classifiedElements, moment },
        });
      });
    },
    /** For keys: the focused element, or the one to focus. */
    prepareKeys: (options: KeysOptions & PressOptions): Prepared => {
      give();
      return atOnce('keys', () => {
        requireOrigin(options, context);
        const meant = options.id === undefined ? undefined : begin(options.id, options, context);
        if (meant !== undefined && !options.quiet) giveFocus(meant, context);
        const focused = focusIn(document, shadowRootOf) ?? document.body;
        // Quiet keys go to their element without the focus, which stays with the person.
        const element = options.quiet ? (meant?.element ?? focused) : focused;
        const target = { id: '', element };
        const moment = watch.moment();
        return hold({
          kind: 'keys',
          action: 'keys',
          target,
          points: [],
          path: [],
          within: document,
          options,
          classifiedElements: [element],
          moment,
        });
      });
    },
    /**
     * After the pointer has arrived and the page has rendered: checks that the press still reaches the
     * classified element. Follows an element that has moved; the guard stays with it.
     */
    recheck: (token: string, moves: boolean): Promise<Rechecked> =>
      refusable(pending?.action ?? 'click', async () => {
        const press = take(token);
        if (press.kind === 'keys') {
          focusedAs(press);
          return { ok: true } as const;
        }
        const { clock } = context;
        const late = new Promise<void>((resolve) => clock.setTimeout(resolve, LATE_MS));
        if (moves) await Promise.race([guard.pointer(), late]);
        await Promise.race([drawn(press, context), late]);
        const point = await movedTo(take(token));
        // Missed before: nothing was done.
        if (isMissed(press.landing)) press.landing = 'none';
        look(take(token));
        return { ok: true, ...(point && { point }) } as const;
      }),
    /** Whether a press of a moving element hit it. A miss did nothing, and may be rechecked and pressed again. */
    hasLanded: (token: string): Landed =>
      atOnce('click', () => {
        const { landing } = take(token);
        return { ok: true, landed: landing !== 'none' && !isMissed(landing) } as const;
      }),
    /** Uses synthetic events. */
    pressNow: (token: string, count: number, options: PressNowOptions): Promise<ActionResult> =>
      refusable(pending?.action ?? 'click', async () => {
        const press = take(token);
        const observation = press.before();
        const { action, target, kind } = press;
        let own: OwnWord = {};
        if (kind === 'drag') dragClassified(press);
        else if (kind === 'move') own = moveAlong(press, options.wheel);
        else if (options.hold_ms !== undefined) own = await holdClassified(press, options);
        else pressClassified(press, count, options);
        return conclude({ action, target, own, options: press.options, observation, context });
      }),
    /** The same for a target without an id: reports only whether it was done. */
    pressBriefly: (token: string, count: number, options: PointerOptions): Confirmed =>
      atOnce('click', () => {
        pressClassified(take(token), count, options);
        return { ok: true } as const;
      }),
    confirm: (token: string): Promise<ActionResult> => {
      const action = pending?.token === token ? pending.action : 'click';
      return refusable(action, async () => {
        const press = take(token);
        give();
        if (press.kind !== 'move' && !(press.kind === 'keys' && press.landing === 'none'))
          requireLanded(press);
        const { target, options, before } = press;
        const box = action === 'wheel' ? scrolledBox(press) : undefined;
        const own = { fidelity: 'trusted', ...(box && { box }) } as const;
        return conclude({ action, target, own, options, observation: before(), context });
      });
    },
    /** The same for a target without an id: reports only whether it landed. */
    releasePress: (token: string): Confirmed =>
      atOnce('click', () => {
        const press = take(token);
        give();
        if (press.kind !== 'keys' || press.landing !== 'none') requireLanded(press);
        return { ok: true } as const;
      }),
    /** Fails unless the classified element has the focus; the returned function fails once the page has changed that. */
    claimFocus(token: string): () => void {
      const press = take(token);
      give();
      focusedAs(press);
      return () => {
        const change = press.lateChange();
        if (change !== undefined) throw missed(press, change, true);
      };
    },
    close: guard.close,
  };

  function focusedAs({ classifiedElements, change }: Pending): void {
    const focused = focusIn(document, shadowRootOf) ?? document.body;
    const now = classifiedElements.includes(focused) ? change() : describe(focused, context);
    if (now === undefined) return;
    const message = `The key would have reached ${now}: nothing was done.`;
    throw refusal('state_mismatch', 'covered', message, { cover: now });
  }

  /** The element of the outermost document, in whose coordinates the point is. */
  function outermost(element: Element): Element {
    const holder =
      element.ownerDocument === document ? null : element.ownerDocument.defaultView?.frameElement;
    return holder == null ? element : outermost(holder);
  }
}

/** The points of a drag or a move, in coordinates of the outermost document. */
async function wayOf(
  from: Target | undefined,
  action: ActionName,
  options: Way,
  context: ActionContext,
): Promise<readonly Point[]> {
  const { to_id, to, by, path } = options;
  const at = path?.[0] ?? options.at;
  const inWindow = ({ element }: Target, point: Point) => inOuterDocument(element, point, context.document);
  const onto = to_id === undefined ? undefined : resolveTarget(to_id, context);
  if (onto !== undefined) await pressPoint(onto, undefined, context);
  const begun = from && (await pressPoint(from, at, context));
  const exact = from && begun ? inWindow(from, begun.point) : at && asPoint(at);
  // The mouse moves by whole pixels: a distance counts from one.
  const start = exact && action === 'drag' ? { x: Math.round(exact.x), y: Math.round(exact.y) } : exact;
  if (start === undefined) throw missingPoint(action);
  // Points are counted from where the element is now: finding its start may have scrolled.
  const later = (pair: Pair) =>
    from ? inWindow(from, corner(pressTarget(from.element), pair)) : asPoint(pair);
  if (path !== undefined) return [start, ...path.slice(1).map(later)];
  if (action !== 'drag') return [start];
  if (onto !== undefined) return [start, inWindow(onto, (await pressPoint(onto, to, context)).point)];
  if (to !== undefined) return [start, later(to)];
  if (by === undefined) throw missingPoint(action);
  return [start, { x: start.x + Math.round(by[0]), y: start.y + Math.round(by[1]) }];
}

const LONGEST_HOLD_MS = 30_000;
const HOLD_LOOK_MS = 50;

/** False when the awaited text did not come. */
async function heldLongEnough(
  { hold_ms = LONGEST_HOLD_MS, until }: PressNowOptions,
  { clock, document }: ActionContext,
): Promise<boolean> {
  const sleep = (ms: number) => new Promise<void>((resolve) => clock.setTimeout(resolve, ms));
  if (until === undefined) return sleep(hold_ms).then(() => true);
  const endsAt = clock.now() + hold_ms;
  const isShown = () => textIn(document.body, Number.POSITIVE_INFINITY).includes(until);
  while (!isShown() && clock.now() < endsAt) await sleep(HOLD_LOOK_MS);
  return isShown();
}

/** The point moves with the top left corner of its element. */
function placeOf(element: Element, { x, y }: Point): () => Point {
  const { left, top } = element.getBoundingClientRect();
  return () => {
    const now = element.getBoundingClientRect();
    return { x: x + now.left - left, y: y + now.top - top };
  };
}

/** The agent knows an element of its snapshot by its id. */
function withKnownId(element: Element, context: ActionContext): string {
  const id = context.registry.knownIdOf(element) ?? '';
  const known = context.registry.fingerprintOf(id) === undefined ? '' : id;
  return `${known} ${describe(element, context)}`.trim();
}

function atOnce<Done>(action: ActionName, work: () => Done): Done | ActionRefused {
  const done = refusable(action, work);
  if (done instanceof Promise) throw new Error(`${action} takes its time.`);
  return done;
}

const isMissed = (landing: Pending['landing']): boolean =>
  landing !== 'none' && landing !== 'hit' && landing.isLate !== true;

function requireLanded(press: Pending): void {
  const { kind, landing, options } = press;
  // A page shows that a button is held, or what a drag does; the click at the end is not part of it.
  if (
    (options.held === true || kind === 'drag') &&
    landing !== 'none' &&
    landing !== 'hit' &&
    landing.isLate === true
  )
    return;
  if (landing === 'none') throw refusal('handler_failed', 'not_pressed', 'No press reached the page.');
  if (landing !== 'hit' && landing.isDone !== true) throw missed(press, landing.missed, landing.isLate);
}

function missed({ target: { id } }: Pending, cover = 'nothing', isLate = false) {
  const message = isLate
    ? `The page changed it during the press, to ${cover}: the rest of the press was not done. Look at the page again.`
    : `The press would have reached ${cover}: nothing was done.`;
  return refusal('state_mismatch', 'covered', message, { ...(id !== '' && { id }), cover });
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** All changes of such an element are observed but for those of style sheets, so its name need not be read again. */
const isObserved = (element: Element, document: Document): boolean =>
  element.isConnected && element.getRootNode() === document;

const MOST_STYLED = 20;

/** Texts that style sheets draw in the elements: nothing reports a rule that a script inserts. */
const styledTexts = (elements: readonly Element[]): string =>
  elements
    .flatMap((element) => [element, ...element.querySelectorAll('*')].slice(0, MOST_STYLED))
    .flatMap((each) =>
      ['::before', '::after'].map((pseudo) => viewOf(each).getComputedStyle(each, pseudo).content),
    )
    .join('\n');

/** Waits for the next frame and its handlers. A hidden page renders none. */
function drawn({ target: { element } }: Pending, { clock }: ActionContext): Promise<void> {
  return new Promise((resolve) => {
    viewOf(element).requestAnimationFrame(() => clock.setTimeout(resolve, 0));
  });
}

/**
 * The page before the press: observed while the point is on its way to the host, or when the press comes
 * sooner. Expected selectors are evaluated now, so that an invalid one is refused before the press.
 */
function beforePress(options: ActOptions, context: ActionContext, isHover: boolean): () => Observation {
  let started: Observation | undefined;
  let isPressed = false;
  const start = () => (started ??= startObservation(options, context, isHover));
  if (options.expected) start();
  else if (options.unobserved !== true) context.clock.setTimeout(start, 0);
  return () => {
    const observation = start();
    if (!isPressed) observation.atAct();
    isPressed = true;
    return observation;
  };
}

export function inOuterDocument(element: Element, { x, y }: Point, outermost: Document): Point {
  const { left, top } = originOf(element, outermost);
  return { x: x + left, y: y + top };
}

function drawingAt(element: Element, { x, y }: Point, within: Document): { drawing?: DrawnPart } {
  const part = element.ownerDocument === within ? unreadPart(element) : undefined;
  if (part === undefined) return {};
  const { left, top, right, bottom } = part;
  return { drawing: { left: left - x, top: top - y, width: right - left, height: bottom - top } };
}
