import { useCallback, useEffect, useState } from 'react';
import { faultText } from '../client/request.ts';

export interface Polled<Value> {
  readonly value: Value | undefined;
  /** The latest look failed; what is shown is from before. */
  readonly trouble: string | undefined;
  readonly reload: () => void;
}

/** What the relay has, looked at again and again while somebody sees the page. `load` stays the same function. */
export function usePolled<Value>(
  load: () => Promise<Value>,
  everyMs: number,
  otherwise: string,
): Polled<Value> {
  const [value, setValue] = useState<Value>();
  const [trouble, setTrouble] = useState<string>();
  const reload = useCallback(() => {
    load().then(
      (found) => {
        setValue(found);
        setTrouble(undefined);
      },
      (error: unknown) => setTrouble(faultText(error, otherwise)),
    );
  }, [load, otherwise]);
  useEffect(() => {
    reload();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);
  return { value, trouble, reload };
}
