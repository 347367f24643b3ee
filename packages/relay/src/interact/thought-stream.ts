import type { CoreClock } from '../core/ports.ts';

/** Sends a thought while it grows, at most once per `leastMs`: a model emits a word every few milliseconds. */
export function createThoughtStream(clock: CoreClock, leastMs: number, tell: (thought: string) => void) {
  let waiting: string | undefined;
  let cancel: (() => void) | undefined;
  let isClosed = false;

  const rest = (): void => {
    cancel = undefined;
    if (waiting !== undefined) push(waiting);
  };
  const push = (thought: string): void => {
    if (isClosed || thought === '') return;
    if (cancel !== undefined) {
      waiting = thought;
      return;
    }
    waiting = undefined;
    cancel = clock.after(leastMs, rest);
    tell(thought);
  };
  return {
    push,
    /** Nothing is sent afterwards: the decision follows. */
    close(): void {
      isClosed = true;
      cancel?.();
    },
  };
}
