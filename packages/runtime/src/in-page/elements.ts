import { type Locator, type Page, PageError } from '@drawbridge/page';
import type { InPageScene } from './scene.ts';

/** All matches of a selector, including open shadow roots; refuses the same selectors as the page's own search. */
export function elementsBy(
  selector: string,
  { world }: Pick<InPageScene, 'world'>,
  frame: string | readonly string[] = [],
): readonly Element[] {
  return world.elementsBy({ selector, frame });
}

/** The element of a locator, with its page code id. */
export function elementFor(
  locator: Locator,
  { world }: Pick<InPageScene, 'world'>,
  options: Parameters<Page['elementInfo']>[1] = { auto_scroll: false },
): { readonly id: string; readonly element: Element } {
  const { id } = world.page.elementInfo(locator, options);
  const element = world.elementOf(id);
  if (element !== undefined) return { id, element };
  throw new PageError('target_not_found', 'The element has left the page. Look at it again.', { id });
}
