import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../command.ts';
import { refusePassword } from '../secret-arguments.ts';

const POSTGRES = /^postgres(ql)?:\/\//;

/** A database URL, a ledger file, or the file in a data folder. */
export function readLocation(option: string, said: string | undefined): string {
  if (said === undefined || said === '')
    throw new UsageError(`${option} is missing: a file, a relay's folder or postgres://…`);
  if (POSTGRES.test(said)) {
    refusePassword(option, said, { instead: 'PGPASSWORD' });
    if (!URL.canParse(said))
      throw new UsageError(`${option} is no address such as postgres://user@host:5432/database.`);
    return said;
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(said))
    throw new UsageError(`${option} takes a file, a folder or postgres://…`);
  const path = resolve(said);
  return existsSync(path) && statSync(path).isDirectory() ? join(path, 'ledger.db') : path;
}

/** Removes user, password and options of a URL for display. */
export function locationWords(location: string): string {
  if (!POSTGRES.test(location)) return location;
  const { host, pathname } = new URL(location);
  return `postgres://${host}${pathname}`;
}
