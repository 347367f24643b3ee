import { isObject, type JsonObject } from './json-object.ts';
import { openAiError } from './openai-error.ts';
import {
  CREATED_AT_SECONDS,
  deltas,
  type ProviderShape,
  type ScriptedText,
  type SseEvent,
} from './provider-shape.ts';

/** https://platform.openai.com/docs/api-reference/chat */
export const openAiChat: ProviderShape = {
  provider: 'openai-chat',
  path: '/v1/chat/completions',
  complaint: ({ messages }) => (Array.isArray(messages) ? undefined : "'messages' must be an array"),
  whole: (said) => ({
    ...head(said, 'chat.completion'),
    choices: [{ index: 0, message: message(said), logprobs: null, finish_reason: finishReason(said) }],
    usage: usage(said),
  }),
  events,
  error: openAiError,
};

function events(said: ScriptedText, body: JsonObject): SseEvent[] {
  const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): SseEvent => ({
    data: JSON.stringify({ ...head(said, 'chat.completion.chunk'), choices, ...more }),
  });
  const delta = (fields: JsonObject, reason: string | null = null) =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: reason }]);
  const { stream_options: options } = body;
  const wantsUsage = isObject(options) && options['include_usage'] === true;
  return [
    delta({ role: 'assistant', content: '' }),
    ...deltas(said.text).map((content) => delta({ content })),
    ...toolCallDeltas(said).map((call) => delta({ tool_calls: [call] })),
    delta({}, finishReason(said)),
    ...(wantsUsage ? [chunk([], { usage: usage(said) })] : []),
    { data: '[DONE]' },
  ];
}

function toolCallDeltas(said: ScriptedText): JsonObject[] {
  return said.toolCalls.flatMap(({ id, name, input }, index) => [
    { index, id, type: 'function', function: { name, arguments: '' } },
    ...deltas(JSON.stringify(input)).map((part) => ({ index, function: { arguments: part } })),
  ]);
}

function head(said: ScriptedText, object: string): JsonObject {
  return { id: `chatcmpl-${said.turn}`, object, created: CREATED_AT_SECONDS, model: said.model };
}

function message(said: ScriptedText): JsonObject {
  const calls = said.toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const content = said.text === '' && calls.length > 0 ? null : said.text;
  return { role: 'assistant', content, refusal: null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}

function finishReason(said: ScriptedText): 'stop' | 'tool_calls' {
  return said.toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function usage({ usage: { inputTokens, outputTokens, cachedInputTokens } }: ScriptedText): JsonObject {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
}
