import { isField } from '../secrets/field-kind.ts';
import { styleOf } from './walk-cache.ts';

/** Tags that are never displayed. */
const UNSEEN_TAGS = /^(?:script|style|noscript|template|head|meta|link|title|datalist)$/;

/**
 * Private use: icon font glyphs. Format: zero-width and direction marks, which are invisible and could
 * smuggle text past a person.
 */
const UNREADABLE = /[\p{Co}\p{Cf}]/gu;

export function tidy(text: string): string {
  return text.replace(UNREADABLE, '').replace(/\s+/g, ' ').trim();
}

/** Cuts to `limit` characters without splitting one. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}

export function isUnseenTag(element: Element): boolean {
  return UNSEEN_TAGS.test(element.localName);
}

export function isElement(node: object): node is Element {
  return 'nodeType' in node && node.nodeType === 1;
}

export function isText(node: Node): node is Text {
  return node.nodeType === 3;
}

/** The visible text of an element without field contents, which are values. */
export function textIn(node: Node, limit = 400): string {
  if (isElement(node) && isField(node)) return '';
  const pieces: string[] = [];
  gather(node, pieces, { left: limit });
  return tidy(pieces.join(''));
}

function gather(node: Node, pieces: string[], budget: { left: number }): void {
  for (let child = node.firstChild; child !== null && budget.left > 0; child = child.nextSibling) {
    if (isText(child)) {
      pieces.push(child.data);
      budget.left -= child.data.trim().length;
    } else if (isElement(child) && isReadable(child) && !isPopup(child)) {
      const gap = isInline(child) && child.localName !== 'br' ? '' : ' ';
      pieces.push(gap);
      const alternative = child.localName === 'img' ? child.getAttribute('alt') : null;
      if (alternative !== null) pieces.push(alternative);
      else gather(child, pieces, budget);
      pieces.push(gap);
    }
  }
}

/** Opens beside words, as the items of a menu do, and is no part of them. */
export function isPopup(element: Element): boolean {
  const { parentElement: parent, childElementCount } = element;
  if (parent === null || childElementCount < 2 || !/^(?:absolute|fixed)$/.test(styleOf(element).position))
    return false;
  return [...parent.childNodes].some((child) => isText(child) && child.data.trim() !== '');
}

function isReadable(element: Element): boolean {
  if (isUnseenTag(element) || isField(element)) return false;
  const style = styleOf(element);
  return style.display !== 'none' && style.visibility === 'visible';
}

function isInline(element: Element): boolean {
  return styleOf(element).display.startsWith('inline') || styleOf(element).display === 'contents';
}
