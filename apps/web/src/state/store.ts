import { foldApp } from './app-fold.ts';
import { type AppState, INITIAL_STATE, type Input } from './app-state.ts';

export interface Store {
  readonly get: () => AppState;
  readonly subscribe: (listener: () => void) => () => void;
  /** It is folded with whatever else comes until the next frame is painted. */
  readonly put: (input: Input) => void;
}

/** However many events a second there are, the screen changes at most once a frame. */
export function createStore(schedule: (run: () => void) => void): Store {
  let state = INITIAL_STATE;
  let waiting: Input[] = [];
  const listeners = new Set<() => void>();

  const flush = (): void => {
    const inputs = waiting;
    waiting = [];
    state = foldApp(state, inputs);
    for (const listener of listeners) listener();
  };

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    put(input) {
      waiting.push(input);
      if (waiting.length === 1) schedule(flush);
    },
  };
}

const UNPAINTED_MS = 200;

/** A page that nobody sees, or that another window hides, is painted never: there a timer stands in. */
export function beforePaint(run: () => void): void {
  const first = (): void => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const timer = setTimeout(first, UNPAINTED_MS);
  const frame = requestAnimationFrame(first);
}
