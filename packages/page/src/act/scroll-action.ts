import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, performHere } from './action-run.ts';
import type { Pair } from './press-points.ts';
import { requireVisible } from './readiness.ts';
import { directionOf, pageBox, positionOf, scrollBoxAround } from './scroll-box.ts';

export interface ScrollOptions extends ActOptions {
  readonly direction?: 'down' | 'up' | 'left' | 'right';
  /** In pixels; by default nearly a full view, so that the last line becomes the first. */
  readonly by?: number;
  /** An end, or a position in pixels. */
  readonly to?: 'start' | 'end' | Pair;
}

const SHARE_OF_VIEW = 0.9;
/** A list that loads more at its end is followed, but not for ever. */
const END_ROUNDS = 5;
const GROW_MS = 150;

export function scroll(
  id: string | undefined,
  options: ScrollOptions,
  context: ActionContext,
): Promise<ActionResult> {
  if (id === undefined)
    return performHere('scroll', options, () => scrollInside(pageBox(context), options, context), context);
  const { direction, by, to } = options;
  const isInside = (direction ?? by ?? to) !== undefined;
  const steps = {
    ready(target: Parameters<typeof requireVisible>[0]) {
      requireVisible(target, context);
    },
    act({ element }: { element: Element }): OwnWord | Promise<OwnWord> {
      const box = directionOf(element) === undefined && isInside ? boxOf(element) : element;
      const scrolls = directionOf(box);
      if (scrolls === undefined && !isInside) {
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        return { achieved: true, box: scrollBoxAround(element) };
      }
      const isAcross = scrolls === 'across' && direction === undefined;
      return scrollInside(box, isAcross ? { ...options, direction: 'right' } : options, context);
    },
  };
  return perform('scroll', id, options, steps, context);
}

/** The box that scrolls the content of an element: within it, else around it. */
const boxOf = (element: Element): Element =>
  [...element.querySelectorAll('*')].find((inner) => directionOf(inner) !== undefined) ??
  scrollBoxAround(element);

async function scrollInside(box: Element, options: ScrollOptions, context: ActionContext): Promise<OwnWord> {
  const { direction = 'down', by, to } = options;
  const before = [box.scrollLeft, box.scrollTop].join();
  const hasMoved = () => before !== [box.scrollLeft, box.scrollTop].join();
  const isAcross = direction === 'left' || direction === 'right';
  const sign = to === 'end' || (to !== 'start' && (direction === 'down' || direction === 'right')) ? 1 : -1;
  if (typeof to === 'object') {
    box.scrollTo({ left: to[0], top: to[1], behavior: 'instant' });
    const isThere = Math.abs(box.scrollLeft - to[0]) < 2 && Math.abs(box.scrollTop - to[1]) < 2;
    return { achieved: isThere || hasMoved(), box, shortfall: 'it does not scroll that far' };
  }
  const lengthOf = () => (isAcross ? box.scrollWidth : box.scrollHeight);
  const view = isAcross ? box.clientWidth : box.clientHeight;
  const step = to === undefined ? sign * (by ?? view * SHARE_OF_VIEW) : sign * lengthOf();
  const go = () => box.scrollBy({ [isAcross ? 'left' : 'top']: step, behavior: 'instant' });
  go();
  for (let round = 0, length = lengthOf(); to === 'end' && round < END_ROUNDS; round++) {
    await new Promise<void>((resolve) => context.clock.setTimeout(resolve, GROW_MS));
    if (lengthOf() <= length) break;
    length = lengthOf();
    go();
  }
  const isThere = to !== undefined && positionShare(box, isAcross) === (sign > 0 ? 1 : 0);
  const achieved = hasMoved() || isThere;
  return { achieved, box, shortfall: `it is at its ${sign > 0 ? 'end' : 'start'} already` };
}

/** 0 at the start, 1 at the end, a half between them. */
function positionShare(box: Element, isAcross: boolean): number {
  const { x, y, max_x, max_y } = positionOf(box);
  const [now, most] = isAcross ? [Math.abs(x), max_x] : [Math.abs(y), max_y];
  if (now >= most - 1) return 1;
  return now <= 1 ? 0 : 0.5;
}
