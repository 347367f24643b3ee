import type { Page } from '../page.ts';
import { createScrubber } from '../secrets/scrub.ts';
import type { RecordedElement } from './recording.ts';

/** The part of page code that a recorder needs. */
export type RecordedPage = Pick<Page, 'elementInfo' | 'find'>;

/** Marks one element while it is described. */
const MARK = 'data-drawbridge-recorded';

/** Attributes that survive a rebuild of the page. */
const NAMING = ['data-testid', 'data-test', 'id', 'name', 'aria-label', 'placeholder'] as const;
const MAX_FALLBACKS = 2;
/** Record numbers and build hashes. */
const SERIAL = /\d{4,}|[0-9a-f]{8,}|:r[0-9a-z]+:|["\\\n]/i;

/** Undefined for an element that page code cannot reach: in a closed shadow root, or removed. */
export function describe(
  element: Element,
  page: RecordedPage,
  clean: (text: string) => string,
): RecordedElement | undefined {
  element.setAttribute(MARK, '');
  try {
    const info = page.elementInfo({ selector: `[${MARK}]` }, { auto_scroll: false });
    const { selector_path, role, name, text, tag_name: tag } = info;
    const named = name !== '' && !name.endsWith('…') && page.find({ role, name }).count === 1;
    return {
      ...(selector_path !== undefined && { selector: selector_path }),
      fallbacks: fallbacksOf(element, clean).filter((selector) => selector !== selector_path),
      role,
      name,
      text,
      tag,
      named,
    };
  } catch {
    return undefined;
  } finally {
    element.removeAttribute(MARK);
  }
}

function fallbacksOf(element: Element, clean: (text: string) => string): string[] {
  const root = element.getRootNode();
  if (root !== element.ownerDocument) return [];
  return NAMING.flatMap((attribute) => {
    const value = element.getAttribute(attribute) ?? '';
    if (value === '' || value.length > 100 || SERIAL.test(value) || clean(value) !== value) return [];
    const selector =
      attribute === 'id' ? `#${CSS.escape(value)}` : `${element.localName}[${attribute}="${value}"]`;
    return element.ownerDocument.querySelectorAll(selector).length === 1 ? [selector] : [];
  }).slice(0, MAX_FALLBACKS + 1);
}

/** Created for each answer, so that it knows the latest typed text. */
export const cleanerOf = (document: Document): ((text: string) => string) => createScrubber([document]).text;
