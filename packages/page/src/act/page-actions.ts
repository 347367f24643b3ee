import type { Effect } from '../effect/effect.ts';
import { createLateEffects } from '../effect/late-effect.ts';
import { createStateCache } from '../effect/state-cache.ts';
import type { ElementRegistry } from '../identity/element-registry.ts';
import type { ListenerHint } from '../perceive/actionable.ts';
import { openShadowRoot, type ShadowRootOf } from '../perceive/composed-tree.ts';
import type { Point } from '../perceive/hit-test.ts';
import type { ListenerKinds } from '../perceive/possible-target.ts';
import { type PageClock, pageClock } from '../watch/clock.ts';
import type { Watch } from '../watch/watch.ts';
import type { ActionContext, Host } from './action-context.ts';
import type { ActionResult, ActOptions } from './action-result.ts';
import { refusable } from './action-run.ts';
import type { Choice } from './choice.ts';
import { bytesOf, type FileData, type FileParts } from './file-choice.ts';
import { type KeysOptions, keys } from './key-actions.ts';
import type { PointerOptions } from './pointer.ts';
import { type ClickOptions, drag, focus, hover, press } from './pointer-actions.ts';
import {
  type Confirmed,
  createPresses,
  type Landed,
  type Prepared,
  type PressNowOptions,
  type PressOptions,
  type Rechecked,
} from './prepared-press.ts';
import type { Way } from './press-points.ts';
import { refusal } from './refusal.ts';
import { type ScrollOptions, scroll } from './scroll-action.ts';
import { type SelectionOptions, selectText } from './selection.ts';
import { fill, type } from './text-actions.ts';
import { check, select, upload } from './value-actions.ts';

export interface PageActionsOptions {
  readonly document: Document;
  readonly registry: ElementRegistry;
  readonly watch: Watch;
  readonly clock?: PageClock;
  readonly shadowRootOf?: ShadowRootOf;
  readonly host?: Host;
  readonly listenerHint?: ListenerHint | undefined;
  readonly listenerKinds?: ListenerKinds | undefined;
  readonly onLook?: (() => void) | undefined;
}

/** Page actions on elements by id, one at a time, each with its effect. Returns plain data. */
export interface PageActions {
  readonly click: (id: string, options?: ClickOptions) => Promise<ActionResult>;
  readonly doubleClick: (id: string, options?: ClickOptions) => Promise<ActionResult>;
  readonly hover: (id: string | undefined, options?: PressOptions) => Promise<ActionResult>;
  readonly focus: (id: string, options?: ActOptions) => Promise<ActionResult>;
  /** Replaces a field's value. */
  readonly fill: (id: string, text: string, options?: ActOptions) => Promise<ActionResult>;
  /** Appends to a field's value, key by key. */
  readonly type: (id: string, text: string, options?: ActOptions) => Promise<ActionResult>;
  readonly select: (
    id: string,
    choice: Choice | readonly Choice[],
    options?: ActOptions,
  ) => Promise<ActionResult>;
  readonly check: (id: string, options?: ActOptions) => Promise<ActionResult>;
  readonly uncheck: (id: string, options?: ActOptions) => Promise<ActionResult>;
  /** Onto an element, or along a way. */
  readonly drag: (id: string, to: string | Way, options?: ActOptions) => Promise<ActionResult>;
  readonly selectText: (id: string, options?: SelectionOptions) => Promise<ActionResult>;
  /** Scrolls a scrollable element, scrolls any other into view, or scrolls the page without an id. */
  readonly scroll: (id?: string, options?: ScrollOptions) => Promise<ActionResult>;
  /** A part of the content of a file, ahead of `upload`; part 0 of file 0 forgets earlier ones. */
  readonly uploadPart: (id: string, file: number, part: number, base64: string) => void;
  readonly upload: (id: string, files: readonly FileData[], options?: ActOptions) => Promise<ActionResult>;
  /** `Enter`, `Control+a`: at the focus, or on an element. */
  readonly keys: (chords: string | readonly string[], options?: KeysOptions) => Promise<ActionResult>;
  /** For a host with trusted input: returns where to press. Only this element receives the press. */
  readonly preparePress: (
    id: string | undefined,
    options?: ClickOptions & PressOptions & { readonly way?: 'drag' | 'hover' | 'wheel' | undefined },
  ) => Prepared | Promise<Prepared>;
  /** The same at a point of the page, or at both ends of a drag. */
  readonly preparePressAt: (
    points: readonly Point[],
    options?: ClickOptions & PressOptions,
  ) => Prepared | Promise<Prepared>;
  /** The same for keys, which only the focused element receives. */
  readonly prepareKeys: (options?: KeysOptions & PressOptions) => Prepared | Promise<Prepared>;
  /** Before the host presses, with the pointer in place or on its way: whether the same element would be reached. */
  readonly recheckPress: (token: string, moves?: boolean) => Promise<Rechecked>;
  readonly hasLanded: (token: string) => Landed;
  /** Presses the prepared element with synthetic events. */
  readonly pressPrepared: (token: string, count: number, options?: PressNowOptions) => Promise<ActionResult>;
  readonly pressBriefly: (
    token: string,
    count: number,
    options?: PointerOptions,
  ) => Confirmed | Promise<Confirmed>;
  /** After the host has pressed: the effect. */
  readonly confirm: (token: string) => Promise<ActionResult>;
  /** The effect of the last act, with what has come since. The argument names its frame to a host. */
  readonly observeAgain: (of?: { readonly id?: string }) => Promise<ActionResult>;
  /** Changes since the report of the last act or the last such answer; each is returned once. */
  readonly lateEffect: () => Effect | undefined;
  /** Messages since the last report, including those that are gone again. */
  readonly said: () => readonly string[];
  /** After a press at a point, or keys: whether they reached their target. */
  readonly releasePress: (token: string) => Confirmed | Promise<Confirmed>;
  readonly close: () => void;
}

