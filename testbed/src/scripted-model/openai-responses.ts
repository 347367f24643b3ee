import type { JsonObject } from './json-object.ts';
import { openAiError } from './openai-error.ts';
import {
  CREATED_AT_SECONDS,
  deltas,
  namedEvent,
  type ProviderShape,
  type ScriptedText,
  type SseEvent,
} from './provider-shape.ts';

/** https://platform.openai.com/docs/api-reference/responses */
export const openAiResponses: ProviderShape = {
  provider: 'openai-responses',
  path: '/v1/responses',
  complaint: ({ input }) =>
    typeof input === 'string' || Array.isArray(input) ? undefined : "'input' must be a string or an array",
  whole: (said) => ({ ...response(said), status: 'completed', output: output(said), usage: usage(said) }),
  events,
  error: openAiError,
};

type Step = readonly [event: string, fields: JsonObject];

function events(said: ScriptedText): SseEvent[] {
  const started = { ...response(said), status: 'in_progress', output: [], usage: null };
  const steps: Step[] = [
    ['response.created', { response: started }],
    ['response.in_progress', { response: started }],
    ...outputSteps(said),
    ['response.completed', { response: openAiResponses.whole(said) }],
  ];
  return steps.map(([event, fields], index) => namedEvent(event, { sequence_number: index, ...fields }));
}

function outputSteps(said: ScriptedText): Step[] {
  if (said.text === '') return callItems(said).flatMap((item, index) => callSteps(item, index));
  return [...messageSteps(said), ...callItems(said).flatMap((item, index) => callSteps(item, index + 1))];
}

function messageSteps(said: ScriptedText): Step[] {
  const item = messageItem(said);
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  return [
    [
      'response.output_item.added',
      { output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
    ],
    ['response.content_part.added', { ...place, part: textPart('') }],
    ...deltas(said.text).map(
      (delta): Step => ['response.output_text.delta', { ...place, delta, logprobs: [] }],
    ),
    ['response.output_text.done', { ...place, text: said.text, logprobs: [] }],
    ['response.content_part.done', { ...place, part: textPart(said.text) }],
    ['response.output_item.done', { output_index: 0, item }],
  ];
}

function callSteps(item: CallItem, output_index: number): Step[] {
  const place = { item_id: item.id, output_index };
  return [
    ['response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } }],
    ...deltas(item.arguments).map(
      (delta): Step => ['response.function_call_arguments.delta', { ...place, delta }],
    ),
    ['response.function_call_arguments.done', { ...place, arguments: item.arguments }],
    ['response.output_item.done', { output_index, item }],
  ];
}

function response({ turn, model }: ScriptedText): JsonObject {
  return {
    id: `resp_${turn}`,
    object: 'response',
    created_at: CREATED_AT_SECONDS,
    model,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tools: [],
  };
}

function output(said: ScriptedText): JsonObject[] {
  return [...(said.text === '' ? [] : [messageItem(said)]), ...callItems(said)];
}

function messageItem({ turn, text }: ScriptedText) {
  const content = [textPart(text)];
  return { id: `msg_${turn}`, type: 'message', role: 'assistant', status: 'completed', content };
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

type CallItem = ReturnType<typeof callItems>[number];

function callItems({ toolCalls }: ScriptedText) {
  return toolCalls.map(({ id, name, namespace, input }) => ({
    id: `fc_${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(input),
  }));
}

function usage({ usage: { inputTokens, outputTokens, cachedInputTokens } }: ScriptedText): JsonObject {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
