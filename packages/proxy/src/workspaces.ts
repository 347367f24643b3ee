import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The folders that agents may be started in (CHT-211). */
export interface Workspaces {
  readonly all: readonly string[];
  /** The folder itself, if it is a workspace or lies in one; links are followed first. */
  readonly find: (path: string) => string | undefined;
}

/** Throws when one of them is not there. */
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
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}
