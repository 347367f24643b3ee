import { liveElement } from '../identity/element-registry.ts';
import { createScrubber, recall } from '../secrets/scrub.ts';
import { visibleValueOf } from '../secrets/secret-field.ts';
import { fullNameOf, NAME_LIMIT } from './accessible-name.ts';
import { frameDocument, isFrame, renderedChildNodes } from './composed-tree.ts';
import type { FullDomOptions } from './full-dom.ts';
import type { SnapshotContext } from './snapshot.ts';
import { cutText, isElement, isText, isUnseenTag } from './text.ts';
import { isRendered } from './visibility.ts';
import { styleOf, withWalkCache } from './walk-cache.ts';

/** Contract 4, section 5.6. */
const KEPT =
  'a[href], button, input:not([type=hidden i]), select, textarea, [onclick], [contenteditable=true i], [role=button i], [role=link i], [role=menuitem i], [role=tab i]';
const KEPT_ATTRIBUTES = ['name', 'type', 'href', 'value', 'placeholder', 'role', 'aria-label', 'data-testid'];

/** Limit of `skeletonDom` in a request. */
const LIMIT = 100_000;

/**
 * The page as HTML of actionable elements only, through shadow roots and same-origin frames; whole elements
 * up to the limit.
 */
export function skeletonDom(
  { document, registry, shadowRootOf }: SnapshotContext,
  { region }: Pick<FullDomOptions, 'region'> = {},
): string {
  const documents = new Set([document]);
  const lines: string[] = [];
  let left = LIMIT;

  /** False once the limit is reached. */
  function keepIn(node: Node): boolean {
    if (!isElement(node) || isGone(node)) return true;
    if (!isKept(node) || !isRendered(node)) return childrenOf(node).every(keepIn);
    const line = markup(node);
    left -= line.length + 1;
    if (left >= 0) lines.push(line);
    return left >= 0;
  }

  function childrenOf(element: Element): Node[] {
    if (styleOf(element).display === 'none') return [];
    const inside = isFrame(element) ? frameDocument(element) : undefined;
    if (inside !== undefined) documents.add(inside);
    return [...(inside?.children ?? []), ...renderedChildNodes(element, shadowRootOf)];
  }

  function markup(element: Element): string {
    const tag = element.localName;
    const inside = tag === 'input' ? '' : contents(element);
    const said: Record<string, string | null | undefined> = {
      value: tag === 'textarea' ? '' : visibleValueOf(element),
      'aria-label': element.getAttribute('aria-label') ?? (inside === '' ? shortName(element) : ''),
    };
    const attributes = KEPT_ATTRIBUTES.map((name) => {
      const value = name in said ? said[name] : element.getAttribute(name);
      return value ? ` ${name}="${escapeAttribute(value)}"` : '';
    });
    const opening = `<${tag} id="${registry.idOf(element)}"${attributes.join('')}>`;
    return tag === 'input' ? opening : `${opening}${inside}</${tag}>`;
  }

  /** The text and kept descendants of a kept element; of others only the text. */
  function contents(element: Element): string {
    if (element.localName === 'textarea') return escapeText(visibleValueOf(element) ?? '');
    const pieces = childrenOf(element).map((child) => {
      if (isText(child)) return escapeText(child.data);
      if (!isElement(child) || isGone(child) || child.localName === 'svg') return '';
      if (isKept(child)) return isRendered(child) ? markup(child) : '';
      return child.localName === 'option' ? `<option>${contents(child)}</option>` : ` ${contents(child)} `;
    });
    return pieces.join('').replace(/\s+/g, ' ').trim();
  }

  return withWalkCache(() => {
    keepIn(region === undefined ? document.documentElement : liveElement(registry, region));
    return createScrubber(documents).text(lines.join('\n'));
  });
}

/** Masked before the cut: half a secret would not be recognized. */
const shortName = (element: Element): string => cutText(recall(fullNameOf(element)), NAME_LIMIT);

function isKept(element: Element): boolean {
  if (element.matches(KEPT)) return true;
  return Number.parseInt(element.getAttribute('tabindex') ?? '', 10) >= 0 && element.localName !== 'input';
}

/** Hidden with its content; an `invisible` element may have visible children. */
function isGone(element: Element): boolean {
  return isUnseenTag(element) || element.matches('[hidden]:not([hidden=until-found])');
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
