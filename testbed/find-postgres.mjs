// Plain JavaScript on Node's built-ins: the start and test scripts call this on Node 20, before anything is
// installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

export const OLDEST_POSTGRES = 15;

const DEBIAN = '/usr/lib/postgresql';

/**
 * The folder with PostgreSQL's programs: `POSTGRES_BIN`, then Debian's folders, the newest first, then PATH.
 *
 * @param {Environment} [env]
 * @param {string} [debian] where Debian puts its versions
 * @returns {string | undefined}
 */
export function findPostgres(env = process.env, debian = DEBIAN) {
  const chosen = env.POSTGRES_BIN;
  if (chosen) {
    if (isUsable(chosen)) return chosen;
    throw new Error(
      `POSTGRES_BIN is ${chosen}, but no initdb and postgres of version ${OLDEST_POSTGRES} or later are there. Point it at their folder, or unset it to search the usual places.`,
    );
  }
  const path = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...debianFolders(debian), ...path].find(isUsable);
}

/** @param {string} debian */
function debianFolders(debian) {
  if (!existsSync(debian)) return [];
  return readdirSync(debian)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => join(debian, name, 'bin'));
}

/** @param {string} folder */
function isUsable(folder) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  if (!['initdb', 'postgres'].every((name) => existsSync(join(folder, name + suffix)))) return false;
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
  const version = /(\d+)(\.|devel|beta|rc|\s|$)/.exec(stdout ?? '');
  return version !== null && Number(version[1]) >= OLDEST_POSTGRES;
}
