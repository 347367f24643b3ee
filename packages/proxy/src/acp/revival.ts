import { wordsOf } from './agent-process.ts';

interface RevivalOptions {
  readonly wake: () => Promise<unknown>;
  readonly say: (words: string) => void;
  readonly onFail: () => void;
}

const MAX_RESTARTS = 3;

/** Starts an agent again that fell, so often in a row and no more. */
export function createRevival({ wake, say, onFail }: RevivalOptions) {
  let restarts = 0;
  return {
    /** It has ended a turn since. */
    recovered(): void {
      restarts = 0;
    },
    async again(): Promise<void> {
      restarts += 1;
      if (restarts > MAX_RESTARTS) return;
      try {
        await wake();
        say('It was started again, and the conversation goes on.');
      } catch (error) {
        onFail();
        say(`It could not be started again: ${wordsOf(error)}`);
      }
    },
  };
}
