/** Live thoughts about tasks, never stored: the step that follows repeats them. */
export type TaskThoughts = ReturnType<typeof createTaskThoughts>;

export function createTaskThoughts() {
  const thoughts = new Map<string, string>();
  const listeners = new Set<(task_id: string) => void>();
  return {
    /** Undefined once the thought has led to a step. */
    publish(task_id: string, thought: string | undefined): void {
      if (thought === undefined) {
        thoughts.delete(task_id);
        return;
      }
      thoughts.set(task_id, thought);
      for (const listener of listeners) listener(task_id);
    },
    of: (task_id: string): string | undefined => thoughts.get(task_id),
    onThought(listener: (task_id: string) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
