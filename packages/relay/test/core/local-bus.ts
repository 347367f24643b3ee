import type { Bus, BusListener } from '../../src/core/ports.ts';

/** A bus of several cores in one process. */
export function createLocalBus(): Bus {
  const listeners = new Set<BusListener>();
  return {
    publish: (message) => {
      for (const listener of listeners) listener(message, () => {});
    },
    request: (message) => {
      const acknowledged: string[] = [];
      for (const listener of listeners) listener(message, (node_id) => void acknowledged.push(node_id));
      return Promise.resolve(acknowledged[0]);
    },
    onMessage: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
