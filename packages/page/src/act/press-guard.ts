import { lineOf } from '../perceive/composed-tree.ts';
import { innermostAt, pressTarget } from '../perceive/hit-test.ts';
import { originOf } from '../secrets/scrub.ts';
import { describe, stillSame, type Target } from './target.ts';
import type { Workplace } from './workplace.ts';

/** How a press that a host makes has ended: on the target, on something else (and then it was stopped), or not yet. */
export type Landing = 'none' | 'hit' | { readonly missed: string };

/** A press that is awaited. */
export interface Guarded {
  readonly target: Target;
  /** As `watch` counts, before the target was known to be the one that is meant. */
  readonly moment: number;
  /** Called before the page hears of the press. */
  readonly before: () => unknown;
  landing: Landing;
}

export interface PressGuard {
  /** One press at a time, or none: the last one is given up. */
  readonly watch: (press: Guarded | undefined) => void;
  readonly close: () => void;
}

const GUARDED = 'pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu'.split(' ');

/**
 * Between the moment a point is told and the moment it is pressed the page may change. The guard looks at
 * the press itself, before the page does, and lets it through only to the element it was meant for. Its
 * listeners stay: to take them off and put them on again takes longer than the press itself.
 */
export function createPressGuard(workplace: Workplace): PressGuard {
  const stop = new AbortController();
  const early = { capture: true, signal: stop.signal };
  let guarded: Guarded | undefined;

  const onEvent = (event: Event) => {
    if (guarded === undefined || !event.isTrusted) return;
    guarded.before();
    if (guarded.landing === 'none') guarded.landing = landingOf(event, guarded, workplace);
    if (guarded.landing === 'hit') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  return {
    watch(press) {
      guarded = press;
      const view = press?.target.element.ownerDocument.defaultView;
      // Also where they are already: `document.open()` takes every listener off.
      for (const type of GUARDED) view?.addEventListener(type, onEvent, early);
    },
    close: () => stop.abort(),
  };
}

function landingOf(event: Event, { target, moment }: Guarded, workplace: Workplace): Landing {
  const reached = reachedIn(event, workplace);
  if (reached === undefined) return { missed: 'nothing' };
  if (!hasRested(target.element, moment, workplace) && !stillSame(target, workplace))
    return { missed: `${describe(target.element, workplace)}, which it was not before` };
  const meant = [target.element, pressTarget(target.element)];
  return lineOf(reached).some((outer) => meant.includes(outer))
    ? 'hit'
    : { missed: describe(reached, workplace) };
}

/** Nothing was heard since, and it stands where all is heard: no need to read its name once more. */
function hasRested(element: Element, moment: number, { watch, document }: Workplace): boolean {
  return watch.moment() === moment && element.isConnected && element.getRootNode() === document;
}

/** The path of an event ends at the host of a closed shadow root: further in, the point tells. */
function reachedIn(event: Event, { shadowRootOf }: Workplace): Element | undefined {
  const reached = originOf(event);
  if (reached === undefined || !('clientX' in event && 'clientY' in event)) return reached;
  return innermostAt(reached, { x: Number(event.clientX), y: Number(event.clientY) }, shadowRootOf);
}
