import type { Asker, Question } from '@drawbridge/protocol';
import { threadPrompt } from './prompt-asker.ts';

/** Questions that wait for a person, by runtime. */
export type OpenQuestions = ReturnType<typeof createOpenQuestions>;

export function createOpenQuestions() {
  const open = new Set<Question>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    /** Wraps an asker so that its open questions are listed here. */
    watched: (asker: Asker): Asker => ({
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
    at: (runtime_id: string): Question | undefined =>
      [...open].find((question) => question.runtime_id === runtime_id),
    /** The question that people see as this prompt. */
    askedAs: (prompt_id: string): Question | undefined =>
      [...open].find(
        ({ question_id }) => question_id === prompt_id || threadPrompt(question_id) === prompt_id,
      ),
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
