import { useEffect } from 'react';
import { newId } from '../client/new-id.ts';
import { noticeApi } from '../client/notice-api.ts';

/** Below the relay's idle timeout of 30 s for a screen. */
const AGAIN_MS = 15_000;
const SCREEN_ID = newId();

const mayBeNotified = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted';

/** Last value sent to the relay. */
let told: string | null = null;

function tell(shown: string | null): void {
  if (!mayBeNotified() || (shown === null && told === null)) return;
  told = shown;
  noticeApi.visible(shown, SCREEN_ID).catch(() => {});
}

/** Reports the visible session, which needs no notifications. */
export function useVisibleSession(session_id: string | undefined): void {
  useEffect(() => {
    const look = (): void =>
      tell(document.visibilityState === 'visible' && session_id !== undefined ? session_id : null);
    look();
    const timer = setInterval(look, AGAIN_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [session_id]);
}
