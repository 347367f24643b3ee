/** Who hears of something. */
export interface Listeners<Value> {
  readonly add: (listener: (value: Value) => void) => () => void;
  readonly tell: (value: Value) => void;
}

/** A listener that throws is a bug to be seen, but must not cost the peer its connection or the others their turn. */
export function createListeners<Value>(): Listeners<Value> {
  const listeners = new Set<{ readonly hear: (value: Value) => void }>();
  return {
    add: (hear) => {
      const entry = { hear };
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    tell: (value) => {
      for (const { hear } of [...listeners]) {
        try {
          hear(value);
        } catch (error) {
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
  };
}
