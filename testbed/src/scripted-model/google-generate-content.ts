import { isObject, type JsonObject } from './json-object.ts';
import { deltas, type ProviderShape, type ScriptedText, type SseEvent } from './provider-shape.ts';

const PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** https://ai.google.dev/api/generate-content */
export const googleGenerateContent: ProviderShape = {
  provider: 'google-generate-content',
  path: '/v1/models/{model}:generateContent',
  inPath(path) {
    const [, model, method] = PATH.exec(path) ?? [];
    return model === undefined ? undefined : { model, stream: method === 'streamGenerateContent' };
  },
  complaint: ({ contents }) => {
    if (!Array.isArray(contents) || contents.length === 0) return 'contents must be a list, and not empty';
    return contents.every(isContent) ? undefined : 'each of contents has parts, and the role user or model';
  },
  whole: (said) => chunk(said, partsOf(said, said.text === '' ? [] : [said.text]), true),
  events,
  error: (status, message) => ({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } }),
};

/** https://cloud.google.com/apis/design/errors#handling_errors */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const isContent = (value: unknown): boolean =>
  isObject(value) &&
  Array.isArray(value['parts']) &&
  ['user', 'model', undefined].some((role) => role === value['role']);

/** Each event is a whole answer; a function call is never split, and the last event has the finish reason. */
function events(said: ScriptedText): SseEvent[] {
  const parts = partsOf(said, deltas(said.text));
  const last = Math.max(0, parts.length - 1);
  const chunks = [
    ...parts.slice(0, last).map((part) => chunk(said, [part], false)),
    chunk(said, parts.slice(last), true),
  ];
  return chunks.map((each) => ({ data: JSON.stringify(each) }));
}

function partsOf({ toolCalls }: ScriptedText, texts: readonly string[]): JsonObject[] {
  return [
    ...texts.map((text) => ({ text })),
    ...toolCalls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
}

/** Calls end with STOP too: they have no separate finish reason. */
function chunk(said: ScriptedText, parts: readonly JsonObject[], isLast: boolean): JsonObject {
  const { inputTokens, outputTokens, cachedInputTokens } = said.usage;
  const counted = isLast ? outputTokens : 0;
  return {
    candidates: [{ content: { role: 'model', parts }, ...(isLast && { finishReason: 'STOP' }), index: 0 }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: cachedInputTokens,
      ...(isLast && { candidatesTokenCount: counted }),
      totalTokenCount: inputTokens + counted,
    },
    modelVersion: said.model,
    responseId: `response_${said.turn}`,
  };
}
