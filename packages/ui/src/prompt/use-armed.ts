import { useEffect, useState } from 'react';

/** Long enough to notice a card that appears under a thumb. */
export const ARM_DELAY_MS = 700;

/** False for a moment after `key` changes, and after the page comes back into view. */
export function useArmed(key: string, delayMs = ARM_DELAY_MS): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (): void => {
      clearTimeout(timer);
      setArmed(undefined);
      timer = setTimeout(() => setArmed(key), delayMs);
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') arm();
    };
    arm();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [key, delayMs]);
  return armed === key;
}
