import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Folders in which agents may start (CHT-211). */
export interface Workspaces {
  readonly all: readonly string[];
  /** The resolved folder, if it is in a workspace. */
  readonly find: (path: string) => string | undefined;
}

/** Throws if a folder is missing. */
export function openWorkspaces(paths: readonly string[]): Workspaces {
  const all = paths.map((path) => realpathSync(path));
  return {
    all,
    find: (path) => {
      const real = realOf(path);
      return real !== undefined && all.some((workspace) => isWithin(workspace, real)) ? real : undefined;
    },
  };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(folder: string, path: string): boolean {
  const relativePath = relative(folder, path);
  return (
    relativePath === '' ||
    (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !relativePath.startsWith(sep))
  );
}
