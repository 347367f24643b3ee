import { useEffect } from 'react';
import { newId } from '../client/new-id.ts';
import { noticeApi } from '../client/notice-api.ts';

/** Shorter than the half minute after which the relay takes the screen for gone. */
const AGAIN_MS = 15_000;
const SCREEN_ID = newId();

const mayBeNotified = (): boolean => 'Notification' in globalThis && Notification.permission === 'granted';

/** What the relay believes of this screen. */
let told: string | null = null;

function tell(shown: string | null): void {
  if (!mayBeNotified() || (shown === null && told === null)) return;
  told = shown;
  noticeApi.visible(shown, SCREEN_ID).catch(() => {});
}

/** Says which session somebody looks at: of that one, nobody has to be notified. */
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
