import { type LedgerSource, type LedgerTarget, TABLE_NAMES, type Table } from './tables.ts';

export interface CopyProgress {
  readonly table: Table;
  /** Rows copied of this table so far. */
  readonly rows: number;
}

/** Copies every row unchanged; removes the partial copy on failure. */
export async function copyRows(
  source: LedgerSource,
  target: LedgerTarget,
  epoch: string,
  onProgress: (progress: CopyProgress) => void,
): Promise<Record<Table, number>> {
  const copied = noRows();
  try {
    for (const table of TABLE_NAMES) {
      for await (const rows of source.rows(table)) {
        await target.write(table, rows);
        copied[table] += rows.length;
        onProgress({ table, rows: copied[table] });
      }
    }
    await target.finish(epoch);
    return copied;
  } finally {
    await target.close();
  }
}

const noRows = (): Record<Table, number> => ({
  sessions: 0,
  events: 0,
  messages: 0,
  prompts: 0,
  launches: 0,
  devices: 0,
  files: 0,
  audit: 0,
  settings: 0,
  tasks: 0,
  tab_sessions: 0,
});
