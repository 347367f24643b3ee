import type { TabSession } from '@drawbridge/protocol';
import { Button, EmptyState, IconButton, Notice, TextField, useWords } from '@drawbridge/ui';
import { Pencil, Plus } from '@drawbridge/ui/icons';
import { useEffect, useState } from 'react';
import type { FrontTab } from '../wire.ts';
import type { Approvals } from './approval/approvals-fold.ts';
import { problemOf } from './page-context.ts';
import { type ListedSession, sessionGroups } from './session-groups.ts';
import type { SessionsPort } from './sessions-port.ts';
import { hostOf } from './tab-bar.tsx';
import { useCommand } from './use-command.ts';
import { usePanelWords } from './words/use-panel-words.ts';

export interface SessionListProps {
  readonly tab: FrontTab;
  readonly current: string | undefined;
  readonly approvals: Approvals;
  readonly sessions: SessionsPort;
  readonly onChosen: () => void;
}

/** Conversations in the relay, by site. */
export function SessionList({ tab, current, approvals, sessions, onChosen }: SessionListProps) {
  const words = usePanelWords();
  const { run, doing, problem } = useCommand();
  const [latest, setLatest] = useState<TabSession>();
  const [isOffline, setOffline] = useState(false);
  const domain = URL.canParse(tab.url) ? new URL(tab.url).hostname : undefined;
  useEffect(() => {
    if (!domain) return;
    sessions.byDomain(domain).then(
      (found) => setLatest(found),
      () => setOffline(true),
    );
  }, [domain, sessions]);
  const groups = sessionGroups(approvals.sessions.values(), latest, domain);
  const use = (sessionId: string | null): void =>
    void run({ do: 'use_session', tabId: tab.tabId, sessionId }).then((isDone) => isDone && onChosen());
  return (
    <div className="flex flex-col gap-3 p-3">
      {problem ? <Notice meaning="fail">{problem}</Notice> : null}
      {isOffline ? <Notice meaning="wait">{words.sessions.offline}</Notice> : null}
      <Button icon={<Plus size={16} aria-hidden />} disabled={doing !== undefined} onClick={() => use(null)}>
        {words.sessions.fresh}
      </Button>
      {groups.length === 0 && !isOffline ? <EmptyState>{words.sessions.empty}</EmptyState> : null}
      {groups.map(({ domain: site, sessions: members }) => (
        <section key={site ?? ''} aria-label={site ? words.sessions.here(site) : words.sessions.elsewhere}>
          <h2 className="mb-1 text-meta font-semibold text-quiet">{site ?? words.sessions.elsewhere}</h2>
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {members.map((session) => (
              <SessionItem
                key={session.sessionId}
                session={session}
                isCurrent={session.sessionId === current}
                isBusy={doing !== undefined}
                onUse={() => use(session.sessionId)}
                rename={(title) => sessions.rename(session.sessionId, title)}
              />
            ))}
          </ul>
        </section>
      ))}
      <p className="sr-only">{hostOf(tab.url)}</p>
    </div>
  );
}

interface SessionItemProps {
  readonly session: ListedSession;
  readonly isCurrent: boolean;
  readonly isBusy: boolean;
  readonly onUse: () => void;
  readonly rename: (title: string) => Promise<void>;
}

function SessionItem({ session, isCurrent, isBusy, onUse, rename }: SessionItemProps) {
  const ui = useWords();
  const words = usePanelWords();
  const [name, setName] = useState<string>();
  const [renamed, setRenamed] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const title = renamed ?? session.title;
  // The group title already shows the site.
  const shown = title.startsWith(`${session.domain}: `) ? title.slice(`${session.domain}: `.length) : title;
  const save = (): void => {
    const wanted = name?.trim() ?? '';
    if (wanted === '') return;
    rename(wanted).then(
      () => {
        setRenamed(wanted);
        setName(undefined);
        setProblem(undefined);
      },
      (error: unknown) => setProblem(problemOf(error, words)),
    );
  };
  if (name !== undefined) {
    return (
      <li className="p-2">
        <form
          className="flex flex-col gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <TextField
            label={words.sessions.name}
            value={name}
            maxLength={500}
            autoFocus
            onChange={({ target }) => setName(target.value)}
          />
          {problem ? <p className="text-meta text-fail">{problem}</p> : null}
          <div className="flex justify-end gap-2">
            <Button onClick={() => setName(undefined)}>{ui.act.cancel}</Button>
            <Button look="primary" type="submit" disabled={name.trim() === ''}>
              {ui.act.save}
            </Button>
          </div>
        </form>
      </li>
    );
  }
  return (
    <li className="flex items-center">
      <button
        type="button"
        disabled={isBusy}
        aria-current={isCurrent || undefined}
        title={words.sessions.use}
        onClick={onUse}
        className="min-h-11 min-w-0 flex-1 px-3 py-1.5 text-start hover:bg-sunken"
      >
        <span className="line-clamp-2 [overflow-wrap:anywhere]" dir="auto">
          {shown}
        </span>
        {isCurrent ? <span className="text-meta text-accent">{words.sessions.current}</span> : null}
      </button>
      <IconButton
        label={words.sessions.rename(title)}
        icon={<Pencil size={15} aria-hidden />}
        onClick={() => setName(title)}
      />
    </li>
  );
}
