import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from './json-object.ts';
import type { Provider } from './model-request.ts';
import type { Reply, ToolCall, Usage } from './script.ts';

/** A resolved reply, ready for a provider's format. */
export interface ScriptedText {
  /** Number of the request, so that ids differ between turns and repeat between runs. */
  readonly turn: number;
  readonly model: string;
  readonly text: string;
  readonly toolCalls: ReadonlyArray<ToolCall & { readonly id: string }>;
  readonly usage: Required<Usage>;
}

export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

export interface Asked {
  readonly model: string;
  readonly stream: boolean;
}

/** Wire format of one provider. */
export interface ProviderShape {
  readonly provider: Provider;
  readonly path: string;
  /** Parameters in the path instead of the body; undefined for a foreign path. */
  inPath?(path: string): Asked | undefined;
  /** Reason for which the provider would refuse this request. */
  complaint(body: JsonObject, headers: IncomingHttpHeaders): string | undefined;
  whole(said: ScriptedText): JsonObject;
  events(said: ScriptedText, body: JsonObject): SseEvent[];
  error(status: number, message: string): JsonObject;
}

/** A fixed timestamp, so that two runs answer the same bytes. */
export const CREATED_AT_SECONDS = 1_767_225_600;

export function scriptedTextIn(reply: Reply, turn: number, model: string): ScriptedText {
  const { text = '', toolCalls = [], usage } = reply;
  return {
    turn,
    model,
    text,
    toolCalls: toolCalls.map((call, index) => ({ id: `call_${turn}_${index + 1}`, ...call })),
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, ...usage },
  };
}

/** Splits a streamed text, never inside a character. */
export function deltas(text: string): string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}

export function namedEvent(event: string, fields: JsonObject): SseEvent {
  return { event, data: JSON.stringify({ type: event, ...fields }) };
}
