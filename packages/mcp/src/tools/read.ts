import { BridgeError } from '@drawbridge/protocol';
import { cutToTokens } from '@drawbridge/protocol/semantic';
import type { Answer } from '../answer/answer.ts';
import { originOf } from '../answer/fence.ts';
import { type TabRoute, tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt } from '../loose-value.ts';
import { callPrimitive, READ_ONLY, TAB, type Tool, type ToolContext, tokensOf } from './tool.ts';

const FILE_PREFIX = 'file_';
/** More bytes than any number of tokens has. */
const BYTES_PER_TOKEN = 8;

export const READ: Tool = {
  name: 'read',
  description: "The page's text as Markdown; links and buttons are `[text](id)`.",
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      region: { type: 'string', description: 'only inside this id' },
      from: { type: 'integer', description: 'go on here' },
      output: { type: 'string', description: 'a kept answer, or a saved file' },
      max_tokens: { type: 'integer' },
    },
  },
  annotations: READ_ONLY,
  async handle(args, context) {
    const max_tokens = tokensOf(args, context);
    const from = numberAt(args, 'from');
    const kept = textAt(args, 'output');
    if (kept?.startsWith(FILE_PREFIX))
      return filePart(kept, from ?? 0, max_tokens, tabRoute(args, context), context);
    if (kept !== undefined) return storedPart(kept, from ?? 0, max_tokens, context);
    const region = textAt(args, 'region');
    const { output, view } = await callPrimitive(context, tabRoute(args, context), 'page.read', {
      max_tokens,
      ...(region !== undefined && { region }),
      ...(from !== undefined && { from }),
    });
    const next = numberAt(output, 'next');
    return {
      pages: [{ origin: originOf(view && urlOf(view)), text: textAt(output, 'text') ?? '' }],
      ...(next !== undefined && {
        next: `Block ${next} of ${numberAt(output, 'blocks') ?? '?'} comes next: from=${next}.`,
      }),
    };
  },
};

/** A part of a stored answer. */
function storedPart(id: string, from: number, tokens: number, { outputs }: ToolContext): Answer {
  const output = outputs.get(id);
  if (output === undefined) {
    throw new BridgeError('invalid_input', 'That output is no longer stored: make the call again.');
  }
  const text = cutToTokens(output.text.slice(from), tokens);
  const end = from + text.length;
  return {
    pages: [{ origin: output.origin, text }],
    ...(end < output.text.length && { next: `${output.text.length - end} characters left: from=${end}.` }),
  };
}

/** A part of a saved file: text as text, anything else as base64. */
async function filePart(
  attachment_id: string,
  from: number,
  tokens: number,
  route: TabRoute,
  context: ToolContext,
): Promise<Answer> {
  const length = tokens * BYTES_PER_TOKEN;
  const { output } = await callPrimitive(context, route, 'browser.files.read', {
    attachment_id,
    from,
    length,
  });
  const bytes = Buffer.from(textAt(output, 'base64') ?? '', 'base64');
  const all = numberAt(output, 'bytes') ?? 0;
  const words = textOf(bytes, from + bytes.length >= all);
  const text = words === undefined ? '' : cutToTokens(words, tokens);
  const end = from + Buffer.byteLength(text);
  if (words === undefined) {
    const said = `${savedWords(output)}: no text. drawbridge://files/${attachment_id} has its bytes; act upload takes it by this id.`;
    return { said };
  }
  return {
    pages: [{ origin: textAt(output, 'origin') ?? 'unknown', text }],
    ...(end < all && { next: `${all - end} bytes left: from=${end}.` }),
  };
}

const savedWords = (file: unknown): string =>
  `${textAt(file, 'type') || 'a file'} of ${numberAt(file, 'bytes') ?? '?'} bytes`;

/** Undefined for other bytes than UTF-8. The cut may split the last character. */
function textOf(bytes: Uint8Array, isEnd: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isEnd });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
