import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { backUpSqliteFile, verifySqliteFile } from '@drawbridge/ledger';

export interface FolderCopy {
  readonly path: string;
  readonly sessions: number;
  readonly events: number;
}

/**
 * The ledger is copied separately; the others belong to a running program, are large, or can be made again.
 */
const LEFT_BEHIND = /^(?:ledger\.db|bridge\.json$|relay\.log|profiles$|extension$)/;

export async function backUpFolder(data: string, to: string): Promise<FolderCopy> {
  const path = resolve(to);
  if (`${path}${sep}`.startsWith(`${data}${sep}`))
    throw new Error(`${path} is inside the folder to copy. Name one elsewhere.`);
  const ledger = join(data, 'ledger.db');
  if (!existsSync(ledger))
    throw new Error(`There is no ledger in ${data}. Name the relay's folder with --data.`);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if ((await readdir(path)).length > 0)
    throw new Error(`${path} already exists. A backup never overwrites: name a new folder.`);
  // The ledger first: files it names are then copied, and later ones are unknown to it.
  backUpSqliteFile(ledger, join(path, 'ledger.db'));
  await cp(data, path, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) => !LEFT_BEHIND.test(relative(data, file)),
  });
  const { sessions, events, damage } = verifySqliteFile(join(path, 'ledger.db'));
  if (damage === undefined) return { path, sessions, events };
  throw new Error(
    `The copy is damaged at ${damage.where}: ${damage.problem} Run drawbridge doctor on the original.`,
  );
}
