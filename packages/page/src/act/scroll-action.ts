import { scrollDirection } from '../perceive/scrollable.ts';
import type { ActionResult, ActOptions, OwnWord } from './action-result.ts';
import { conclude, perform, refusable, startObservation } from './action-run.ts';
import { requireVisible } from './readiness.ts';
import type { Workplace } from './workplace.ts';

export interface ScrollOptions extends ActOptions {
  readonly direction?: 'down' | 'up' | 'left' | 'right';
  /** In pixels; nearly a full view unless said otherwise, so that the last line stays as the first. */
  readonly by?: number;
  readonly to?: 'start' | 'end';
}

const SHARE_OF_VIEW = 0.9;

export function scroll(
  id: string | undefined,
  options: ScrollOptions,
  workplace: Workplace,
): Promise<ActionResult> {
  const { document } = workplace;
  if (id === undefined) {
    return refusable('scroll', async () => {
      const observation = startObservation(options, workplace);
      const own = scrollInside(document.scrollingElement ?? document.documentElement, options);
      return conclude({ action: 'scroll', own, options, observation, workplace });
    });
  }
  const steps = {
    ready(target: Parameters<typeof requireVisible>[0]) {
      requireVisible(target, workplace);
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
  return perform('scroll', id, options, steps, workplace);
}

function scrollInside(box: Element, { direction = 'down', by, to }: ScrollOptions): OwnWord {
  const before = [box.scrollLeft, box.scrollTop];
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'down' || direction === 'right' ? 1 : -1;
  const step = sign * (by ?? (isAcross ? box.clientWidth : box.clientHeight) * SHARE_OF_VIEW);
  if (to === undefined) box.scrollBy({ ...(isAcross ? { left: step } : { top: step }), behavior: 'instant' });
  else
    box.scrollTo({
      [isAcross ? 'left' : 'top']: to === 'start' ? 0 : isAcross ? box.scrollWidth : box.scrollHeight,
      behavior: 'instant',
    });
  const achieved = before[0] !== box.scrollLeft || before[1] !== box.scrollTop;
  return { achieved, shortfall: `it is at its ${sign > 0 ? 'end' : 'start'} already` };
}
