/** One table for client and server: the union of both lists of the contract (INT-110, INT-116, INT-117). */
const VISUAL = 'icon|image|logo|picture|photo|avatar|thumbnail|banner|colou?r|shape|looks like|appears';
const PLACE = 'top|bottom|left|right|corner|center|middle|next to|above|below|beside|near|first|last';
const QUESTION = "what is|what's|what does|how much|price|chart|graph|table|identify|recognize";
/** Ours: the contract's own example of what a tree cannot tell is a blue button. Green tea is none. */
const COLOURED =
  '(?:red|orange|yellow|green|blue|purple|pink|brown|gr[ae]y|black|white) (?:button|link|item|box|label|text|dot|badge|bar|line|area|field|tab|card|one|square|circle|flag|star)';

/** Whole words, in any case (INT-114): "stop" is not "top". A plural is the same word. */
const words = (...lists: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})s?(?![\\p{L}\\p{N}])`, 'iu');

const HYBRID = words(VISUAL, PLACE, QUESTION);
const SIGHT = words(VISUAL, COLOURED);

/** What is known of a page before it is captured. */
export interface PageComplexity {
  readonly interactiveElements: number;
  readonly hasMuchVisualContent?: boolean;
  readonly hasComplexStructure?: boolean;
}

const MANY_ELEMENTS = 50;

/**
 * What to capture where there is no semantic tree. The contract's words for skeleton (click, type, fill, …) decide
 * nothing: skeleton is also what is left when nothing asks for hybrid (INT-112, INT-113).
 */
export function selectDomMode(query: string, page?: PageComplexity): 'skeleton' | 'hybrid' {
  if (HYBRID.test(query)) return 'hybrid';
  if (page === undefined) return 'skeleton';
  if (page.interactiveElements > MANY_ELEMENTS) return 'hybrid';
  return page.hasMuchVisualContent === true && page.hasComplexStructure === true ? 'hybrid' : 'skeleton';
}

/** Whether the words speak of something that only an eye can tell, so that a tree alone is not enough. */
export const needsSight = (query: string): boolean => SIGHT.test(query);
