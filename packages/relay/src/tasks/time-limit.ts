import type { CoreClock } from '../core/ports.ts';

/** Counts a task's running time across restarts, excluding time that people take to answer. */
export interface TimeLimit {
  readonly start: () => void;
  readonly hold: () => void;
  readonly ran: () => number;
}

export function createTimeLimit(
  clock: CoreClock,
  { ran_ms, limit_ms }: { readonly ran_ms: number; readonly limit_ms: number },
  onOver: () => void,
): TimeLimit {
  let before = ran_ms;
  let running: { readonly since: number; readonly cancel: () => void } | undefined;
  const ran = (): number => before + (running === undefined ? 0 : clock.now() - running.since);
  return {
    ran,
    start() {
      running ??= { since: clock.now(), cancel: clock.after(Math.max(0, limit_ms - before), onOver) };
    },
    hold() {
      before = ran();
      running?.cancel();
      running = undefined;
    },
  };
}
