import type { Asker, Question } from '@drawbridge/protocol';
import { threadPrompt } from './prompt-asker.ts';

/** Questions that wait for a person, by runtime. */
export interface OpenQuestions {
  /** Wraps an asker so that its open questions are listed here. */
  readonly watched: (asker: Asker) => Asker;
  readonly at: (runtime_id: string) => Question | undefined;
  /** The question that people see as this prompt. */
  readonly askedAs: (prompt_id: string) => Question | undefined;
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
    askedAs: (prompt_id) =>
      [...open].find(
        ({ question_id }) => question_id === prompt_id || threadPrompt(question_id) === prompt_id,
      ),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
