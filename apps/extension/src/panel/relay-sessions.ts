import type { InteractServer } from '../interact/interact-server.ts';
import type { SessionPush } from '../interact/session-push.ts';
import { watchSession } from '../interact/session-watch.ts';
import { createSessions } from '../interact/sessions.ts';
import type { Pairing } from '../wire.ts';
import type { SessionsPort } from './sessions-port.ts';

/** Loads the push client lazily: it is not in the panel's first bundle. */
function latePush(server: InteractServer): SessionPush {
  let isClosed = false;
  const there = import('../interact/session-push.ts').then(
    ({ createSessionPush }) => (isClosed ? undefined : createSessionPush({ server })),
    () => undefined,
  );
  return {
    listen(sessionId, listener) {
      let isOver = false;
      const stop = there.then((push) => (isOver ? undefined : push?.listen(sessionId, listener)));
      return () => {
        isOver = true;
        void stop.then((end) => end?.());
      };
    },
    close() {
      isClosed = true;
      void there.then((push) => push?.close());
    },
  };
}

/** The relay's sessions over its API, updated by push. */
export function openSessions({ url, token }: Pairing): SessionsPort {
  const server: InteractServer = { url, token, fetch: (...asked) => fetch(...asked) };
  const sessions = createSessions(server);
  const push = latePush(server);
  return {
    byDomain: sessions.byDomain,
    rename: sessions.rename,
    model: sessions.model,
    watch: (sessionId, onView) => watchSession({ sessions, push }, sessionId, onView),
    close: push.close,
  };
}
