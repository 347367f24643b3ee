import { BridgeError } from '@drawbridge/protocol';
import type { Answer } from '../answer/answer.ts';
import { originOf } from '../answer/fence.ts';
import { cutToTokens } from '../answer/token-count.ts';
import { tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt } from '../loose-value.ts';
import { callPrimitive, READ_ONLY, TAB, type Tool, type ToolContext } from './tool.ts';

const DEFAULT_TOKENS = 2000;

export const READ: Tool = {
  name: 'read',
  description: "The page's text as Markdown; links and buttons are `[text](id)`.",
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      region: { type: 'string', description: 'only inside this id' },
      from: { type: 'integer', minimum: 0, description: 'go on here' },
      output: { type: 'string', description: 'read a large answer that was kept' },
      max_tokens: { type: 'integer', minimum: 50 },
    },
  },
  annotations: READ_ONLY,
  async handle(args, context) {
    const max_tokens = Math.min(numberAt(args, 'max_tokens') ?? DEFAULT_TOKENS, context.maxTokens);
    const from = numberAt(args, 'from');
    const kept = textAt(args, 'output');
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
