import { Button, Notice, sessionName, useWords } from '@drawbridge/ui';
import { useApp, useAppState, usePreferences } from '../app-context.ts';

/** Sessions about to close, on every screen, with Undo. */
export function ClosedNotices() {
  const words = useWords();
  const { client } = useApp();
  const closings = useAppState((state) => state.closings);
  const sessions = useAppState((state) => state.sessions);
  const { names } = usePreferences();
  if (closings.size === 0) return null;
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-20 z-30 mx-auto flex max-w-md flex-col gap-2 px-3">
      {[...closings].map(([session_id, { state, reason = '' }]) => {
        const session = sessions.get(session_id);
        const name = names[session_id] ?? (session ? sessionName(session) : '');
        const says = {
          waiting: words.session.closesSoon(name),
          asked: words.session.closing(name),
          failed: words.session.notClosed(name, reason),
        }[state];
        return (
          <Notice
            key={session_id}
            meaning={state === 'failed' ? 'fail' : 'info'}
            className="pointer-events-auto items-center rounded-card border border-line-strong bg-surface! text-ink! shadow-lg"
            action={
              state === 'asked' ? null : (
                <Button
                  className="min-h-8 shrink-0 px-3 text-meta"
                  onClick={() => client.keepSession(session_id)}
                >
                  {state === 'failed' ? words.act.dismiss : words.act.undo}
                </Button>
              )
            }
          >
            {says}
          </Notice>
        );
      })}
    </div>
  );
}
