import { type Locator, type Page, PageError } from '@drawbridge/page';
import type { InPageScene } from './scene.ts';

/** Everything that a selector matches, also in open shadow roots; refused as the page's own search refuses it. */
export function elementsBy(
  selector: string,
  { world }: Pick<InPageScene, 'world'>,
  frame: string | readonly string[] = [],
): readonly Element[] {
  return world.elementsBy({ selector, frame });
}

/** The element that a locator means, and the id that the page code knows it by. */
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
