import { ActionMenu, agentName, Button, Confirm, Notice, SessionRow, useWords } from '@drawbridge/ui';
import { Archive, ArchiveRestore, Pencil, Trash2 } from '@drawbridge/ui/icons';
import { useEffect, useId, useState } from 'react';
import { isAtHome, useApp, usePreferences } from '../app-context.ts';
import type { ClosedSession } from '../client/api.ts';
import { problemText } from '../client/request.ts';
import { navigate, sessionPath } from '../route.ts';
import { toggled } from '../state/preferences.ts';

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
        if (!isOver) setProblem(problemText(error, words));
      },
    );
    return () => {
      isOver = true;
    };
  }, [isWanted, api, words]);
  const forget = (session_id: string): void =>
    setClosed((known) => known?.filter((each) => each.session_id !== session_id));
  return { closed, problem, forget };
}

const placeOf = ({ agent_name, agent_type, machine_label, workspace_path }: ClosedSession): string =>
  [agent_type && agentName({ agent_type, agent_name }), machine_label, workspace_path?.split(/[/\\]/).at(-1)]
    .filter(Boolean)
    .join(' · ');

export interface ClosedListProps {
  readonly chosen: string | undefined;
  readonly onRename: (session: { readonly session_id: string; readonly name: string }) => void;
}

/** Sessions that are over, at the end of the list. */
export function ClosedList({ chosen, onRename }: ClosedListProps) {
  const words = useWords();
  const { api } = useApp();
  const { names, archived } = usePreferences();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [hasArchived, setArchived] = useState(false);
  const [deleting, setDeleting] = useState<{ readonly session_id: string; readonly name: string }>();
  const [refused, setRefused] = useState<string>();
  const { closed, problem = refused, forget } = useClosedSessions(isOpen);
  const put = closed?.filter(({ session_id }) => archived.includes(session_id)) ?? [];
  const shown = hasArchived ? closed : closed?.filter((session) => !put.includes(session));
  const remove = (session_id: string): void => {
    setRefused(undefined);
    api.deleteSession(session_id).then(
      () => {
        forget(session_id);
        if (session_id === chosen) navigate('/');
      },
      (error: unknown) => setRefused(problemText(error, words)),
    );
  };
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
      {isOpen && shown !== undefined ? (
        <section aria-labelledby={id}>
          <h2 className="flex gap-1 px-3 pt-1 pb-1 text-meta font-semibold text-quiet">
            <span id={id}>{words.list.closed}</span> <span className="tabular-nums">{shown.length}</span>
          </h2>
          <ul>
            {shown.map((session) => {
              const { session_id, closed_at } = session;
              const row = { session_id, name: names[session_id] ?? session.name };
              return (
                <SessionRow
                  key={session_id}
                  name={row.name}
                  location={placeOf(session)}
                  {...{ line: '', unread: 0, waits: 0, activity: undefined }}
                  {...{ isPinned: false, isAway: false, isWorking: false }}
                  at={closed_at ?? 0}
                  isChosen={session_id === chosen}
                  href={sessionPath(session_id)}
                  onOpen={() => navigate(sessionPath(session_id))}
                  menu={
                    <ClosedMenu
                      name={row.name}
                      session_id={session_id}
                      onRename={() => onRename(row)}
                      onDelete={() => setDeleting(row)}
                    />
                  }
                />
              );
            })}
          </ul>
          {put.length > 0 ? (
            <Button
              look="quiet"
              className="w-full text-meta text-quiet"
              onClick={() => setArchived(!hasArchived)}
            >
              {hasArchived ? words.list.hideArchived : words.list.showArchived(put.length)}
            </Button>
          ) : null}
        </section>
      ) : null}
      {deleting ? (
        <Confirm
          title={words.session.deleteAsk(deleting.name)}
          says={words.session.deleteSays}
          action={words.session.delete}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => remove(deleting.session_id)}
        />
      ) : null}
    </>
  );
}

interface ClosedMenuProps {
  readonly name: string;
  readonly session_id: string;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function ClosedMenu({ name, session_id, onRename, onDelete }: ClosedMenuProps) {
  const words = useWords();
  const { preferences, me } = useApp();
  const isArchived = usePreferences().archived.includes(session_id);
  return (
    <ActionMenu
      label={words.list.actions(name)}
      actions={[
        { label: words.list.rename, icon: <Pencil size={16} aria-hidden />, run: onRename },
        {
          label: isArchived ? words.list.unarchive : words.list.archive,
          icon: isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />,
          run: () => preferences.set(({ archived }) => ({ archived: toggled(archived, session_id) })),
        },
        ...(isAtHome(me)
          ? [
              {
                label: words.session.delete,
                icon: <Trash2 size={16} aria-hidden />,
                isDanger: true,
                run: onDelete,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Below a closed conversation, in place of the composer. */
export function ClosedBar({ session }: { readonly session: ClosedSession | undefined }) {
  const words = useWords();
  const { client, me } = useApp();
  const [isStarting, setStarting] = useState(false);
  const { agent_type, machine_label, workspace_path } = session ?? {};
  const canStart =
    isAtHome(me) && agent_type !== undefined && agent_type !== 'unknown' && machine_label !== undefined;
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
