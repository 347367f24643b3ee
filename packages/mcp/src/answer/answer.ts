import { cutToTokens, estimateTokens } from '@drawbridge/protocol/semantic';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { fence, markOf, type Nonce, personText, randomNonce } from './fence.ts';
import { OUTPUTS_URI, type OutputStore } from './output-store.ts';

interface Picture {
  readonly data: string;
  readonly mimeType: string;
}

/** A tool's answer before formatting, with our text apart from the page's. */
export interface Answer {
  /** Our text before the page's; contains no page text. */
  readonly said?: string;
  readonly pages?: readonly PageText[];
  /** The agent's budget, for output that the page does not limit itself. */
  readonly maxTokens?: number;
  /** Our text after the page's: the next step. */
  readonly next?: string;
  readonly picture?: Picture;
  /** Pictures of the steps of a batch, in their order. */
  readonly pictures?: readonly Picture[];
  readonly failed?: true;
  /** The tab that an act was done in: the mark of its changes names what the agent knows of that tab now. */
  readonly actedIn?: string;
  /** Messages of the person since the last answer. */
  readonly messages?: readonly string[];
}

/** Page text with its origin. */
export interface PageText {
  /** The origin, or the address of a whole page. */
  readonly origin: string;
  readonly text: string;
  /** The mark of a fence for this text alone, which names it; else one is drawn. */
  readonly mark?: string;
}

export interface AnswerOptions {
  readonly outputs: OutputStore;
  readonly nonce?: Nonce;
  /** Receives an act's changes and their mark. */
  readonly told?: (tab: string, mark: string, text: string) => void;
  /** Budget of page text; larger output is stored and announced. */
  readonly maxTokens: number;
}

/** Share of an oversized text that is shown at once. */
const PREVIEW_SHARE = 0.25;

export function toResult(answer: Answer, options: AnswerOptions): CallToolResult {
  const { said, pages = [], next, picture, pictures = [], failed, messages = [], actedIn } = answer;
  const { nonce = randomNonce, told } = options;
  const [changes] = joined(pages);
  if (actedIn !== undefined && changes !== undefined && changes.mark === undefined)
    told?.(actedIn, markOf(changes.text, nonce), changes.text);
  const parts = [
    ...messages.map((text) => personText(text, options.nonce)),
    said,
    ...joined(pages).map((page) => fenced(page, options, answer.maxTokens)),
    next,
  ];
  const text = parts.filter((part) => part !== undefined && part !== '').join('\n');
  const content: ContentBlock[] = text === '' ? [] : [{ type: 'text', text }];
  for (const each of picture === undefined ? pictures : [picture]) content.push({ type: 'image', ...each });
  return { content, ...(failed && { isError: true }) };
}

/** Consecutive texts of one origin share a fence. */
function joined(pages: readonly PageText[]): PageText[] {
  const together: PageText[] = [];
  for (const page of pages.filter(({ text }) => text !== '')) {
    const last = together.at(-1);
    if (last?.origin !== page.origin || (page.mark ?? last.mark) !== undefined) together.push(page);
    else together[together.length - 1] = { ...page, text: `${last.text}\n${page.text}` };
  }
  return together;
}

function fenced(
  { origin, text, mark }: PageText,
  { outputs, nonce = randomNonce, maxTokens }: AnswerOptions,
  allowed = maxTokens,
): string {
  const most = Math.min(allowed, maxTokens);
  if (estimateTokens(text) <= most) return fence(origin, text, mark === undefined ? nonce : () => mark);
  const shown = cutToTokens(text, allowed < maxTokens ? allowed : Math.floor(maxTokens * PREVIEW_SHARE));
  const kept = outputs.add(origin, text);
  const how = `read {"output":"${kept.id}","from":${shown.length}} or ${OUTPUTS_URI}${kept.id}`;
  return `${fence(origin, shown, nonce)}\n${shown.length} of ${kept.text.length} characters. The rest: ${how}`;
}
