import { DatabaseSync } from 'node:sqlite';
import { CHECKED_COLUMNS } from '../../src/sqlite/row-check.ts';

/** All rows of a ledger file. */
export function ledgerContents(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = ['events', ...Object.keys(CHECKED_COLUMNS)];
  const rows = tables.map((table) =>
    JSON.stringify(database.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()),
  );
  database.close();
  return rows;
}
