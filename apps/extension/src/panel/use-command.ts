import { useState } from 'react';
import type { PanelCommand } from '../wire.ts';
import { problemOf, useAsk } from './page-context.ts';
import { usePanelWords } from './words/use-panel-words.ts';

export interface Command {
  /** The command in progress. */
  readonly doing: PanelCommand['do'] | undefined;
  readonly problem: string | undefined;
  /** Resolves true when the worker has done it. `first` asks Chrome beforehand, within the person's click. */
  readonly run: (command: PanelCommand, first?: () => Promise<string | undefined>) => Promise<boolean>;
  readonly dismiss: () => void;
}

/** Runs one command at a time, and holds its error. */
export function useCommand(): Command {
  const ask = useAsk();
  const words = usePanelWords();
  const [doing, setDoing] = useState<PanelCommand['do']>();
  const [problem, setProblem] = useState<string>();
  return {
    doing,
    problem,
    dismiss: () => setProblem(undefined),
    async run(command, first) {
      setDoing(command.do);
      setProblem(undefined);
      try {
        const refusal = await first?.();
        if (refusal !== undefined) {
          setProblem(refusal);
          return false;
        }
        await ask(command);
        return true;
      } catch (error) {
        setProblem(problemOf(error, words));
        return false;
      } finally {
        setDoing(undefined);
      }
    },
  };
}
