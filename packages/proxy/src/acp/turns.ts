import { refusal } from '../adapter.ts';
import type { PromptTurn } from './prompt-turn.ts';

interface TurnsOptions {
  readonly after: (ms: number, run: () => void) => () => void;
  /** The last of those under way has ended by itself. */
  readonly onRest: () => void;
}

const STOP_MS = 10_000;

/** The prompts that an agent works on: more than one, where people write while it works. */
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
    /** The process that they were in is gone. */
    clear(): void {
      turns.clear();
      rest();
    },
    /** Something has shown that the agent has it. With two under way, nobody can tell which of them that is about. */
    worksOnIt(): void {
      const [turn, ...others] = turns;
      if (others.length === 0) turn?.took();
    },
    /** Does what stops them, and resolves when they have ended. */
    async stop(name: string, cancel: () => Promise<void>): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const callOff = after(STOP_MS, () =>
        reject(
          refusal('delivery_unknown', `${name} was told to stop, and has not said that it has. Look at it.`),
        ),
      );
      stopped.add(resolve);
      try {
        await cancel();
        await promise;
      } finally {
        callOff();
        stopped.delete(resolve);
      }
    },
  };
}