export function createPageActions(options: PageActionsOptions): PageActions {
  const { listenerHint, listenerKinds } = options;
  const given = {
    clock: pageClock,
    shadowRootOf: openShadowRoot,
    host: {},
    ...options,
    listenerHint,
    listenerKinds,
  };
  const stateCache = createStateCache(given);
  const lateEffects = createLateEffects({ ...given, stateCache });
  const context: ActionContext = { ...given, stateCache, lateEffects, again: undefined };
  const presses = createPresses(context);
  const parts: FileParts = new Map();
  let last: Promise<unknown> | undefined;
  /** Concurrent actions would report each other's effects. The first starts synchronously. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  function inTurn<Result>(work: () => Result | Promise<Result>): Result | Promise<Result>;
  function inTurn(work: () => unknown): unknown {
    const turn = last === undefined ? work() : last.then(work);
    if (turn instanceof Promise) {
      const done = () => {
        if (last === over) last = undefined;
      };
      const over = turn.then(done, done);
      last = over;
    }
    return turn;
  }

  return {
    click: (id, how = {}) => inTurn(() => press('click', id, how, context, presses)),
    doubleClick: (id, how = {}) => inTurn(() => press('double_click', id, how, context, presses)),
    hover: (id, how = {}) => inTurn(() => hover(id, how, context, presses)),
    focus: (id, how = {}) => inTurn(() => focus(id, how, context)),
    fill: (id, text, how = {}) => inTurn(() => fill(id, text, how, context)),
    type: (id, text, how = {}) => inTurn(() => type(id, text, how, context)),
    select: (id, choice, how = {}) => inTurn(() => select(id, [choice].flat(), how, context)),
    check: (id, how = {}) => inTurn(() => check(id, true, how, context)),
    uncheck: (id, how = {}) => inTurn(() => check(id, false, how, context)),
    drag: (id, to, how = {}) =>
      inTurn(() => drag(id, typeof to === 'string' ? { to_id: to } : to, how, presses)),
    selectText: (id, how = {}) => inTurn(() => selectText(id, how, context)),
    // Over a wire, a missing id is null.
    scroll: (id, how = {}) => inTurn(() => scroll(id ?? undefined, how, context)),
    uploadPart(_id, file, part, base64) {
      if (file + part === 0) parts.clear();
      parts.set(file, [...(parts.get(file) ?? []), bytesOf(base64)]);
    },
    upload: (id, files, how = {}) =>
      inTurn(() => upload(id, files, new Map(parts), how, context).finally(() => parts.clear())),
    keys: (chords, how = {}) => inTurn(() => keys([chords].flat(), how, context, presses)),
    preparePress: (id, { way, ...how } = {}) =>
      inTurn(() =>
        way === undefined && typeof id === 'string'
          ? presses.prepare(id, 'click', how)
          : presses.prepareWay(id ?? undefined, way ?? 'hover', how),
      ),
    preparePressAt: (points, how = {}) => inTurn(() => presses.prepareAt(points, how)),
    prepareKeys: (how = {}) => inTurn(() => presses.prepareKeys(how)),
    recheckPress: (token, moves = false) => inTurn(() => presses.recheck(token, moves)),
    hasLanded: presses.hasLanded,
    pressPrepared: (token, count, how = {}) => inTurn(() => presses.pressNow(token, count, how)),
    pressBriefly: (token, count, how = {}) => inTurn(() => presses.pressBriefly(token, count, how)),
    releasePress: (token) => inTurn(() => presses.releasePress(token)),
    confirm: (token) => inTurn(() => presses.confirm(token)),
    observeAgain: () =>
      inTurn(() =>
        refusable('click', async () => {
          if (context.again !== undefined) return context.again();
          throw refusal('invalid_input', 'not_pressed', 'There was no act to look at again.');
        }),
      ),
    // An act that runs reports them itself.
    lateEffect: () => (last === undefined ? lateEffects.take() : undefined),
    said: lateEffects.said,
    close() {
      presses.close();
      stateCache.close();
    },
  };
}
