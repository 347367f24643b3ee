import type { ChatLink } from '@drawbridge/link/chat';
import type { Store } from '../state/store.ts';

/** How long closing a session can be undone. */
const UNDO_MS = 5_000;

export function createClosings(link: Pick<ChatLink, 'request'>, store: Pick<Store, 'put'>) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const forget = (session_id: string): void => {
    clearTimeout(timers.get(session_id));
    timers.delete(session_id);
    store.put({ type: 'closing', session_id });
  };
  const ask = (session_id: string): void => {
    store.put({ type: 'closing', session_id, closing: { state: 'asked' } });
    link.request({ type: 'close_session', session_id }).then(
      () => forget(session_id),
      (error: unknown) => {
        timers.delete(session_id);
        const reason = error instanceof Error ? error.message : '';
        store.put({ type: 'closing', session_id, closing: { state: 'failed', reason } });
      },
    );
  };
  return {
    /** Closes after a delay, unless undone. A page that unloads first closes nothing. */
    start(session_id: string): void {
      if (timers.has(session_id)) return;
      store.put({ type: 'closing', session_id, closing: { state: 'waiting' } });
      timers.set(
        session_id,
        setTimeout(() => ask(session_id), UNDO_MS),
      );
    },
    undo: forget,
    end(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
