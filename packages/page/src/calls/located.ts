import type { InputOf, OutputOf } from '@drawbridge/protocol/primitives';
import { PageError } from '../locate/page-error.ts';
import { isFilled, isSecretField } from '../secrets/secret-field.ts';
import { pageClock } from '../watch/clock.ts';
import { elementFor } from './elements.ts';
import type { InPageContext } from './in-page-context.ts';
import { labelOf, textContentOf } from './readable-text.ts';

const POLL_MS = 50;
const WAIT_MS = 1_000;

export const elementInfo = (
  { locator, auto_scroll = true }: InputOf<'locator.element_info'>,
  { page }: InPageContext,
): OutputOf<'locator.element_info'> => {
  const { candidates, ...info } = page.elementInfo(locator, { auto_scroll });
  return { locator, ...info, candidates: [...candidates] };
};

export const textContent = (
  { locator }: InputOf<'locator.text_content'>,
  context: InPageContext,
): OutputOf<'locator.text_content'> => {
  const { element } = elementFor(locator, context);
  const clean = context.pageInternals.cleaner();
  return { locator, text: textContentOf(element, clean) || labelOf(element, clean) };
};

/** The live property. A secret field only reports that it is filled. */
export function fieldValue(
  { locator }: InputOf<'locator.value'>,
  context: InPageContext,
): OutputOf<'locator.value'> {
  const { element } = elementFor(locator, context);
  const checked: unknown = Reflect.get(element, 'checked');
  const common = {
    locator,
    settable: isSettable(element),
    tag_name: element.localName,
    ...(typeof checked === 'boolean' && { checked }),
  };
  if (isSecretField(element)) return { ...common, value: null, filled: isFilled(element) };
  const value: unknown = Reflect.get(element, 'value');
  if (typeof value === 'string') return { ...common, value };
  return {
    ...common,
    value: element.matches('[contenteditable]')
      ? textContentOf(element, context.pageInternals.cleaner())
      : null,
  };
}

const isSettable = (element: Element): boolean =>
  element.matches('input, textarea, select, [contenteditable]') &&
  !element.matches(':disabled, [readonly], [aria-readonly="true"]');

/** Polls until `isThere`; fails with `handler_timeout`. */
export async function until(
  isThere: () => boolean,
  timeoutMs: number,
  what: string,
  { window }: InPageContext,
): Promise<number> {
  const startedAt = window.performance.now();
  const elapsed = () => Math.round(window.performance.now() - startedAt);
  while (!isThere()) {
    const left = timeoutMs - elapsed();
    if (left <= 0) {
      const message = `${what} did not come true within ${timeoutMs} ms. Look at the page, or wait longer.`;
      throw new PageError('handler_timeout', message, { reason: 'timeout', elapsed_ms: elapsed() });
    }
    await new Promise<void>((resolve) => pageClock.setTimeout(resolve, Math.min(POLL_MS, left)));
  }
  return elapsed();
}

export async function waitFor(
  { locator, state = 'visible', timeout_ms = WAIT_MS }: InputOf<'locator.wait_for'>,
  context: InPageContext,
): Promise<OutputOf<'locator.wait_for'>> {
  const isThere = () => isFound(locator, state, context);
  const elapsed_ms = await until(isThere, timeout_ms, `That the target is ${state}`, context);
  return { matched: true, state, elapsed_ms };
}

/** A frame that is still loading is worth waiting for. */
export function isFound(
  locator: InputOf<'locator.wait_for'>['locator'],
  state: 'attached' | 'visible',
  { page }: InPageContext,
): boolean {
  try {
    const { count, visible } = page.find(locator);
    return state === 'visible' ? visible : count > 0;
  } catch (error) {
    if (error instanceof PageError && error.evidence['reason'] === 'frame_not_found') return false;
    throw error;
  }
}

export function focus({ locator }: InputOf<'dom.focus'>, context: InPageContext): OutputOf<'dom.focus'> {
  const { element } = elementFor(locator, context);
  const before = selectedLength(context);
  if ('focus' in element && typeof element.focus === 'function') element.focus({ preventScroll: true });
  const focused = context.pageInternals.focused();
  const after = selectedLength(context);
  return {
    focused: focused !== undefined && (focused === element || element.contains(focused)),
    active_is_target: focused === element,
    selection_preserved: before === after,
    selection_before_length: before,
    selection_after_length: after,
  };
}

export function selectedLength({
  document,
  pageInternals,
}: Pick<InPageContext, 'document' | 'pageInternals'>): number {
  const focused = pageInternals.focused();
  // The length of a secret would reveal half of it.
  if (focused !== undefined && isSecretField(focused)) return 0;
  const start: unknown = focused === undefined ? null : Reflect.get(focused, 'selectionStart');
  const end: unknown = focused === undefined ? null : Reflect.get(focused, 'selectionEnd');
  if (typeof start === 'number' && typeof end === 'number') return end - start;
  return pageInternals.cleaner()((focused?.ownerDocument ?? document).getSelection()?.toString() ?? '')
    .length;
}
