import { refusal } from '../adapter.ts';
import type { PromptTurn } from './prompt-turn.ts';

interface TurnsOptions {
  readonly after: (ms: number, run: () => void) => () => void;
  /** Called when the last running turn has ended by itself. */
  readonly onRest: () => void;
}

const STOP_MS = 10_000;

/** Prompts in progress: several, if people write while the agent works. */
export function createTurns({ after, onRest }: TurnsOptions) {
  const turns = new Set<PromptTurn>();
  const stopped = new Set<() => void>();
  const rest = (): void => {
    for (const resolve of stopped) resolve();
    stopped.clear();
  };
  return {
    get isEmpty(): boolean {
      return turns.size === 0;
    },
    add(turn: PromptTurn): void {
      turns.add(turn);
    },
    end(turn: PromptTurn): void {
      if (!turns.delete(turn) || turns.size > 0) return;
      onRest();
      rest();
    },
    /** Called when their process is gone. */
    clear(): void {
      turns.clear();
      rest();
    },
    /** Marks the prompt as received. Ambiguous with two in progress, so then it does nothing. */
    worksOnIt(): void {
      const [turn, ...others] = turns;
      if (others.length === 0) turn?.took();
    },
    /** Cancels the turns, and resolves when they have ended. */
    async stop(name: string, cancel: () => Promise<void>): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const cancelTimer = after(STOP_MS, () =>
        reject(refusal('delivery_unknown', `${name} did not confirm the stop. Check the agent.`)),
      );
      stopped.add(resolve);
      try {
        await cancel();
        await promise;
      } finally {
        cancelTimer();
        stopped.delete(resolve);
      }
    },
  };
}
