import type { Reading, ReadOptions } from '@drawbridge/page';
import { estimateTokens } from '@drawbridge/protocol/semantic';
import { type PageFrame, soon } from './page-frame.ts';

/** Page code's default. */
const DEFAULT_TOKENS = 4_000;

/** The text of the page and then of its frames, counted as one. */
export async function joinedReading(frames: readonly PageFrame[], options: ReadOptions): Promise<Reading> {
  const { from = 0, max_tokens = DEFAULT_TOKENS, max_bytes = Infinity } = options;
  const texts: string[] = [];
  let left = { tokens: max_tokens, bytes: max_bytes };
  let blocks = 0;
  let next: number | undefined;
  for (const frame of frames) {
    const start = Math.max(0, from - blocks);
    const isFull = next !== undefined || left.tokens <= 0 || left.bytes <= 0;
    const reading = await readingOf(frame, {
      // Past the end: only the number of blocks is needed.
      from: isFull ? Number.MAX_SAFE_INTEGER : start,
      max_tokens: Math.max(1, left.tokens),
      ...(left.bytes !== Infinity && { max_bytes: Math.max(1, left.bytes) }),
    });
    if (reading === undefined) continue;
    if (isFull) next ??= blocks;
    else if (reading.next !== undefined) next = blocks + reading.next;
    if (!isFull && reading.text !== '') texts.push(reading.text);
    left = {
      tokens: Math.floor(left.tokens - estimateTokens(reading.text)),
      bytes: left.bytes - bytesOf(reading.text),
    };
    blocks += reading.blocks;
  }
  return { text: texts.join('\n\n'), blocks, ...(next !== undefined && next < blocks && { next }) };
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** The main page must answer; a frame that has left is skipped. */
async function readingOf(frame: PageFrame, options: ReadOptions): Promise<Reading | undefined> {
  const asked = soon(frame, frame.call('read', [options]));
  return trustReading(await (frame.holder === undefined ? asked : asked.catch(() => undefined)));
}

function trustReading(value: unknown): Reading | undefined {
  return value as Reading | undefined;
}
