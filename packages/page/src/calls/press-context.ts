import { hitTest, innermostOf, pressTarget } from '../perceive/hit-test.ts';
import { type ActTarget, elementContextOn, type PageElementContext } from './element-context.ts';
import { findTarget, isElement, isFrame } from './find-target.ts';
import type { InPageContext } from './in-page-context.ts';
import { shownTextOf, tidy } from './readable-text.ts';

/** Longer texts are content: a paragraph that mentions an order places none. */
const LONGEST_CAPTION = 80;
const CONTROL =
  'a[href], button, input, select, textarea, label, summary, iframe, [role], [onclick], [tabindex]';
const FIELD = 'input, textarea, select, [contenteditable]:not([contenteditable=false])';

/** Null for a missing element: the call then fails with `target_not_found`. */
export async function pressContextOf(
  act: ActTarget,
  context: InPageContext,
): Promise<PageElementContext | readonly PageElementContext[] | null> {
  const found = await findTarget(act, context);
  if (found === undefined) return null;
  const { by = 'press' } = act;
  if (by !== 'press' || isFrame(found)) return elementContextOn(found, act, context);
  const inner = 'id' in act ? innermostOn(found, context) : found;
  return pressContextsOn(found, [inner], act, context);
}

/** The target and each element within it that the press would reach; a runtime uses the highest class. */
export function pressContextsOn(
  target: Element,
  innermost: readonly Element[],
  act: ActTarget,
  context: InPageContext,
): PageElementContext | readonly PageElementContext[] {
  const own = elementContextOn(target, act, context);
  const inner = innermost.map((element) => withCaption(elementContextOn(element, act, context), element));
  const others = inner.filter((each) => JSON.stringify(each) !== JSON.stringify(own));
  return others.length === 0 ? own : [own, ...others];
}

/** A container's name does not describe a text inside it that listens for presses. */
function withCaption(elementContext: PageElementContext, element: Element): PageElementContext {
  const { label, words } = elementContext;
  const own = captioned(elementContext, captionOf(element), [label, ...words]);
  const control = labelledControl(element);
  // A person must read which other control is pressed; its presence in surrounding text is not enough.
  return control === undefined ? own : captioned(own, captionOf(control), [own.label]);
}

function captioned(
  elementContext: PageElementContext,
  caption: string,
  known: readonly string[],
): PageElementContext {
  if (!/\p{L}/u.test(caption) || caption.length > LONGEST_CAPTION) return elementContext;
  if (known.some((text) => holds(text, caption))) return elementContext;
  const { label, words } = elementContext;
  const both = [label, caption].filter((text) => text !== '').join(' → ');
  return { ...elementContext, label: both, words: [...words, caption] };
}

/** Pressing a label presses its control, which has its own text: a button's name may come from its label alone. */
function labelledControl(element: Element): Element | undefined {
  const control: unknown = Reflect.get(element.closest('label') ?? {}, 'control');
  return isElement(control) ? control : undefined;
}

/** Secrets are masked in the whole answer. */
const unchanged = (text: string): string => text;

/** Next to other controls, only the element's own text belongs to the press. */
function captionOf(element: Element): string {
  if (element.matches(FIELD)) return '';
  if (element.querySelector(CONTROL) === null) return tidy(shownTextOf(element, unchanged));
  const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3);
  return tidy(own.map(({ nodeValue }) => nodeValue ?? '').join(' '));
}

const holds = (label: string, caption: string): boolean => label.includes(caption);

/** The innermost element that a press would reach at the target's current place. */
function innermostOn(target: Element, { pageInternals: { shadowRootOf } }: InPageContext): Element {
  const shown = pressTarget(target);
  const { point, outOfSight } = hitTest(shown, shadowRootOf);
  return outOfSight === true ? target : innermostOf(shown, point, shadowRootOf);
}
