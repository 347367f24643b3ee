import type { Evaluator } from '@drawbridge/manifest';
import { createDedicatedWorkerEvaluator } from '@drawbridge/manifest/browser';
import { BridgeError } from '@drawbridge/protocol';
import type { HostKind } from '@drawbridge/protocol/primitives';

/** Where a map's expressions run: a worker of the page's origin with `evaluatorScript()` in it. */
export interface Expressions {
  readonly worker: string;
  readonly maxMs?: number;
}

/** Expressions never run in the page's own context: without a worker they fail and say why. */
export function pageExpressions(host: HostKind, expressions: Expressions | undefined): Evaluator {
  if (expressions === undefined) return without(host, 'no_worker', 'the page was lent without a worker');
  const { worker: url, ...limits } = expressions;
  let refused = false;
  const createWorker = (): Worker => {
    const worker = new Worker(url);
    // A policy against workers, or a missing script, shows as an error before the first message.
    const onError = () => {
      refused = true;
    };
    worker.addEventListener('error', onError);
    worker.addEventListener('message', () => worker.removeEventListener('error', onError), { once: true });
    return worker;
  };
  const pool = createDedicatedWorkerEvaluator({ createWorker, ...limits });
  return {
    close: () => pool.close(),
    async evaluate(expression, input, bounds) {
      try {
        return await pool.evaluate(expression, input, bounds);
      } catch (error) {
        if (error instanceof BridgeError && !refused) throw error;
        throw unavailable(host, 'worker_refused', `the page did not let ${url} start as a worker`);
      }
    },
  };
}

const without = (host: HostKind, reason: string, why: string): Evaluator => ({
  evaluate: () => Promise.reject(unavailable(host, reason, why)),
  close: async () => {},
});

function unavailable(host: HostKind, reason: string, why: string): BridgeError {
  return new BridgeError(
    'capability_unavailable',
    `Expressions of a map cannot run here: ${why}. Call primitives instead, or have the owner of the page give it an \`expressions.worker\` that its content security policy (worker-src) allows.`,
    { evidence: { capability: 'expressions', host, reason } },
  );
}
