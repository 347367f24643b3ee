import {
  ActionMenu,
  Button,
  Dialog,
  EmptyState,
  IconButton,
  Notice,
  SessionRow,
  TextField,
  useWords,
} from '@drawbridge/ui';
import { Archive, ArchiveRestore, Pencil, Pin, PinOff, Plus, Radio, Search } from '@drawbridge/ui/icons';
import { useMemo, useState } from 'react';
import { useApp, useAppState, usePreferences } from '../app-context.ts';
import { navigate, sessionPath } from '../route.ts';
import { isWorking } from '../state/activity.ts';
import { toggled } from '../state/preferences.ts';
import { type Group, matches, type Row, sessionRows } from '../state/session-list.ts';

const GROUPS: readonly Group[] = ['needs', 'working', 'quiet'];

export interface SessionListPaneProps {
  readonly chosen: string | undefined;
  readonly onLaunch: () => void;
}

export function SessionListPane({ chosen, onLaunch }: SessionListPaneProps) {
  const words = useWords();
  const state = useAppState((all) => all);
  const preferences = usePreferences();
  const [query, setQuery] = useState('');
  const [hasArchived, setArchived] = useState(false);
  const [renaming, setRenaming] = useState<Row>();
  const rows = useMemo(() => sessionRows(state, preferences), [state, preferences]);
  const found = query.trim() === '' ? rows : rows.filter((row) => matches(row, query.trim()));
  const archived = found.filter(({ group }) => group === 'archived');
  const section = (group: Group) => {
    const own = found.filter((row) => row.group === group);
    return own.length === 0 ? null : (
      <section key={group} aria-label={words.list[group]}>
        <h2
          className={`px-3 pt-3 pb-1 text-meta font-semibold ${group === 'needs' ? 'text-wait' : 'text-quiet'}`}
        >
          {words.list[group]} <span className="tabular-nums">{own.length}</span>
        </h2>
        <Rows rows={own} chosen={chosen} onRename={setRenaming} isByMachine={group === 'quiet'} />
      </section>
    );
  };

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-1 px-3 pt-2 pb-1">
        <label className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-card border border-line bg-surface px-2 text-quiet focus-within:border-accent pointer-coarse:min-h-11">
          <Search size={16} aria-hidden className="shrink-0" />
          <input
            type="search"
            aria-label={words.list.search}
            placeholder={words.list.search}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            className="w-full min-w-0 bg-transparent text-ink outline-none placeholder:text-quiet"
          />
        </label>
        <IconButton label={words.launch.title} icon={<Plus size={20} aria-hidden />} onClick={onLaunch} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-1 pb-4">
        <Launches />
        {GROUPS.map(section)}
        {archived.length > 0 ? (
          <Button
            look="quiet"
            className="mt-2 w-full text-meta text-quiet"
            onClick={() => setArchived(!hasArchived)}
          >
            {hasArchived ? words.list.hideArchived : words.list.showArchived(archived.length)}
          </Button>
        ) : null}
        {hasArchived ? section('archived') : null}
        {rows.length === 0 ? <NoSessions isListed={state.isListed} onLaunch={onLaunch} /> : null}
        {rows.length > 0 && found.length === 0 ? (
          <EmptyState>{words.list.noMatch(query.trim())}</EmptyState>
        ) : null}
      </div>
      {renaming ? <RenameDialog row={renaming} onClose={() => setRenaming(undefined)} /> : null}
    </div>
  );
}

function NoSessions({ isListed, onLaunch }: { readonly isListed: boolean; readonly onLaunch: () => void }) {
  const words = useWords();
  if (!isListed) return <EmptyState>{words.list.loading}</EmptyState>;
  return (
    <EmptyState
      icon={<Radio size={28} aria-hidden />}
      title={words.list.emptyTitle}
      action={
        <Button look="primary" onClick={onLaunch}>
          {words.launch.title}
        </Button>
      }
    >
      {words.list.empty}
    </EmptyState>
  );
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly chosen: string | undefined;
  readonly onRename: (row: Row) => void;
  readonly isByMachine: boolean;
}

function Rows({ rows, chosen, onRename, isByMachine }: RowsProps) {
  const words = useWords();
  const machines = Map.groupBy(rows, ({ session }) => session.machine_label ?? words.list.otherMachine);
  if (!isByMachine || machines.size < 2) return <RowList rows={rows} chosen={chosen} onRename={onRename} />;
  return [...machines].map(([machine, own]) => (
    <section key={machine} aria-label={machine}>
      <h3 className="truncate px-3 pt-1 text-[12px] text-quiet">{machine}</h3>
      <RowList rows={own} chosen={chosen} onRename={onRename} />
    </section>
  ));
}

function RowList({ rows, chosen, onRename }: Omit<RowsProps, 'isByMachine'>) {
  return (
    <ul>
      {rows.map((row) => (
        <SessionRow
          key={row.session_id}
          {...row}
          isWorking={isWorking(row.activity)}
          isChosen={row.session_id === chosen}
          href={sessionPath(row.session_id)}
          onOpen={() => navigate(sessionPath(row.session_id))}
          menu={<RowMenu row={row} onRename={() => onRename(row)} />}
        />
      ))}
    </ul>
  );
}

function RowMenu({ row, onRename }: { readonly row: Row; readonly onRename: () => void }) {
  const words = useWords();
  const { preferences } = useApp();
  const { session_id, isPinned, group } = row;
  const isArchived = group === 'archived';
  return (
    <ActionMenu
      label={words.list.actions(row.name)}
      actions={[
        {
          label: isPinned ? words.list.unpin : words.list.pin,
          icon: isPinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />,
          run: () => preferences.set(({ pinned }) => ({ pinned: toggled(pinned, session_id) })),
        },
        { label: words.list.rename, icon: <Pencil size={16} aria-hidden />, run: onRename },
        {
          label: isArchived ? words.list.unarchive : words.list.archive,
          icon: isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />,
          run: () => preferences.set(({ archived }) => ({ archived: toggled(archived, session_id) })),
        },
      ]}
    />
  );
}

function RenameDialog({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) {
  const words = useWords();
  const { preferences } = useApp();
  const [name, setName] = useState(row.name);
  return (
    <Dialog title={words.list.rename} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          preferences.set(({ names: { [row.session_id]: _, ...names } }) => ({
            names: name.trim() === '' ? names : { ...names, [row.session_id]: name.trim() },
          }));
          onClose();
        }}
      >
        <TextField
          label={words.devices.name}
          hint={words.list.renameHint}
          value={name}
          maxLength={200}
          onChange={({ target }) => setName(target.value)}
        />
        <Button look="primary" type="submit">
          {words.act.save}
        </Button>
      </form>
    </Dialog>
  );
}

/** CHT-195: a launch is here from the moment it was asked for, also after a reload, until it is a session. */
function Launches() {
  const words = useWords();
  const { client } = useApp();
  const launches = useAppState((state) => state.launches);
  return [...launches.values()].map(({ request_id, agent_type, state, reason = '' }) => (
    <Notice
      key={request_id}
      meaning={state === 'failed' ? 'fail' : 'info'}
      className="mx-2 mt-2 rounded-card"
      action={
        state === 'failed' ? (
          <Button className="min-h-8 px-2 text-meta" onClick={() => client.dismissLaunch(request_id)}>
            {words.launch.dismiss}
          </Button>
        ) : null
      }
    >
      {state === 'failed' ? words.launch.failed(agent_type, reason) : words.launch.starting(agent_type)}
    </Notice>
  ));
}
