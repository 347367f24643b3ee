export interface Listeners<Value> {
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly emit: (value: Value) => void;
}

/** A listener's error is rethrown asynchronously, so that it costs neither the connection nor other listeners. */
export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<{ readonly receive: (value: Value) => void }>();
  return {
    add: (receive) => {
      const entry = { receive };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    emit: (value) => {
      for (const { receive } of [...listeners]) {
        try {
          receive(value);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
