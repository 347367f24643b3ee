import { Notice } from '@drawbridge/ui';
import { type ReactNode, useState } from 'react';
import { troubleOf, useSet } from '../panel/page-context.ts';
import { usePanelWords } from '../panel/words/use-panel-words.ts';
import type { Settings } from '../wire.ts';

/** Saves settings, and shows the result. */
export function useSaving(): {
  readonly save: (change: Partial<Settings>) => Promise<boolean>;
  readonly said: ReactNode;
} {
  const words = usePanelWords();
  const set = useSet();
  const [outcome, setOutcome] = useState<{ readonly trouble?: string }>();
  return {
    async save(change) {
      setOutcome(undefined);
      try {
        await set(change);
        setOutcome({});
        return true;
      } catch (error) {
        setOutcome({ trouble: troubleOf(error, words) });
        return false;
      }
    },
    said:
      outcome === undefined ? null : (
        <Notice meaning={outcome.trouble === undefined ? 'done' : 'fail'} className="mt-2 rounded-md">
          {outcome.trouble === undefined ? words.options.saved : words.options.failed(outcome.trouble)}
        </Notice>
      ),
  };
}
