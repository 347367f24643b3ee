import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { lateLines } from '../answer/effect-lines.ts';
import { originOf } from '../answer/fence.ts';
import { isCallFailure } from '../call-failure.ts';
import { tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt } from '../loose-value.ts';
import { callPrimitive, type Fields, READ_ONLY, TAB, type Tool } from './tool.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Extra time of the call, so that the page's own answer comes first. */
const GRACE_MS = 2_000;

export const WAIT: Tool = {
  name: 'wait',
  description: 'Waits until a text comes or goes, the url contains something, or the page is at rest.',
  input_schema: {
    type: 'object',
    properties: {
      ...TAB,
      for: { type: 'string', enum: ['stable', 'text', 'text_gone', 'url'] },
      value: { type: 'string' },
      timeout_ms: { type: 'integer', minimum: 1, maximum: 30_000 },
    },
    required: ['for'],
  },
  annotations: READ_ONLY,
  async handle(args, context) {
    const timeout_ms = numberAt(args, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS;
    const wait = { ...conditionOf(args), timeout_ms };
    const options = { timeout_ms: timeout_ms + GRACE_MS };
    try {
      const { output, view } = await callPrimitive(
        context,
        tabRoute(args, context),
        'page.wait',
        wait,
        options,
      );
      return {
        said: `ok after ${numberAt(output, 'elapsed_ms') ?? '?'} ms`,
        pages: [{ origin: originOf(view && urlOf(view)), text: lateLines(output).join('\n') }],
      };
    } catch (error) {
      if (!isCallFailure(error) || error.error.code !== 'handler_timeout') throw error;
      return { failed: true, said: `Not within ${timeout_ms} ms. Take a snapshot to see what came instead.` };
    }
  },
};

function conditionOf(args: Fields): InputOf<'page.wait'> {
  const kind = textAt(args, 'for');
  const value = textAt(args, 'value') ?? '';
  if (kind !== 'text' && kind !== 'text_gone' && kind !== 'url') return { for: 'stable' };
  if (value === '') throw new BridgeError('invalid_input', 'Say in `value` what to wait for.');
  return kind === 'url' ? { for: 'url', url_contains: value } : { for: kind, text: value };
}
