import type { AgentSide, BridgeEvent, PendingCall } from '@drawbridge/bridge';
import { BridgeError } from '@drawbridge/protocol';

/** A stable bridge in front of changing browsers. */
export interface PlaceholderServer extends AgentSide {
  readonly use: (bridge: AgentSide | undefined) => void;
}

export function createPlaceholderServer(): PlaceholderServer {
  const listeners = new Set<(event: BridgeEvent) => void>();
  let current: AgentSide | undefined;
  let unwatch = () => {};
  const tell = (event: BridgeEvent) => {
    for (const listener of [...listeners]) listener(event);
  };
  return {
    use(next) {
      unwatch();
      const before = current?.runtimes() ?? [];
      current = next;
      for (const { runtime_id } of before) tell({ kind: 'gone', runtime_id, reason: 'The browser is gone.' });
      for (const runtime of next?.runtimes() ?? []) tell({ kind: 'runtime', runtime });
      unwatch = next?.watch(tell) ?? (() => {});
    },
    call: (request, options) => current?.call(request, options) ?? refused(request.call_id ?? 'unsent'),
    takeMessages: (client) => current?.takeMessages?.(client) ?? [],
    runtimes: () => current?.runtimes() ?? [],
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function refused(call_id: string): PendingCall {
  const error = new BridgeError('runtime_not_found', 'The browser was closed. Call again to start another.');
  const output = Promise.reject(error);
  output.catch(() => {});
  return { call_id, output, cancel: () => {} };
}
