import { nodeFact } from '../calls/find-target.ts';
import { inWalk } from './walk-cache.ts';

/** Whether a style rule shows something while the pointer is over this element: a tip, a menu. */
export function revealsOnHover(element: Element): boolean {
  return inWalk(documentOf(element), revealing).has(element);
}

function documentOf(element: Element): Document {
  return nodeFact(element, 'ownerDocument') as Document;
}

const MOST_RULES = 5_000;
/** The hovered part of `.tip-icon:hover > .tip`, and the part that it shows. */
const HOVERED = /^([^:,]+):hover([\s>+~][^:]*)?/;

function revealing(document: Document): ReadonlySet<Element> {
  const selectors = new Set<string>();
  let left = MOST_RULES;
  const visit = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (left-- <= 0) return;
      if ('selectorText' in rule && 'style' in rule) noteSelectors(rule as CSSStyleRule, selectors);
      else if ('cssRules' in rule) visit(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of sheetsOf(document)) {
    try {
      visit(sheet.cssRules);
    } catch {
      // A sheet of another origin cannot be read.
    }
  }
  if (selectors.size === 0) return new Set();
  try {
    return new Set(document.querySelectorAll([...selectors].join(',')));
  } catch {
    return new Set();
  }
}

/** An image named `styleSheets` shadows the document's list. */
function sheetsOf(document: Document): Iterable<CSSStyleSheet> {
  const list = Object.getOwnPropertyDescriptor(Document.prototype, 'styleSheets')?.get;
  return list?.call(document) as StyleSheetList;
}

function noteSelectors({ selectorText, style }: CSSStyleRule, selectors: Set<string>): void {
  if (!selectorText.includes(':hover') || !shows(style)) return;
  for (const selector of selectorText.split(',')) {
    const [, hovered, shown] = HOVERED.exec(selector.trim()) ?? [];
    if (hovered !== undefined && shown !== undefined) selectors.add(`${hovered}:has(${shown})`);
  }
}

const shows = ({ display, visibility, opacity }: CSSStyleDeclaration): boolean =>
  (display !== '' && display !== 'none') || visibility === 'visible' || Number(opacity) > 0.5;
