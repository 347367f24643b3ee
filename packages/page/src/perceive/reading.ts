import { estimateTokens } from '@drawbridge/protocol/semantic';
import { liveElement } from '../identity/element-registry.ts';
import { createScrubber } from '../secrets/scrub.ts';
import { byteLength } from './byte-length.ts';
import { toMarkdownBlocks } from './markdown.ts';
import type { SnapshotContext } from './snapshot.ts';
import { withWalkCache } from './walk-cache.ts';

export interface ReadOptions {
  /** Limits the text to the element with this id. */
  readonly region?: string;
  /** Continues here: `next` of the previous reading. */
  readonly from?: number;
  readonly max_tokens?: number;
  readonly max_bytes?: number;
}

export interface Reading {
  /** Markdown; a link or button is `[its text](its id)`. */
  readonly text: string;
  /** Where to continue when the budget ended first. */
  readonly next?: number;
  readonly blocks: number;
}

const DEFAULT_TOKENS = 4000;
/** A main element with less text is only a frame around the content. */
const LEAST_MAIN_TEXT = 200;

/** The page's text, rather than its controls. */
export function readPage(context: SnapshotContext, options: ReadOptions = {}): Reading {
  return withWalkCache(() => {
    const root =
      options.region === undefined ? mainOf(context.document) : liveElement(context.registry, options.region);
    const { blocks, documents } = toMarkdownBlocks(root, context, options.region === undefined);
    return withinBudget(blocks.map(createScrubber(documents).text), options);
  });
}

function withinBudget(
  blocks: readonly string[],
  { from = 0, max_tokens = DEFAULT_TOKENS, max_bytes = Infinity }: ReadOptions,
): Reading {
  const taken: string[] = [];
  let tokens = 0;
  let bytes = 0;
  let next = from;
  for (; next < blocks.length; next++) {
    const block = blocks[next] ?? '';
    tokens += estimateTokens(block) + 1;
    bytes += byteLength(block) + 2;
    if (tokens > max_tokens || bytes > max_bytes) break;
    taken.push(block);
  }
  if (taken.length === 0 && next < blocks.length) {
    taken.push(cutToBudget(blocks[next] ?? '', max_tokens, max_bytes));
    next++;
  }
  return { text: taken.join('\n\n'), blocks: blocks.length, ...(next < blocks.length && { next }) };
}

/** The part of an oversized block that fits. */
function cutToBudget(block: string, tokens: number, bytes: number): string {
  let text = block;
  while (text !== '' && (estimateTokens(text) > tokens || byteLength(text) > bytes)) {
    text = text.slice(0, Math.floor(text.length * 0.8));
  }
  return text;
}

function mainOf(document: Document): Element {
  const candidates = [...document.querySelectorAll('main, [role=main], article')];
  const longest = candidates.reduce<Element | undefined>(
    (best, element) => (textLength(element) > textLength(best) ? element : best),
    undefined,
  );
  return longest !== undefined && textLength(longest) >= LEAST_MAIN_TEXT
    ? longest
    : (document.body ?? document.documentElement);
}

function textLength(element: Element | undefined): number {
  return element?.textContent?.length ?? 0;
}
