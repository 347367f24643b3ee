import { BridgeError } from '@drawbridge/protocol';
import type { InputOf } from '@drawbridge/protocol/primitives';
import { lateLines } from '../answer/effect-lines.ts';
import { originOf } from '../answer/fence.ts';
import { isCallFailure } from '../call-failure.ts';
import { tabRoute, urlOf } from '../lent-tabs.ts';
import { numberAt, textAt, valueAt } from '../loose-value.ts';
import { callPrimitive, type Fields, READ_ONLY, TAB, type Tool } from './tool.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Extra time of the call, so that the page's own answer comes first. */
const GRACE_MS = 2_000;
/** A page that works in the background changes at any time: the answer says how long it was watched. */
const REST_MS = 500;

export const WAIT: Tool = {
  name: 'wait',
  description:
    'Waits until a text comes (since the last answer) or goes, the url contains something, or nothing changes for 500 ms (stable).',
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
    const wait = { ...conditionOf(args, timeout_ms), timeout_ms };
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
        said: `ok after ${numberAt(output, 'elapsed_ms') ?? '?'} ms${foundWords(wait, output)}`,
        pages: [{ origin: originOf(view && urlOf(view)), text: lateLines(output).join('\n') }],
      };
    } catch (error) {
      if (!isCallFailure(error) || error.error.code !== 'handler_timeout') throw error;
      const late = lateLines(error.error.evidence);
      return {
        failed: true,
        said: `Not within ${timeout_ms} ms. Take a snapshot to see what came instead.`,
        pages: [{ origin: originOf(error.view && urlOf(error.view)), text: late.join('\n') }],
      };
    }
  },
};

function foundWords({ quiet_ms = Infinity }: InputOf<'page.wait'>, output: unknown): string {
  if ((numberAt(output, 'elapsed_ms') ?? 0) >= quiet_ms) return `: no change for ${quiet_ms} ms`;
  return valueAt(output, 'gone') === true ? ': it was shown since the last answer, and is gone again' : '';
}

function conditionOf(args: Fields, timeout_ms: number): InputOf<'page.wait'> {
  const kind = textAt(args, 'for');
  const value = textAt(args, 'value') ?? '';
  if (kind !== 'text' && kind !== 'text_gone' && kind !== 'url')
    return { for: 'stable', quiet_ms: Math.min(REST_MS, timeout_ms) };
  if (value === '') throw new BridgeError('invalid_input', 'Say in `value` what to wait for.');
  return kind === 'url' ? { for: 'url', url_contains: value } : { for: kind, text: value };
}
