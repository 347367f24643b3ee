import { Notice } from '@drawbridge/ui';
import { type ReactNode, useState } from 'react';
import { problemOf, useSet } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import type { Settings } from '../wire.ts';

/** Saves settings, and shows the result. */
export function useSaving(): {
  readonly save: (change: Partial<Settings>) => Promise<boolean>;
  readonly said: ReactNode;
} {
  const words = usePanelWords();
  const set = useSet();
  const [outcome, setOutcome] = useState<{ readonly problem?: string }>();
  return {
    async save(change) {
      setOutcome(undefined);
      try {
        await set(change);
        setOutcome({});
        return true;
      } catch (error) {
        setOutcome({ problem: problemOf(error, words) });
        return false;
      }
    },
    said:
      outcome === undefined ? null : (
        <Notice meaning={outcome.problem === undefined ? 'done' : 'fail'} className="mt-2 rounded-md">
          {outcome.problem === undefined ? words.options.saved : words.options.failed(outcome.problem)}
        </Notice>
      ),
  };
}
