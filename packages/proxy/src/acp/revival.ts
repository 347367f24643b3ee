import { wordsOf } from './agent-process.ts';

interface RevivalOptions {
  readonly wake: () => Promise<unknown>;
  readonly report: (words: string) => void;
  readonly onFail: () => void;
}

const MAX_RESTARTS = 3;

/** Restarts a crashed agent, with a limit on consecutive restarts. */
export function createRevival({ wake, report, onFail }: RevivalOptions) {
  let restarts = 0;
  return {
    /** A turn has ended since the restart. */
    recovered(): void {
      restarts = 0;
    },
    async again(): Promise<void> {
      restarts += 1;
      if (restarts > MAX_RESTARTS) return;
      try {
        await wake();
        report('The agent was restarted, and the conversation continues.');
      } catch (error) {
        onFail();
        report(`The agent could not be restarted: ${wordsOf(error)}`);
      }
    },
  };
}
