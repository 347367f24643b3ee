import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import { elementFor, elementsBy } from './elements.ts';
import type { InPageContext } from './in-page-context.ts';

type Scroll = InputOf<'viewport.scroll'>;

const ANCESTORS = 4;

export function scroll(args: Scroll, context: InPageContext): OutputOf<'viewport.scroll'> {
  const { delta_x = 0, delta_y = 0, item_selector } = args;
  const { document } = context;
  const page = document.scrollingElement ?? document.documentElement;
  const box = args.scope === undefined ? page : (scrollBoxOf(args, context) ?? page);
  const before = positionOf(box);
  box.scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
  const after = positionOf(box);
  const moved = before.scroll_x !== after.scroll_x || before.scroll_y !== after.scroll_y;
  return {
    moved,
    target: box === page ? 'viewport' : 'element',
    before,
    after,
    delta_x: after.scroll_x - before.scroll_x,
    delta_y: after.scroll_y - before.scroll_y,
    diagnostics: {
      tag_name: box.localName,
      scrollable: canScroll(box),
      at_start: box.scrollTop <= 0,
      at_end: box.scrollTop + box.clientHeight >= box.scrollHeight - 1,
      ...(item_selector !== undefined && {
        item_count: elementsBy(item_selector, context).filter((item) => box.contains(item)).length,
      }),
    },
  };
}

const positionOf = ({ scrollLeft, scrollTop }: Element) => ({ scroll_x: scrollLeft, scroll_y: scrollTop });

const canScroll = (element: Element): boolean =>
  element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;

/** The scrolling box around the scope's element. */
function scrollBoxOf({ scope = {}, item_selector }: Scroll, context: InPageContext): Element | undefined {
  const { root_selector, root_strategy, max_ancestor_depth = ANCESTORS, ...locator } = scope;
  if (root_selector !== undefined) {
    const [root] = elementsBy(root_selector, context);
    if (root !== undefined) return root;
    throw new PageError('target_not_found', 'Nothing on the page fits the root selector.', { root_selector });
  }
  const { element } = elementFor(locator, context);
  switch (root_strategy) {
    case 'scope':
      return element;
    case 'parent':
      return element.parentElement ?? undefined;
    case 'nearest_ancestor_containing_items': {
      const items = item_selector === undefined ? [element] : elementsBy(item_selector, context);
      const holding = outwards(element, max_ancestor_depth).filter((box) =>
        items.some((item) => box.contains(item)),
      );
      return holding.find(scrollsByStyle) ?? holding[0];
    }
    default:
      return outwards(element, Number.POSITIVE_INFINITY).find(scrollsByStyle);
  }
}

function outwards(element: Element, depth: number): Element[] {
  const path: Element[] = [];
  for (
    let outer: Element | null = element;
    outer !== null && path.length <= depth;
    outer = outer.parentElement
  ) {
    path.push(outer);
  }
  return path;
}

function scrollsByStyle(element: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(element);
  return canScroll(element) && /auto|scroll|overlay/.test(overflowX + overflowY);
}
