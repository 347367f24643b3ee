import { scrollDirection } from '../perceive/scrollable.ts';
import type { ActionContext } from './action-context.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { perform, performHere } from './action-run.ts';
import { requireVisible } from './readiness.ts';

export interface ScrollOptions extends ActOptions {
  readonly direction?: 'down' | 'up' | 'left' | 'right';
  /** In pixels; by default nearly a full view, so that the last line becomes the first. */
  readonly by?: number;
  readonly to?: 'start' | 'end';
}

const SHARE_OF_VIEW = 0.9;

export function scroll(
  id: string | undefined,
  options: ScrollOptions,
  context: ActionContext,
): Promise<ActionResult> {
  const { document } = context;
  if (id === undefined) {
    const page = document.scrollingElement ?? document.documentElement;
    return performHere('scroll', options, () => scrollInside(page, options), context);
  }
  const steps = {
    ready(target: Parameters<typeof requireVisible>[0]) {
      requireVisible(target, context);
    },
    act({ element }: { element: Element }): OwnWord {
      const scrolls = scrollDirection(element, getComputedStyle(element));
      if (scrolls === undefined) {
        element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
        return { achieved: true };
      }
      const across = scrolls === 'across' && options.direction === undefined;
      return scrollInside(element, across ? { ...options, direction: 'right' } : options);
    },
  };
  return perform('scroll', id, options, steps, context);
}

function scrollInside(box: Element, { direction = 'down', by, to }: ScrollOptions): OwnWord {
  const before = [box.scrollLeft, box.scrollTop].join();
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const length = isAcross ? box.scrollWidth : box.scrollHeight;
  const view = isAcross ? box.clientWidth : box.clientHeight;
  const step = to === undefined ? sign * (by ?? view * SHARE_OF_VIEW) : to === 'start' ? -length : length;
  box.scrollBy({ [isAcross ? 'left' : 'top']: step, behavior: 'instant' });
  const achieved = before !== [box.scrollLeft, box.scrollTop].join();
  return { achieved, shortfall: `it is at its ${sign > 0 ? 'end' : 'start'} already` };
}
