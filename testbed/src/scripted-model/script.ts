import type { Gate } from '../gate.ts';
import type { JsonObject } from './json-object.ts';
import type { ModelRequest } from './model-request.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
  /** Group of the tool, where the request has groups (Responses API). */
  readonly namespace?: string;
  /** Generated if absent. */
  readonly id?: string;
}

export interface Usage {
  /** All input tokens, including cached ones. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

export type ReplyFault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /**
   * Cuts the connection after this many streamed events, or halfway through an answer that is not streamed.
   */
  | { readonly kind: 'cut'; readonly afterEvents?: number }
  /** Status 200 with truncated JSON. */
  | { readonly kind: 'malformed' };

/** The model's answer to one request, with its faults. */
export interface Reply {
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly usage?: Usage;
  /** Throws if this is not the expected request. */
  readonly expect?: (request: ModelRequest) => void;
  /** Waits at the gate: before any answer, or after this many streamed events. */
  readonly hold?: { readonly gate: Gate; readonly afterEvents?: number };
  readonly fault?: ReplyFault;
}

export type Step = Reply | ((request: ModelRequest) => Reply);

/** Replies in order, or a function of the request and its number (from 1); undefined means out of script. */
export type Script = readonly Step[] | ((request: ModelRequest, turn: number) => Reply | undefined);

/** The reply to request number `turn`, or an error. */
export function replyTo(script: Script, request: ModelRequest, turn: number): Reply | Error {
  try {
    const step = typeof script === 'function' ? script(request, turn) : script[turn - 1];
    const reply = typeof step === 'function' ? step(request) : step;
    if (reply === undefined) return outOfScript(request, turn);
    reply.expect?.(request);
    return reply;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new Error(`Request ${turn} is not what the script expected: ${reason}`, { cause });
  }
}

function outOfScript({ provider, model }: ModelRequest, turn: number): Error {
  return new Error(
    `The script has no reply for request ${turn} (${provider}, model ${model}). Add one, or find out why the model was asked again.`,
  );
}
