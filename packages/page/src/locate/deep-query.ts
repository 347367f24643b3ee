import { frameDocument, isFrame, type ShadowRootOf } from '../perceive/composed-tree.ts';
import { isSecretField } from '../secrets/secret-field.ts';
import type { PageClock } from '../watch/clock.ts';
import { PageError } from './page-error.ts';
import { copyForSelector } from './scrubbed-copy.ts';
import { requireAllowed, testsValue } from './selector-guard.ts';
import { splitPath } from './selector-text.ts';

export interface QueryContext {
  readonly shadowRootOf: ShadowRootOf;
  /** For selectors of others: with it, a selector that is too slow is refused afterwards. */
  readonly clock?: Pick<PageClock, 'now'>;
}

/** Time budget of a selector on the page. */
const BUDGET_MS = 50;
/** Above this in a row, the selector is to blame rather than a busy machine. */
const MOST_SLOW = 2;

/** Slow runs of each selector by document; the browser cannot interrupt a query. */
const slowness = new WeakMap<Node, Map<string, number>>();

/** All matches below a root, including shadow roots; a root's own matches come first. */
export function queryDeep(
  root: ParentNode,
  selector: string,
  { shadowRootOf, clock }: QueryContext,
): Element[] {
  requireAllowed(selector);
  const document = root.ownerDocument ?? root;
  const slow = slowness.get(document) ?? new Map<string, number>();
  const times = slow.get(selector) ?? 0;
  let took = 0;
  const within = (inside: ParentNode, part: string) =>
    rootsIn(inside, shadowRootOf).flatMap((one) => {
      if (clock && (times > MOST_SLOW || took > BUDGET_MS * 9)) throw tooSlow(selector);
      // Copying does not count as the selector's time.
      const copy = copyForSelector(one, part);
      const asked = copy?.selector(part) ?? part;
      const startsAt = clock?.now() ?? 0;
      const matches = query(copy?.of(one) ?? one, asked, selector);
      took += clock ? clock.now() - startsAt : 0;
      return copy === undefined ? matches : matches.map(copy.original);
    });

  const [first = '', ...inner] = splitPath(selector);
  let found = within(root, first);
  for (const part of inner) {
    found = found
      .flatMap((element) => insideOf(element, shadowRootOf) ?? [])
      .flatMap((inside) => within(inside, part));
  }
  if (clock) slowness.set(document, slow.set(selector, took > BUDGET_MS ? times + 1 : 0));
  const unique = [...new Set(found)];
  return testsValue(selector) ? unique.filter((element) => !isSecretField(element)) : unique;
}

function tooSlow(selector: string): PageError {
  const message = `The selector takes longer than ${BUDGET_MS} ms here. Use a simpler one.`;
  return new PageError('handler_timeout', message, { reason: 'selector_slow', selector });
}

/** The document of a frame, or the root of a shadow host. */
export function insideOf(element: Element, shadowRootOf: ShadowRootOf): Document | ShadowRoot | undefined {
  return isFrame(element) ? frameDocument(element) : shadowRootOf(element);
}

/** The element itself or the nearest matching ancestor. */
export function closestTo(element: Element, selector: string): Element | undefined {
  requireAllowed(selector);
  const copy = copyForSelector(element, selector);
  if (copy === undefined) return reading(selector, () => element.closest(selector) ?? undefined);
  const found = reading(selector, () => copy.of(element).closest(copy.selector(selector)));
  return found === null ? undefined : copy.original(found);
}

const query = (root: ParentNode, selector: string, shown: string): Element[] =>
  reading(shown, () => [...root.querySelectorAll(selector)]);

/** The browser's result for a selector or XPath, or a refusal when it is invalid. */
export function reading<Result>(text: string, work: () => Result, kind = 'selector'): Result {
  try {
    return work();
  } catch {
    const message = `The browser cannot read the ${kind}. Correct it.`;
    throw new PageError('invalid_input', message, { reason: `invalid_${kind}`, [kind]: text });
  }
}

/** A root and every shadow root in it, in the order of their hosts. */
function rootsIn(root: ParentNode, shadowRootOf: ShadowRootOf): ParentNode[] {
  const roots = [root];
  for (const element of root.querySelectorAll('*')) {
    const shadow = shadowRootOf(element);
    if (shadow !== undefined) roots.push(...rootsIn(shadow, shadowRootOf));
  }
  return roots;
}
