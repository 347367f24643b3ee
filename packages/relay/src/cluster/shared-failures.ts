import type { Bus } from '../core/ports.ts';
import type { FailureLimiter } from '../devices/failure-limiter.ts';

/** CHT-96 on all nodes: failed credentials on one node count on all of them. */
export function shareFailures(
  failures: FailureLimiter,
  { bus, node_id }: { readonly bus: Bus; readonly node_id: string },
): FailureLimiter {
  const stop = bus.onMessage((message) => {
    if (message.kind !== 'node' || message.node_id === node_id) return;
    const { failed } = message.facts;
    if (Array.isArray(failed)) failures.add(failed.filter((key) => typeof key === 'string'));
  });
  return {
    areTooMany: failures.areTooMany,
    add(keys) {
      failures.add(keys);
      bus.publish({ kind: 'node', node_id, facts: { failed: [...keys] } });
    },
    close: stop,
  };
}
