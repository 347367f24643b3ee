import { workspaceName } from '@drawbridge/ui/model';
import type { Row } from './session-list.ts';

export interface WorkspaceGroup {
  readonly key: string;
  /** Undefined for sessions without a folder. */
  readonly name: string | undefined;
  /** The full path, if known. */
  readonly path: string;
  readonly rows: readonly Row[];
}

export interface MachineGroup {
  /** Undefined for sessions of unknown machines. */
  readonly name: string | undefined;
  readonly count: number;
  readonly workspaces: readonly WorkspaceGroup[];
}

/** Groups by machine, then by workspace. Only a pin moves a group. */
export function machineGroups(rows: readonly Row[]): readonly MachineGroup[] {
  const machines = Map.groupBy(rows, ({ session }) => session.machine_label?.trim() ?? '');
  return [...machines]
    .map(([name, own]) => ({
      name: name || undefined,
      count: own.length,
      workspaces: workspaceGroups(own),
      rows: own,
    }))
    .toSorted((a, b) => pinnedFirst(a, b) || missingLast(a, b))
    .map(({ rows: _, ...machine }) => machine);
}

function workspaceGroups(rows: readonly Row[]): readonly WorkspaceGroup[] {
  const folders = Map.groupBy(rows, ({ session }) => session.workspace_path ?? workspaceName(session) ?? '');
  const groups = [...folders].map(([key, own]) => {
    const session = own[0]?.session;
    return { key, name: session && workspaceName(session), path: session?.workspace_path ?? '', rows: own };
  });
  const names = Map.groupBy(groups, ({ name }) => name);
  return groups
    .map((group) => ((names.get(group.name)?.length ?? 0) > 1 ? { ...group, name: longName(group) } : group))
    .toSorted((a, b) => pinnedFirst(a, b) || missingLast(a, b) || a.key.localeCompare(b.key));
}

/** With the parent folder, for two folders of one name. */
const longName = ({ name, path }: WorkspaceGroup): string | undefined =>
  path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .slice(-2)
    .join('/') || name;

type Named = { readonly name: string | undefined; readonly rows: readonly Row[] };
const hasPin = ({ rows }: Named): boolean => rows.some(({ isPinned }) => isPinned);
const pinnedFirst = (a: Named, b: Named): number => Number(hasPin(b)) - Number(hasPin(a));
const missingLast = ({ name: a }: Named, { name: b }: Named): number =>
  Number(a === undefined) - Number(b === undefined) || (a ?? '').localeCompare(b ?? '');
