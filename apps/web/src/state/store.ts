import { foldApp } from './app-fold.ts';
import { type AppState, INITIAL_STATE, type Input } from './app-state.ts';

export type Store = ReturnType<typeof createStore>;

/** Inputs of the person, shown in the next frame under any load. */
const OWN: readonly Input['type'][] = ['talk', 'pending', 'launch', 'launch_over', 'closing', 'older_page'];

/** Renders at most once per frame at any event rate. */
export function createStore(schedule: (run: () => void, isUrgent: boolean) => void) {
  let state = INITIAL_STATE;
  let waiting: Input[] = [];
  let isUrgent = false;
  const listeners = new Set<() => void>();

  const flush = (): void => {
    if (waiting.length === 0) return;
    const inputs = waiting;
    waiting = [];
    isUrgent = false;
    state = foldApp(state, inputs);
    for (const listener of listeners) listener();
  };

  return {
    get: (): AppState => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Queued, and folded with others before the next frame. */
    put(input: Input): void {
      const isFirst = waiting.push(input) === 1;
      const becomesUrgent = !isUrgent && OWN.includes(input.type);
      isUrgent ||= becomesUrgent;
      if (isFirst || becomesUrgent) schedule(flush, isUrgent);
    },
  };
}
