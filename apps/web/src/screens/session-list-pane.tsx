import { Button, Dialog, EmptyState, IconButton, Notice, TextField, useWords } from '@drawbridge/ui';
import { Plus, Radio, Search } from '@drawbridge/ui/icons';
import { useMemo, useRef, useState } from 'react';
import { isAtHome, useApp, useAppState, usePreferences } from '../app-context.ts';
import { type Group, matches, type Row, sessionRows } from '../state/session-list.ts';
import { ClosedList } from './closed-sessions.tsx';
import { DemoButton, DemoHint, useDemo } from './demo-button.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { FoundMessages, useFoundMessages } from './found-messages.tsx';
import { MachineList, RowGroup } from './session-groups.tsx';
import { useHeldOrder } from './use-held-order.ts';

const isThere = ({ group }: Row): boolean => group !== 'archived';

export interface SessionListPaneProps {
  readonly chosen: string | undefined;
  /** The first steps are beside the list. */
  readonly isDesk: boolean;
  readonly onLaunch: () => void;
}

export function SessionListPane({ chosen, isDesk, onLaunch }: SessionListPaneProps) {
  const words = useWords();
  const { me } = useApp();
  const state = useAppState((all) => all);
  const preferences = usePreferences();
  const [query, setQuery] = useState('');
  const [hasArchived, setArchived] = useState(false);
  const [renaming, setRenaming] = useState<Named>();
  const sorted = useMemo(() => sessionRows(state, preferences, words), [state, preferences, words]);
  const pane = useRef<HTMLDivElement>(null);
  const rows = useHeldOrder(pane, sorted, preferences);
  const isEmpty = rows.every(({ group }) => group === 'task');
  const hasFirstSteps = useFirstSteps();
  const isSearch = query.trim() !== '';
  const messages = useFoundMessages(query.trim());
  const isFoundInMessages =
    typeof messages === 'object' ? messages.hits.length > 0 : messages === 'searching';
  const names = new Map(rows.map(({ session_id, name }) => [session_id, name]));
  const found = isSearch ? rows.filter((row) => matches(row, query.trim())) : rows;
  const own = (group: Group) => found.filter((row) => row.group === group);
  const archived = own('archived');
  const list = { chosen, onRename: setRenaming };

  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex items-center gap-1 px-3 pt-2 pb-1">
        <label className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-card border border-line bg-surface px-2 text-quiet focus-within:border-accent pointer-coarse:min-h-11">
          <Search size={16} aria-hidden className="shrink-0" />
          <input
            type="search"
            aria-label={words.list.search}
            placeholder={words.list.searchShort}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            className="w-full min-w-0 bg-transparent text-ink outline-none placeholder:text-quiet"
          />
        </label>
        {isAtHome(me) ? (
          <IconButton label={words.launch.title} icon={<Plus size={20} aria-hidden />} onClick={onLaunch} />
        ) : null}
      </div>
      <div ref={pane} className="min-h-0 flex-1 overflow-y-auto px-1 pb-4">
        <DemoHint />
        <Launches />
        {isSearch ? (
          <RowGroup title={words.list.found} rows={found.filter(isThere)} {...list} />
        ) : (
          <>
            <RowGroup title={words.list.needs} rows={own('needs')} isUrgent {...list} />
            <MachineList rows={[...own('working'), ...own('quiet')]} {...list} />
          </>
        )}
        {isSearch ? <FoundMessages found={messages} names={names} /> : null}
        {archived.length > 0 ? (
          <Button
            look="quiet"
            className="mt-2 w-full text-meta text-quiet"
            onClick={() => setArchived(!hasArchived)}
          >
            {hasArchived ? words.list.hideArchived : words.list.showArchived(archived.length)}
          </Button>
        ) : null}
        {hasArchived ? <RowGroup title={words.list.archived} rows={archived} {...list} /> : null}
        {isEmpty && !isSearch ? <NoSessions isListed={state.isListed} onLaunch={onLaunch} /> : null}
        {hasFirstSteps && state.isListed && !isSearch && !isDesk ? (
          <div className="px-2 pt-3">
            <FirstSteps onLaunch={onLaunch} />
          </div>
        ) : null}
        {isSearch && found.length === 0 && !isFoundInMessages ? (
          <EmptyState>{words.list.noMatch(query.trim())}</EmptyState>
        ) : null}
        {isSearch || !state.isListed ? null : <ClosedList chosen={chosen} onRename={setRenaming} />}
      </div>
      {renaming ? <RenameDialog row={renaming} onClose={() => setRenaming(undefined)} /> : null}
    </div>
  );
}

function NoSessions({ isListed, onLaunch }: { readonly isListed: boolean; readonly onLaunch: () => void }) {
  const words = useWords();
  const { me } = useApp();
  const { isThere: hasDemo } = useDemo();
  if (!isListed) return <EmptyState>{words.list.loading}</EmptyState>;
  return (
    <EmptyState
      icon={<Radio size={28} aria-hidden />}
      title={words.list.emptyTitle}
      action={
        <>
          {hasDemo ? <DemoButton look="primary" /> : null}
          {isAtHome(me) ? (
            <Button look={hasDemo ? 'quiet' : 'primary'} onClick={onLaunch}>
              {words.launch.title}
            </Button>
          ) : null}
        </>
      }
    >
      {isAtHome(me) ? (hasDemo ? words.demo.empty : words.list.empty) : words.list.emptyGuest}
    </EmptyState>
  );
}

type Named = Pick<Row, 'session_id' | 'name'>;

function RenameDialog({ row, onClose }: { readonly row: Named; readonly onClose: () => void }) {
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
          label={words.list.name}
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

/** CHT-195: shows a launch from its request until it is a session, also after a reload. */
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
