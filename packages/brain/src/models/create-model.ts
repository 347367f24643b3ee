import { isObject } from '@drawbridge/protocol/manifest';
import {
  jsonSchema,
  type LanguageModelUsage,
  NoObjectGeneratedError,
  Output,
  type ModelMessage as SdkMessage,
  streamText,
} from 'ai';
import type { StepOptions, StopSignal } from '../brain.ts';
import type { Model, ModelAnswer, ModelMessage, ModelPart, ModelQuestion, Tokens } from '../model.ts';
import { modelErrorOf } from './failure.ts';
import { CACHE_MARK, CALL_OPTIONS, languageModel } from './provider.ts';
import type { ModelSettings, ProviderName } from './settings.ts';

const MAX_RETRIES = 4;
const TIMEOUT_MS = 180_000;

/** A provider's model over HTTP, through the AI SDK, which retries with backoff and Retry-After. */
export function createModel(settings: ModelSettings): Model {
  const { provider, model, apiKey, maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS } = settings;
  const sdkModel = languageModel(settings);
  const id = `${provider}/${model}`;
  const ask = async (
    question: ModelQuestion,
    { signal, onThought }: StepOptions = {},
  ): Promise<ModelAnswer> => {
    const abortSignal = signal && abortSignalOf(signal);
    let failure: { readonly cause: unknown } | undefined;
    const result = streamText({
      model: sdkModel,
      instructions: instructionsFor(question, provider),
      messages: question.messages.map((message, index) =>
        sdkMessage(message, index === 0 ? provider : undefined),
      ),
      output: Output.object({ schema: jsonSchema(question.schema), name: 'decision' }),
      maxRetries,
      timeout: timeoutMs,
      ...(abortSignal !== undefined && { abortSignal }),
      ...(CALL_OPTIONS[provider] !== undefined && { providerOptions: CALL_OPTIONS[provider] }),
      // Unhandled errors would be logged to the console with their request.
      onError: ({ error }) => {
        failure ??= { cause: error };
      },
    });
    try {
      await streamThoughts(result.partialOutputStream, onThought);
      if (failure !== undefined) throw failure.cause;
      const object = await result.output.then(undefined, noObject);
      return { object, usage: tokensOf(await result.usage) };
    } catch (cause) {
      throw modelErrorOf(failure === undefined ? cause : failure.cause, id, apiKey, signal?.aborted === true);
    }
  };
  return { id, ask };
}

async function streamThoughts(
  partials: AsyncIterable<unknown>,
  onThought: StepOptions['onThought'],
): Promise<void> {
  let told = '';
  for await (const partial of partials) {
    const thought = isObject(partial) ? partial['thought'] : undefined;
    if (typeof thought !== 'string' || thought === told) continue;
    told = thought;
    onThought?.(thought);
  }
}

/** Prose in place of JSON can be corrected, so it is no provider failure. */
function noObject(error: unknown): undefined {
  if (!NoObjectGeneratedError.isInstance(error)) throw error;
}

/** Not every compatible server enforces the schema, so there the prompt contains it too. */
function instructionsFor({ system, schema }: ModelQuestion, provider: ProviderName) {
  const content =
    provider === 'compatible' ? `${system}\n\nSCHEMA of your answer\n${JSON.stringify(schema)}` : system;
  return { role: 'system' as const, content, ...cacheMark(provider) };
}

/** The first part of the first message is constant for the task, and marked for the cache. */
function sdkMessage({ role, parts }: ModelMessage, provider: ProviderName | undefined): SdkMessage {
  if (role === 'assistant')
    return { role, content: parts.map((part) => ('text' in part ? part.text : '')).join('\n') };
  return {
    role,
    content: parts.map((part, index) => ({ ...sdkPart(part), ...(index === 0 && cacheMark(provider)) })),
  };
}

function sdkPart(part: ModelPart) {
  if (part.type === 'text') return { type: 'text' as const, text: part.text };
  return {
    type: 'file' as const,
    mediaType: 'image/jpeg',
    data: { type: 'data' as const, data: part.base64 },
  };
}

function cacheMark(provider: ProviderName | undefined) {
  const mark = provider && CACHE_MARK[provider];
  return mark === undefined ? {} : { providerOptions: mark };
}

function tokensOf({ inputTokens = 0, outputTokens = 0, inputTokenDetails }: LanguageModelUsage): Tokens {
  const { cacheReadTokens = 0 } = inputTokenDetails;
  return { input_tokens: inputTokens, output_tokens: outputTokens, cached_tokens: cacheReadTokens };
}

function abortSignalOf(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}
