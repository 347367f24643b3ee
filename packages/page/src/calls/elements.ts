import type { Locator } from '../locate/locator.ts';
import { PageError } from '../locate/page-error.ts';
import type { Page } from '../page.ts';
import type { InPageContext } from './in-page-context.ts';

/** All matches of a selector, including open shadow roots; refuses the same selectors as the page's own search. */
export function elementsBy(
  selector: string,
  { pageInternals }: Pick<InPageContext, 'pageInternals'>,
  frame: string | readonly string[] = [],
): readonly Element[] {
  return pageInternals.elementsBy({ selector, frame });
}

/** The element of a locator, with its page code id. */
export function elementFor(
  locator: Locator,
  { pageInternals }: Pick<InPageContext, 'pageInternals'>,
  options: Parameters<Page['elementInfo']>[1] = { auto_scroll: false },
): { readonly id: string; readonly element: Element } {
  const { id } = pageInternals.page.elementInfo(locator, options);
  const element = pageInternals.elementOf(id);
  if (element !== undefined) return { id, element };
  throw new PageError('target_not_found', 'The element has left the page. Look at it again.', { id });
}
