import { ActionMenu, SessionRow, useWords } from '@drawbridge/ui';
import { Archive, ArchiveRestore, Pencil, Pin, PinOff } from '@drawbridge/ui/icons';
import { useId } from 'react';
import { useApp } from '../app-context.ts';
import { isAgentSession } from '../client/demo-watch.ts';
import { navigate, sessionPath } from '../route.ts';
import { isWorking } from '../state/activity.ts';
import { toggled } from '../state/preferences.ts';
import { type MachineGroup, machineGroups, type WorkspaceGroup } from '../state/session-groups.ts';
import type { Row } from '../state/session-list.ts';

interface ListProps {
  readonly rows: readonly Row[];
  readonly chosen: string | undefined;
  readonly onRename: (row: Row) => void;
}

const HEADING = 'flex gap-1 px-3 pt-3 pb-1 text-meta font-semibold';

interface RowGroupProps extends ListProps {
  readonly title: string;
  readonly isUrgent?: boolean;
}

/** A flat group: each row shows its place. */
export function RowGroup({ title, isUrgent = false, ...list }: RowGroupProps) {
  const id = useId();
  if (list.rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 className={`${HEADING} ${isUrgent ? 'text-wait' : 'text-quiet'}`}>
        <span id={id}>{title}</span> <span className="tabular-nums">{list.rows.length}</span>
      </h2>
      <RowList {...list} isPlaced />
    </section>
  );
}

export function MachineList({ rows, ...list }: ListProps) {
  return machineGroups(rows).map((machine) => (
    <MachineSection key={machine.name ?? ''} machine={machine} {...list} />
  ));
}

type SectionProps = Omit<ListProps, 'rows'>;

function MachineSection({ machine, ...list }: SectionProps & { readonly machine: MachineGroup }) {
  const words = useWords();
  const id = useId();
  const { name = words.list.otherMachine, count, workspaces } = machine;
  return (
    <section aria-labelledby={id}>
      <h2 className={`${HEADING} text-ink`}>
        <span id={id} title={name} className="truncate">
          {name}
        </span>{' '}
        <span className="font-normal text-quiet tabular-nums">{count}</span>
      </h2>
      {workspaces.map((workspace) => (
        <WorkspaceSection key={workspace.key} workspace={workspace} machineId={id} {...list} />
      ))}
    </section>
  );
}

interface WorkspaceProps extends SectionProps {
  readonly workspace: WorkspaceGroup;
  readonly machineId: string;
}

function WorkspaceSection({ workspace: { name, path, rows }, machineId, ...list }: WorkspaceProps) {
  const id = useId();
  if (name === undefined) return <RowList rows={rows} {...list} />;
  return (
    <section aria-labelledby={`${id} ${machineId}`}>
      <h3 id={id} title={path || name} className="truncate px-3 pt-1.5 text-[12px] text-quiet">
        {name}
      </h3>
      <RowList rows={rows} {...list} />
    </section>
  );
}

function RowList({ rows, chosen, onRename, isPlaced = false }: ListProps & { readonly isPlaced?: boolean }) {
  return (
    <ul>
      {rows.map((row) => (
        <SessionRow
          key={row.session_id}
          {...row}
          location={isPlaced ? row.location : row.agent === row.name ? '' : row.agent}
          isWorking={isWorking(row.activity)}
          isOwnAgent={isAgentSession(row.session_id)}
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
