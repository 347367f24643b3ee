import { isObject } from '@drawbridge/protocol/manifest';
import { parseJson } from '../core/frames.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NoticeRow } from './notice.ts';

export interface NoticeRecordOptions {
  readonly ledger: Pick<Ledger, 'setting' | 'commit'>;
  /** Of the setting that holds it. */
  readonly key: string;
  readonly onFault: (error: unknown) => void;
}

/** What was said to one device or webhook, and what became of it; the latest. */
export interface NoticeRecord {
  /** The newest first. */
  readonly rows: () => readonly NoticeRow[];
  readonly find: (notice_id: string) => NoticeRow | undefined;
  /** In its place, or as the newest. */
  readonly put: (row: NoticeRow) => void;
  /** Takes it out of the ledger, or leaves it there as it is: either way nothing is written after that. */
  readonly drop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const ROWS_KEPT = 100;

export async function openNoticeRecord(options: NoticeRecordOptions): Promise<NoticeRecord> {
  const { ledger, key, onFault } = options;
  const rows = new Map(parseRows(await ledger.setting(key)).map((row) => [row.notice_id, row]));
  let saving: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;

  /** One write at a time, and what changes meanwhile goes with the next. */
  const save = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      const value = parseJson([...rows.values()]);
      await ledger.commit([{ do: 'put_setting', key, value }]).catch(onFault);
    }
    saving = undefined;
  };

  return {
    rows: () => [...rows.values()].reverse(),
    find: (notice_id) => rows.get(notice_id),
    put(row) {
      rows.set(row.notice_id, row);
      const [oldest] = rows.keys();
      if (rows.size > ROWS_KEPT && oldest !== undefined) rows.delete(oldest);
      if (isClosed) return;
      isStale = true;
      saving ??= save();
    },
    async drop() {
      isClosed = true;
      await saving;
      await ledger.commit([{ do: 'put_setting', key, value: null }]);
    },
    async close() {
      isClosed = true;
      await saving;
    },
  };
}

/** As they were written here. */
function parseRows(value: unknown): readonly NoticeRow[] {
  if (!Array.isArray(value)) return [];
  return value.filter((row) => isObject(row) && typeof row['notice_id'] === 'string') as NoticeRow[];
}
