import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import { isVisible } from '../perceive/visibility.ts';
import { elementsBy } from './elements.ts';
import { boxOf, visiblePart } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';
import { attributeOf, cut, shownTextOf, textContentOf, tidy } from './readable-text.ts';

const TEXT_CHARS = 12_000;
const SECTION_TEXT_CHARS = 240;
const HEADINGS = 'h1, h2, h3, h4, h5, h6, [role="heading"]';

export function snapshotText(
  { selector = 'body', max_chars = TEXT_CHARS }: InputOf<'dom.snapshot_text'>,
  context: InPageContext,
): OutputOf<'dom.snapshot_text'> {
  const [element] = elementsBy(selector, context);
  if (element === undefined) {
    const message = 'Nothing on the page fits the selector. Look at the page, then correct it.';
    throw new PageError('target_not_found', message, { selector });
  }
  const text = shownTextOf(element, context.pageInternals.cleaner());
  return { text: cut(text, max_chars), truncated: text.length > max_chars };
}

export function listSections(
  args: InputOf<'dom.list_sections'>,
  context: InPageContext,
): OutputOf<'dom.list_sections'> {
  const { selector = "section, [role='region']", max_sections = 100, max_heading_length = 120 } = args;
  const { window, document } = context;
  const clean = context.pageInternals.cleaner();
  const found = elementsBy(selector, context).filter(
    (element) =>
      args.text_contains === undefined || tidy(textContentOf(element, clean)).includes(args.text_contains),
  );
  const items = args.item_selector === undefined ? undefined : elementsBy(args.item_selector, context);
  const headings = elementsBy(args.heading_selector ?? HEADINGS, context);
  const sections = found.slice(0, max_sections).map((element, index) => {
    const box = boxOf(element);
    const heading = headings.find((one) => element.contains(one));
    const named =
      heading === undefined
        ? (attributeOf(element, 'aria-label', clean) ?? '')
        : textContentOf(heading, clean);
    return {
      index,
      tag_name: element.localName,
      heading: cut(tidy(named), max_heading_length),
      text: cut(tidy(shownTextOf(element, clean)), SECTION_TEXT_CHARS),
      scroll_y: Math.max(0, Math.round(box.top + window.scrollY)),
      top: box.top,
      bottom: box.bottom,
      height: box.height,
      visible: isVisible(element) && visiblePart(box, window) !== undefined,
      item_count: items?.filter((item) => element.contains(item)).length ?? element.children.length,
    };
  });
  return {
    sections,
    section_count: found.length,
    scroll_y: window.scrollY,
    viewport_height: window.innerHeight,
    url: document.URL,
  };
}
