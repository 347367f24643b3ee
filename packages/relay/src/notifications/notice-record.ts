import type { Ledger } from '@drawbridge/ledger';
import { isObject } from '@drawbridge/protocol/manifest';
import { trustJson } from '../core/frames.ts';
import type { NoticeRow } from './notice.ts';

export interface NoticeRecordOptions {
  readonly ledger: Pick<Ledger, 'setting' | 'commit'>;
  /** Key of the setting that stores the record. */
  readonly key: string;
  readonly onError: (error: unknown) => void;
}

/** The latest notifications of one device or webhook, and their outcomes. */
export type NoticeRecord = Awaited<ReturnType<typeof openNoticeRecord>>;

const ROWS_KEPT = 100;

export async function openNoticeRecord(options: NoticeRecordOptions) {
  const { ledger, key, onError } = options;
  const rows = new Map(parseRows(await ledger.setting(key)).map((row) => [row.notice_id, row]));
  let saving: Promise<void> | undefined;
  let isStale = false;
  let isClosed = false;

  /** One write at a time; changes during a write go with the next. */
  const save = async (): Promise<void> => {
    while (isStale) {
      isStale = false;
      const value = trustJson([...rows.values()]);
      await ledger.commit([{ do: 'put_setting', key, value }]).catch(onError);
    }
    saving = undefined;
  };

  return {
    /** Newest first. */
    rows: (): readonly NoticeRow[] => [...rows.values()].reverse(),
    find: (notice_id: string): NoticeRow | undefined => rows.get(notice_id),
    /** Replaces the row, or adds it as the newest. */
    put(row: NoticeRow): void {
      rows.set(row.notice_id, row);
      const [oldest] = rows.keys();
      if (rows.size > ROWS_KEPT && oldest !== undefined) rows.delete(oldest);
      if (isClosed) return;
      isStale = true;
      saving ??= save();
    },
    /** `drop` deletes the record from the ledger, `close` leaves it there; neither writes afterwards. */
    async drop(): Promise<void> {
      isClosed = true;
      await saving;
      await ledger.commit([{ do: 'put_setting', key, value: null }]);
    },
    async close(): Promise<void> {
      isClosed = true;
      await saving;
    },
  };
}

function parseRows(value: unknown): readonly NoticeRow[] {
  if (!Array.isArray(value)) return [];
  return value.filter((row) => isObject(row) && typeof row['notice_id'] === 'string') as NoticeRow[];
}
