import { frameDocument, isFrame } from '../perceive/composed-tree.ts';
import { withWalkCache } from '../perceive/walk-cache.ts';
import { closestTo, queryDeep } from './deep-query.ts';
import type { LocateContext, Located, LocateOptions, Locator } from './locator.ts';
import { PageError } from './page-error.ts';
import { fits, isShown, typedTextsOf } from './predicate.ts';

const NOTHING: Located = { elements: [], usedFallback: false };

/** Candidates of a text locator without a selector: interactive elements, if any match. */
const USUAL_CANDIDATES =
  'button, a, input, textarea, select, [role], [aria-label], [data-testid], [data-test], [data-actions-json-target]';

/** All elements that a target means now. An empty target means none. */
export function locate(locator: Locator, given: LocateContext, { states }: LocateOptions = {}): Located {
  const context = { ...given, clean: given.cleaner() };
  if (!fitsPosition(locator, context)) return NOTHING;
  if (locator.state !== undefined && states !== undefined && !states.includes(locator.state)) return NOTHING;
  return withWalkCache(() => {
    const root = rootOf(locator, context);
    const located = bySelectors(locator, root, context) ?? byDescription(locator, root, context);
    return locator.retarget === undefined ? located : retargeted(located, locator.retarget, context);
  });
}

function fitsPosition({ url_contains, url_matches }: Locator, context: LocateContext): boolean {
  const url = context.clean(context.document.URL);
  if (url_contains !== undefined && !url.includes(url_contains)) return false;
  return url_matches === undefined || context.matchesPattern(url_matches, url);
}

/** Undefined when the locator has no selector. */
function bySelectors(locator: Locator, root: Document, context: LocateContext): Located | undefined {
  const preferred = [locator.selector ?? [], locator.selectors ?? []].flat();
  const fallbacks = [locator.fallback_selectors ?? []].flat();
  if (preferred.length + fallbacks.length === 0) return undefined;
  let matchedAny = false;
  for (const selector of preferred) {
    const matches = queryDeep(root, selector, context);
    matchedAny ||= matches.length > 0;
    const byText = matches.filter((element) => fits(element, locator, context));
    const elements =
      byText.length > 0 ? byText : matches.filter((element) => fits(element, locator, context, typedTextsOf));
    if (elements.length > 0) return { elements, selector, usedFallback: false };
  }
  // A preferred selector still matches, so it has not drifted: the text, role or name differs.
  if (matchedAny) return NOTHING;
  for (const selector of fallbacks) {
    const elements = queryDeep(root, selector, context).filter((one) => fits(one, locator, context));
    if (elements.length > 0) return { elements, selector, usedFallback: true };
  }
  return NOTHING;
}

function byDescription(locator: Locator, root: Document, context: LocateContext): Located {
  const { shadowRootOf } = context;
  const { role, name, text_equals, text_contains, text } = locator;
  if ([role, name, text_equals, text_contains, text].every((one) => one === undefined)) return NOTHING;
  for (const isName of name === undefined ? [undefined] : [undefined, isShown])
    for (const candidates of [USUAL_CANDIDATES, 'body *']) {
      const elements = queryDeep(root, candidates, { shadowRootOf }).filter((element) =>
        fits(element, locator, context, undefined, isName),
      );
      if (elements.length > 0) return { elements: innermost(elements), usedFallback: false };
    }
  return locator.frame === undefined ? inFrames(locator, root, context) : NOTHING;
}

/** In the frames that page code can read, where the page itself has nothing. */
function inFrames(locator: Locator, root: Document, context: LocateContext): Located {
  const elements = queryDeep(root, 'iframe, frame', context).flatMap((frame) => {
    const inside = frameDocument(frame);
    return inside === undefined ? [] : byDescription(locator, inside, context).elements;
  });
  return elements.length === 0 ? NOTHING : { elements, usedFallback: false };
}

/** The text of a button is also part of every ancestor's text. */
function innermost(elements: readonly Element[]): Element[] {
  return elements.filter(
    (element) => !elements.some((other) => other !== element && element.contains(other)),
  );
}

function rootOf({ frame = [] }: Locator, context: LocateContext): Document {
  let root = context.document;
  for (const selector of [frame].flat()) {
    const [element] = queryDeep(root, selector, context).filter(isFrame);
    if (element === undefined) {
      const message = 'No frame fits the selector: it may not have loaded yet.';
      throw new PageError('target_not_found', message, { reason: 'frame_not_found', frame: selector });
    }
    const inside = frameDocument(element);
    if (inside === undefined) {
      const message = 'The frame belongs to another site: ask the page code in it.';
      throw new PageError('capability_unavailable', message, {
        reason: 'frame_cross_origin',
        frame: selector,
      });
    }
    root = inside;
  }
  return root;
}

function retargeted(
  located: Located,
  { closest, selector }: NonNullable<Locator['retarget']>,
  context: LocateContext,
): Located {
  const elements = located.elements.flatMap((element) => {
    const from = closest === undefined ? element : closestTo(element, closest);
    if (from === undefined) return [];
    return selector === undefined ? from : queryDeep(from, selector, context).slice(0, 1);
  });
  return { ...located, elements: [...new Set(elements)] };
}
