import type { ChatMessage } from '@drawbridge/protocol';
import { isObject } from '@drawbridge/protocol/manifest';
import { mergeMessages, readMessage } from './messages.ts';
import type { SessionPush } from './session-push.ts';
import type { Sessions } from './sessions.ts';

/** State of one session on a server. */
export interface SessionView {
  readonly state: 'loading' | 'there' | 'failed';
  readonly messages: readonly ChatMessage[];
  readonly problem?: string;
}

export interface SessionWatchPorts {
  readonly sessions: Pick<Sessions, 'messages'>;
  readonly push: Pick<SessionPush, 'listen'>;
}

/** Messages of a session, loaded and updated by push (INT-172, INT-173). */
export function watchSession(
  { sessions, push }: SessionWatchPorts,
  sessionId: string,
  onView: (view: SessionView) => void,
) {
  let view: SessionView = { state: 'loading', messages: [] };
  let isClosed = false;
  let isLoading = false;
  let isStale = false;
  const show = (next: SessionView): void => {
    view = next;
    if (!isClosed) onView(view);
  };
  const load = async (): Promise<void> => {
    // A message that arrives during a load may not be in its result.
    isStale = true;
    if (isLoading) return;
    isLoading = true;
    while (isStale && !isClosed) {
      isStale = false;
      try {
        const came = await sessions.messages(sessionId);
        show({ state: 'there', messages: mergeMessages(view.messages, came) });
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        show({ state: 'failed', messages: view.messages, problem });
      }
    }
    isLoading = false;
  };
  const stop = push.listen(sessionId, {
    onNewMessage: (payload) => {
      const message = isObject(payload) ? readMessage(sessionId, payload['message']) : undefined;
      if (message !== undefined) show({ ...view, messages: mergeMessages(view.messages, [message]) });
    },
    onRound: () => void load(),
  });
  void load();
  return {
    /** Loads again after an action that may have no push (INT-174). */
    refresh: (): void => void load(),
    close(): void {
      if (isClosed) return;
      isClosed = true;
      stop();
    },
  };
}
