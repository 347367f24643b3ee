import type { Bus, Note } from './ports.ts';

/** The bus of a single relay. */
export function createLocalBus(): Bus {
  const listeners = new Set<(note: Note) => void>();
  return {
    publish: (note) => {
      for (const listener of listeners) listener(note);
    },
    onNote: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
