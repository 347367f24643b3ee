import type { Words } from '@drawbridge/ui';
import { useCallback, useEffect, useState } from 'react';
import { problemText } from '../client/request.ts';

export interface Polled<Value> {
  readonly value: Value | undefined;
  /** The last poll failed; the value is older. */
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** Polls the relay while the page is visible. `load` must be a stable function. */
export function usePolled<Value>(load: () => Promise<Value>, everyMs: number, words: Words): Polled<Value> {
  const [value, setValue] = useState<Value>();
  const [problem, setProblem] = useState<string>();
  const reload = useCallback(() => {
    load().then(
      (found) => {
        setValue(found);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(problemText(error, words)),
    );
  }, [load, words]);
  useEffect(() => {
    reload();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  return { value, problem, reload };
}
