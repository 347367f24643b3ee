/** Shared by client and server: the union of both lists of the contract (INT-110, INT-116, INT-117). */
const VISUAL = 'icon|image|logo|picture|photo|avatar|thumbnail|banner|colou?r|shape|looks like|appears';
const PLACE = 'top|bottom|left|right|corner|center|middle|next to|above|below|beside|near|first|last';
const QUESTION = "what is|what's|what does|how much|price|chart|graph|table|identify|recognize";
/** Ours: a blue button is the contract's own example for the limits of a tree. Green tea is none. */
const COLOURED =
  '(?:red|orange|yellow|green|blue|purple|pink|brown|gr[ae]y|black|white) (?:button|link|item|box|label|text|dot|badge|bar|line|area|field|tab|card|one|square|circle|flag|star)';

/** Whole words, case-insensitive (INT-114): "stop" is not "top". Plurals match. */
const words = (...lists: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})s?(?![\\p{L}\\p{N}])`, 'iu');

const HYBRID = words(VISUAL, PLACE, QUESTION);
const VISUAL_WORDS = words(VISUAL, COLOURED);

/** Facts about a page before its capture. */
export interface PageComplexity {
  readonly interactiveElements: number;
  readonly hasMuchVisualContent?: boolean;
  readonly hasComplexStructure?: boolean;
}

const MANY_ELEMENTS = 50;

/**
 * Selects the capture for pages without a semantic tree. The contract's skeleton words (click, type, fill, …)
 * decide nothing: skeleton is also the default (INT-112, INT-113).
 */
export function selectDomMode(query: string, page?: PageComplexity): 'skeleton' | 'hybrid' {
  if (HYBRID.test(query)) return 'hybrid';
  if (page === undefined) return 'skeleton';
  if (page.interactiveElements > MANY_ELEMENTS) return 'hybrid';
  return page.hasMuchVisualContent === true && page.hasComplexStructure === true ? 'hybrid' : 'skeleton';
}

/** True if the request needs a picture. */
export const needsScreenshot = (query: string): boolean => VISUAL_WORDS.test(query);
