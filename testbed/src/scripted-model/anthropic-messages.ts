import type { JsonObject } from './json-object.ts';
import {
  deltas,
  namedEvent,
  type ProviderShape,
  type ScriptedText,
  type SseEvent,
} from './provider-shape.ts';

/** https://docs.anthropic.com/en/api/messages and …/messages-streaming */
export const anthropicMessages: ProviderShape = {
  provider: 'anthropic-messages',
  path: '/v1/messages',
  complaint: ({ messages, max_tokens }, headers) => {
    if (headers['anthropic-version'] === undefined) return 'the header anthropic-version is required';
    if (!Array.isArray(messages)) return 'messages must be a list';
    if (typeof max_tokens !== 'number') return 'max_tokens is required';
    return undefined;
  },
  whole: (said) => ({
    ...head(said),
    content: content(said),
    stop_reason: stopReason(said),
    usage: usage(said, said.usage.outputTokens),
  }),
  events,
  error: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_scripted',
  }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function events(said: ScriptedText): SseEvent[] {
  const started = { ...head(said), content: [], stop_reason: null, usage: usage(said, 0) };
  return [
    namedEvent('message_start', { message: started }),
    namedEvent('ping', {}),
    ...content(said).flatMap((block, index) => blockEvents(block, index)),
    namedEvent('message_delta', {
      delta: { stop_reason: stopReason(said), stop_sequence: null },
      usage: usage(said, said.usage.outputTokens),
    }),
    namedEvent('message_stop', {}),
  ];
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject };

function content({ text, toolCalls }: ScriptedText): Block[] {
  const said: Block[] = text === '' ? [] : [{ type: 'text', text }];
  return [...said, ...toolCalls.map(({ id, name, input }): Block => ({ type: 'tool_use', id, name, input }))];
}

function blockEvents(block: Block, index: number): SseEvent[] {
  const empty = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
  return [
    namedEvent('content_block_start', { index, content_block: empty }),
    ...blockDeltas(block).map((delta) => namedEvent('content_block_delta', { index, delta })),
    namedEvent('content_block_stop', { index }),
  ];
}

function blockDeltas(block: Block): JsonObject[] {
  if (block.type === 'text') return deltas(block.text).map((text) => ({ type: 'text_delta', text }));
  return ['', ...inputDeltas(block.input)].map((part) => ({ type: 'input_json_delta', partial_json: part }));
}

/** A tool call without arguments streams no JSON at all, not even `{}`. */
function inputDeltas(input: JsonObject): string[] {
  return Object.keys(input).length === 0 ? [] : deltas(JSON.stringify(input));
}

function head({ turn, model }: ScriptedText): JsonObject {
  return { id: `msg_${turn}`, type: 'message', role: 'assistant', model, stop_sequence: null };
}

function stopReason(said: ScriptedText): 'end_turn' | 'tool_use' {
  return said.toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

/** Unlike OpenAI, Anthropic does not count cached tokens as input tokens. */
function usage(
  { usage: { inputTokens, cachedInputTokens } }: ScriptedText,
  outputTokens: number,
): JsonObject {
  return {
    input_tokens: inputTokens - cachedInputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
  };
}
