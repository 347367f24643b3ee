import type { CoreClock } from '../core/ports.ts';

/** Sends a thought while it grows. */
export interface ThoughtTeller {
  readonly hear: (thought: string) => void;
  /** Nothing is sent afterwards: the decision follows. */
  readonly close: () => void;
}

/** At most once per `leastMs`: a model emits a word every few milliseconds. */
export function createThoughtTeller(
  clock: CoreClock,
  leastMs: number,
  tell: (thought: string) => void,
): ThoughtTeller {
  let waiting: string | undefined;
  let callOff: (() => void) | undefined;
  let isClosed = false;

  const rest = (): void => {
    callOff = undefined;
    if (waiting !== undefined) hear(waiting);
  };
  const hear = (thought: string): void => {
    if (isClosed || thought === '') return;
    if (callOff !== undefined) {
      waiting = thought;
      return;
    }
    waiting = undefined;
    callOff = clock.after(leastMs, rest);
    tell(thought);
  };
  return {
    hear,
    close() {
      isClosed = true;
      callOff?.();
    },
  };
}
