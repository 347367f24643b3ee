/** Live thoughts about tasks, never stored: the step that follows repeats them. */
export interface TaskThoughts {
  /** Undefined once the thought has led to a step. */
  readonly publish: (task_id: string, thought: string | undefined) => void;
  readonly of: (task_id: string) => string | undefined;
  readonly onThought: (listener: (task_id: string) => void) => () => void;
}

export function createTaskThoughts(): TaskThoughts {
  const thoughts = new Map<string, string>();
  const listeners = new Set<(task_id: string) => void>();
  return {
    publish(task_id, thought) {
      if (thought === undefined) {
        thoughts.delete(task_id);
        return;
      }
      thoughts.set(task_id, thought);
      for (const listener of listeners) listener(task_id);
    },
    of: (task_id) => thoughts.get(task_id),
    onThought(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
