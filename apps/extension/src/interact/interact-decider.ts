import type { Clock } from '@drawbridge/link';
import { BridgeError, interactResponse } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { askIn, type DeciderAnswer, type TaskDecider } from '@drawbridge/runtime/task';
import { askServer, type InteractServer } from './interact-server.ts';

export interface InteractDeciderOptions extends InteractServer {
  readonly clock: Clock;
  /**
   * Timeout of one attempt; the same call is then repeated with the same key. Chrome stops a worker whose
   * fetch has had no answer for 30 s, so it is shorter than a model may think. A server that knows the key,
   * or merges equal calls, still decides once (INT-74, INT-75, INT-283).
   */
  readonly attemptMs?: number;
  /** Number of attempts for a late answer. */
  readonly attempts?: number;
}

const KEY_CHARS = 200;

/** `POST /api/agent/interact`: decides a task's steps on a server. */
export function createInteractDecider(options: InteractDeciderOptions): TaskDecider {
  const { attempts = 24, attemptMs = 25_000, clock } = options;
  return {
    async interact(request, signal, key) {
      const call = {
        path: '/api/agent/interact',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': headerSafe(key) },
        body: JSON.stringify(request),
      } as const;
      for (let tried = 1; ; tried++) {
        const late = new AbortController();
        const cancel = clock.after(attemptMs, () => late.abort());
        try {
          return parseAnswer(
            await askServer(options, { ...call, signal: AbortSignal.any([signal, late.signal]) }),
          );
        } catch (error) {
          if (signal.aborted || !late.signal.aborted) throw error;
          if (tried >= attempts) throw tooLate(attempts * attemptMs);
        } finally {
          cancel();
        }
      }
    },
  };
}

/** Makes any task id a valid header; keeps its end, which tells calls apart. */
const headerSafe = (key: string): string => encodeURIComponent(key.toWellFormed()).slice(-KEY_CHARS);

const tooLate = (ms: number): BridgeError =>
  new BridgeError('handler_timeout', `The server has not decided within ${Math.round(ms / 1000)} s.`, {
    recoverable: false,
  });

/** INT-43, INT-106: with or without the envelope, and with the request where an older server puts it. */
function parseAnswer(answer: unknown): DeciderAnswer {
  const { data = answer } = isObject(answer) ? answer : {};
  try {
    const response = interactResponse.read({ success: true, data: isObject(data) ? readable(data) : data });
    if ('data' in response) return response.data;
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    throw new BridgeError('invalid_result', `The server's answer cannot be read. ${error.message}`, {
      cause: error,
    });
  }
  throw new BridgeError('invalid_result', 'The server answered with no decision.');
}

function readable(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { action, ...rest } = Object.fromEntries(
    // Some servers send null for absent fields.
    Object.entries(data).filter(([, value]) => value !== null),
  );
  const ask = typeof action === 'string' ? askIn(action) : undefined;
  if (ask !== undefined) return { ...rest, status: ask };
  return { ...rest, ...(action !== undefined && { action }) };
}
