import type { Evaluator } from '@drawbridge/manifest';
import { BridgeError, type ErrorCode } from '@drawbridge/protocol';

/** Worker → offscreen page, the only one that can hold the sandboxed frame. */
export interface EvaluationRequest {
  readonly to: 'evaluator';
  readonly expression: string;
  readonly input: unknown;
  readonly limits?: object;
}

export type EvaluationReply =
  | { readonly ok: true; readonly value?: unknown }
  | {
      readonly ok: false;
      readonly error: { code: ErrorCode; message: string; evidence?: Record<string, unknown> };
    };

const PAGE = 'offscreen.html';

/**
 * Evaluates a map's expressions in a sandboxed page without an origin, in a separate worker (decision 13).
 */
export function createOffscreenEvaluator(): Evaluator {
  let opening: Promise<void> | undefined;

  const open = async (): Promise<void> => {
    const there = await chrome.runtime.getContexts({ contextTypes: ['OFFSCREEN_DOCUMENT'] });
    if (there.length > 0) return;
    await chrome.offscreen.createDocument({
      url: PAGE,
      reasons: ['IFRAME_SCRIPTING'],
      justification: 'Expressions of maps run in a sandboxed frame, away from everything.',
    });
  };

  return {
    async evaluate(expression, input, limits) {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      await opening;
      const request: EvaluationRequest = { to: 'evaluator', expression, input, ...(limits && { limits }) };
      const reply: EvaluationReply | undefined = await chrome.runtime.sendMessage(request);
      if (reply?.ok === true) return reply.value;
      if (reply === undefined) throw new BridgeError('expression_evaluation_failed', GONE);
      const { code, message, evidence = {} } = reply.error;
      throw new BridgeError(code, message, { evidence });
    },
    close: async () => {
      opening = undefined;
      await chrome.offscreen.closeDocument().catch(() => undefined);
    },
  };
}

const GONE = 'The page in which expressions run has gone. Call again.';
