import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import type { TextCleaner } from '../page-internals.ts';
import { hitTest } from '../perceive/hit-test.ts';
import { isVisible } from '../perceive/visibility.ts';
import { elementsBy } from './elements.ts';
import { boxOf, middleOf, visiblePart } from './geometry.ts';
import type { InPageContext } from './in-page-context.ts';
import { attributeOf, cut, labelOf, shownTextOf, textContentOf, tidy } from './readable-text.ts';

const MATCHES = 50;
const PAYLOAD_BYTES = 16_000;
const TEXT_CHARS = 240;

type Match = OutputOf<'dom.observe.visible'>['matches'][number];

/** All matches in the viewport; a selector for the whole page is allowed. */
export function observeVisible(
  args: InputOf<'dom.observe.visible'>,
  context: InPageContext,
): OutputOf<'dom.observe.visible'> {
  const { selector = '*', text_contains, max_matches = MATCHES, frame } = args;
  const clean = context.pageInternals.cleaner();
  const seen = elementsBy(selector, context, frame).filter(
    (element) => says(element, text_contains, clean) && isVisible(element) && isInView(element, context),
  );
  const matches = seen.slice(0, max_matches).flatMap((element) => matchOf(element, clean, context) ?? []);
  const found = { matches, match_count: seen.length };
  return withinPayload(found, args.max_payload_bytes, { matches: [], match_count: seen.length });
}

export const isInView = (element: Element, { window }: InPageContext): boolean =>
  visiblePart(boxOf(element), element.ownerDocument.defaultView ?? window) !== undefined;

export function matchOf(element: Element, clean: TextCleaner, { window }: InPageContext): Match | undefined {
  const bounding_box = boxOf(element);
  const visible_rect = visiblePart(bounding_box, element.ownerDocument.defaultView ?? window);
  if (visible_rect === undefined) return undefined;
  const { point, coveredBy, outOfSight } = hitTest(element);
  const receives = coveredBy === undefined && outOfSight !== true;
  return {
    tag_name: element.localName,
    text: cut(tidy(shownTextOf(element, clean) || labelOf(element, clean)), TEXT_CHARS),
    bounding_box,
    visible_rect,
    visible_center: middleOf(visible_rect),
    clickable: receives && !element.matches(':disabled, [aria-disabled="true"]'),
    receives_events: receives,
    ...(coveredBy !== undefined && { occluded_by: nameFor(coveredBy, clean) }),
    ...(receives && { clickable_center: point }),
  };
}

const nameFor = (element: Element, clean: TextCleaner): string => {
  const id = element.id === '' ? '' : `#${clean(element.id)}`;
  return `${element.localName}${id} '${cut(tidy(textContentOf(element, clean)), 60)}'`;
};

export function observeAttributes(
  args: InputOf<'dom.observe.attributes'>,
  context: InPageContext,
): OutputOf<'dom.observe.attributes'> {
  const { selector, attributes, text_contains, max_matches = MATCHES, frame } = args;
  const clean = context.pageInternals.cleaner();
  const found = elementsBy(selector, context, frame).filter((element) => says(element, text_contains, clean));
  const counts = { match_count: found.length, visible_count: found.filter(isVisible).length };
  const matches = found.slice(0, max_matches).map((element) => ({
    tag_name: element.localName,
    attributes: Object.fromEntries(attributes.map((name) => [name, attributeOf(element, name, clean)])),
    visible: isVisible(element),
  }));
  return withinPayload({ matches, ...counts }, args.max_payload_bytes, { matches: [], ...counts });
}

function says(element: Element, part: string | undefined, clean: TextCleaner): boolean {
  if (part === undefined) return true;
  const named = ['aria-label', 'title'].map((name) => attributeOf(element, name, clean));
  const texts = [textContentOf(element, clean), ...named];
  return texts.some((text) => tidy(text ?? '').includes(tidy(part)));
}

/** Replaces an answer that is too large with advice on how to ask for less. */
function withinPayload<Answer extends object>(
  answer: Answer,
  max_payload_bytes: number = PAYLOAD_BYTES,
  emptied: Answer,
) {
  const payload_bytes = new TextEncoder().encode(JSON.stringify(answer)).length;
  if (payload_bytes <= max_payload_bytes) return answer;
  return {
    ...emptied,
    error: {
      code: 'payload_too_large' as const,
      message: `What was found takes ${payload_bytes} bytes, and ${max_payload_bytes} were allowed. Ask for less.`,
      payload_bytes,
      max_payload_bytes,
      narrowing_hints: [
        'use a narrower selector',
        'add text_contains',
        'lower max_matches',
        'raise max_payload_bytes (at most 256000)',
      ],
    },
  };
}
