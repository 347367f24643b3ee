import { Button, Notice, SessionRow, useWords } from '@drawbridge/ui';
import { useEffect, useId, useState } from 'react';
import { useApp, usePreferences } from '../app-context.ts';
import type { ClosedSession } from '../client/api.ts';
import { problemText } from '../client/request.ts';
import { navigate, sessionPath } from '../route.ts';

/** Loaded when a person asks for it: most lists are read without. */
export function useClosedSessions(isWanted: boolean) {
  const words = useWords();
  const { api } = useApp();
  const [closed, setClosed] = useState<readonly ClosedSession[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!isWanted) return;
    let isOver = false;
    api.closedSessions().then(
      (found) => {
        if (!isOver) setClosed(found);
      },
      (error: unknown) => {
        if (!isOver) setProblem(problemText(error, words.fault.relay));
      },
    );
    return () => {
      isOver = true;
    };
  }, [isWanted, api, words]);
  return { closed, problem };
}

const placeOf = ({ agent_name, agent_type, machine_label, workspace_path }: ClosedSession): string =>
  [agent_name ?? agent_type, machine_label, workspace_path?.split(/[/\\]/).at(-1)]
    .filter(Boolean)
    .join(' · ');

/** Sessions that are over, at the end of the list. */
export function ClosedList({ chosen }: { readonly chosen: string | undefined }) {
  const words = useWords();
  const { names } = usePreferences();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { closed, problem } = useClosedSessions(isOpen);
  return (
    <>
      <Button
        look="quiet"
        className="mt-2 w-full text-meta text-quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? words.list.hideClosed : words.list.showClosed}
      </Button>
      {isOpen && problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {isOpen && closed !== undefined ? (
        <section aria-labelledby={id}>
          <h2 className="flex gap-1 px-3 pt-1 pb-1 text-meta font-semibold text-quiet">
            <span id={id}>{words.list.closed}</span> <span className="tabular-nums">{closed.length}</span>
          </h2>
          <ul>
            {closed.map((session) => {
              const { session_id, name, closed_at } = session;
              return (
                <SessionRow
                  key={session_id}
                  name={names[session_id] ?? name}
                  location={placeOf(session)}
                  {...{ line: '', unread: 0, waits: 0, menu: null, activity: undefined }}
                  {...{ isPinned: false, isAway: false, isWorking: false }}
                  at={closed_at ?? 0}
                  isChosen={session_id === chosen}
                  href={sessionPath(session_id)}
                  onOpen={() => navigate(sessionPath(session_id))}
                />
              );
            })}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** Below a closed conversation, in place of the composer. */
export function ClosedBar({ session }: { readonly session: ClosedSession | undefined }) {
  const words = useWords();
  const { client } = useApp();
  const [isStarting, setStarting] = useState(false);
  const { agent_type, machine_label, workspace_path } = session ?? {};
  const canStart = agent_type !== undefined && agent_type !== 'unknown' && machine_label !== undefined;
  const start = async (): Promise<void> => {
    if (!canStart) return;
    setStarting(true);
    const launched = await client.launch({
      agent_type,
      machine_label,
      ...(workspace_path && { workspace_path }),
    });
    setStarting(false);
    // A refused launch is shown in the list, with its reason.
    navigate(launched === undefined ? '/' : sessionPath(launched));
  };
  return (
    <Notice
      meaning="info"
      action={
        canStart ? (
          <Button
            className="min-h-8 shrink-0 px-3 text-meta"
            disabled={isStarting}
            onClick={() => void start()}
          >
            {words.session.startAgain}
          </Button>
        ) : null
      }
    >
      {words.session.closed}
    </Notice>
  );
}
