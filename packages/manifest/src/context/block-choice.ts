import { type Block, specificity } from './load-when.ts';
import { tellingWords } from './task-words.ts';

export interface ChoiceOptions {
  readonly task?: string;
  readonly maxTokens: number;
  readonly tokensOf?: (text: string) => number;
}

export interface ContextChoice {
  /** The blocks to load, in this order. */
  readonly blocks: readonly Block[];
  /** Number of leading blocks that cover every word of the task that the map covers. */
  readonly sufficient: number;
  readonly tokens: number;
  /** Matching blocks that exceed the budget. */
  readonly leftOut: readonly string[];
}

interface Candidate {
  readonly block: Block;
  readonly tokens: number;
  /** Words of the task that the block contains. */
  readonly words: ReadonlySet<string>;
}

const CHARS_PER_TOKEN = 4;

/** Approximate and independent of the model: about four characters of English per token. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN);

/**
 * Puts a small set that covers the task's words first, then the other matching blocks by relevance, up to the
 * token budget.
 */
export function chooseBlocks(matching: readonly Block[], options: ChoiceOptions): ContextChoice {
  const { task = '', maxTokens, tokensOf = estimateTokens } = options;
  const asked = tellingWords(task);
  const candidates = matching.map((block) => toCandidate(block, asked, tokensOf)).sort(closestFirst);
  const sufficient = smallestCover(candidates.filter(({ tokens }) => tokens <= maxTokens));
  const ordered = [...sufficient, ...candidates.filter((one) => !sufficient.includes(one))];
  const taken: Candidate[] = [];
  let tokens = 0;
  for (const candidate of ordered) {
    if (tokens + candidate.tokens > maxTokens) continue;
    taken.push(candidate);
    tokens += candidate.tokens;
  }
  return {
    blocks: taken.map(({ block }) => block),
    sufficient: taken.filter((one) => sufficient.includes(one)).length,
    tokens,
    leftOut: ordered.filter((one) => !taken.includes(one)).map(({ block }) => block.id),
  };
}

/** The text that counts towards the budget and is matched against the task. */
export function textOf({ id, title = '', body = '', available_tools = [], next_states = [] }: Block): string {
  return [id, title, body, ...available_tools, ...next_states].join('\n');
}

function toCandidate(
  block: Block,
  asked: ReadonlySet<string>,
  tokensOf: (text: string) => number,
): Candidate {
  const text = textOf(block);
  const words = [...tellingWords(text)].filter((word) => asked.has(word));
  return { block, tokens: tokensOf(text), words: new Set(words) };
}

/** Sorts by words of the task, then specificity, then size, then id. */
function closestFirst(one: Candidate, other: Candidate): number {
  return (
    other.words.size - one.words.size ||
    specificity(other.block) - specificity(one.block) ||
    one.tokens - other.tokens ||
    (one.block.id < other.block.id ? -1 : 1)
  );
}

/**
 * Greedy set cover: adds the block with most new words, the shorter on a tie, then drops redundant blocks.
 */
function smallestCover(candidates: readonly Candidate[]): Candidate[] {
  const open = new Set(candidates.flatMap(({ words }) => [...words]));
  const chosen: Candidate[] = [];
  while (open.size > 0) {
    const best = candidates.reduce((one, other) => (adds(other, open, one) ? other : one));
    for (const word of best.words) open.delete(word);
    chosen.push(best);
  }
  const needed = chosen.filter((one) => {
    const others = new Set(chosen.filter((other) => other !== one).flatMap(({ words }) => [...words]));
    return ![...one.words].every((word) => others.has(word));
  });
  return needed.sort(closestFirst);
}

function adds(other: Candidate, open: ReadonlySet<string>, one: Candidate): boolean {
  const gain = countIn(other.words, open) - countIn(one.words, open);
  return gain > 0 || (gain === 0 && other.tokens < one.tokens);
}

const countIn = (words: ReadonlySet<string>, open: ReadonlySet<string>): number =>
  [...words].filter((word) => open.has(word)).length;
