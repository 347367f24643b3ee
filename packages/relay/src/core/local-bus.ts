import type { Bus, Note } from './ports.ts';

/** The bus of a relay that is alone with its ledger. */
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
