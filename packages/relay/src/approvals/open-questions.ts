import type { Asker, Question } from '@drawbridge/protocol';

/** What people are being asked just now, by the runtime that asks. */
export interface OpenQuestions {
  /** The same asker, whose questions are seen here for as long as they are open. */
  readonly watched: (asker: Asker) => Asker;
  readonly at: (runtime_id: string) => Question | undefined;
  readonly onChange: (listener: () => void) => () => void;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Set<Question>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    watched: (asker) => ({
      async ask(question, withdrawn) {
        open.add(question);
        changed();
        try {
          return await asker.ask(question, withdrawn);
        } finally {
          open.delete(question);
          changed();
        }
      },
    }),
    at: (runtime_id) => [...open].find((question) => question.runtime_id === runtime_id),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
