import type { ExtractField } from '@drawbridge/protocol/manifest';
import { closestTo, queryDeep, reading } from '../locate/deep-query.ts';
import type { LocateContext } from '../locate/locator.ts';
import { copyForPath } from '../locate/scrubbed-copy.ts';
import { requireAllowedPath } from '../locate/selector-guard.ts';
import { isElement } from '../perceive/text.ts';

/** Elements that match a field relative to its record, in document order. */
export function matchesOf(field: ExtractField, from: Document | Element, context: LocateContext): Element[] {
  const start = field.closest !== undefined && isElement(from) ? closestTo(from, field.closest) : from;
  if (start === undefined) return [];
  if (field.xpath !== undefined) return byPath(field.xpath, start);
  if (field.selector === undefined) return isElement(start) ? [start] : [];
  for (const selector of [field.selector].flat()) {
    const found = queryDeep(start, selector, context);
    if (found.length > 0) return found;
  }
  return [];
}

/** https://www.w3.org/TR/DOM-Level-3-XPath/; `ORDERED_NODE_SNAPSHOT_TYPE` is 7. */
function byPath(xpath: string, from: Document | Element): Element[] {
  requireAllowedPath(xpath);
  const copy = copyForPath(from);
  const start = copy?.of(from) ?? from;
  const document = isElement(start) ? start.ownerDocument : start;
  const result = reading(xpath, () => document.evaluate(xpath, start, null, 7, null), 'xpath');
  const found: Element[] = [];
  for (let index = 0; index < result.snapshotLength; index++) {
    const node = result.snapshotItem(index);
    if (node !== null && isElement(node)) found.push(copy?.original(node) ?? node);
  }
  return found;
}
