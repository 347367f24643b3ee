import type { Session } from '@drawbridge/protocol';
import type { OfferedFolder } from '../client/machine-api.ts';

export interface LaunchFolder extends OfferedFolder {
  /** A session was here before. */
  readonly isRecent: boolean;
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

export const isShared = (path: string, shared: readonly OfferedFolder[]): boolean =>
  shared.some((folder) => isBelow(path, folder.path));

/** Folders of a machine: those of its latest sessions first, then the other shared ones. */
export function launchFolders(
  machine_label: string,
  shared: readonly OfferedFolder[],
  sessions: Iterable<Session>,
): readonly LaunchFolder[] {
  const used = [...sessions]
    .filter((session) => session.machine_label === machine_label)
    .toSorted((a, b) => (b.last_seen_at ?? '').localeCompare(a.last_seen_at ?? ''))
    .flatMap(({ workspace_path }) => workspace_path ?? [])
    .filter((path) => isShared(path, shared));
  const paths = new Set([...used, ...shared.map(({ path }) => path)]);
  return [...paths].map((path) => ({
    path,
    ...shared.find((folder) => folder.path === path),
    isRecent: used.includes(path),
  }));
}
