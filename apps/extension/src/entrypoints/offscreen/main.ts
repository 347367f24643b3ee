import { createFrameEvaluator } from '@drawbridge/manifest/browser';
import { BridgeError } from '@drawbridge/protocol';
import type { EvaluationReply, EvaluationRequest } from '../../worker/offscreen-evaluator.ts';
import { isFromWorker } from '../../worker/senders.ts';

/** Wall-clock limit on a machine that also runs a browser. */
const EXPRESSION_MS = 2_000;

const evaluator = createFrameEvaluator({
  frameUrl: chrome.runtime.getURL('/sandbox.html'),
  maxMs: EXPRESSION_MS,
});

chrome.runtime.onMessage.addListener(
  (message: unknown, sender, respond: (reply: EvaluationReply) => void) => {
    if (!isFromWorker(sender) || !isRequest(message)) return false;
    const { expression, input, limits } = message;
    evaluator.evaluate(expression, input, limits).then(
      (value) => respond({ ok: true, value }),
      (error: unknown) => respond({ ok: false, error: errorOf(error) }),
    );
    return true;
  },
);

const isRequest = (message: unknown): message is EvaluationRequest =>
  typeof message === 'object' && message !== null && 'to' in message && message.to === 'evaluator';

function errorOf(error: unknown): Extract<EvaluationReply, { ok: false }>['error'] {
  if (error instanceof BridgeError) {
    const { code, message, evidence } = error;
    return { code, message, evidence: { ...evidence } };
  }
  return { code: 'expression_evaluation_failed', message: `The expression failed: ${String(error)}` };
}
