import type { Ledger } from '../../ledger/ledger.ts';
import type { AuditRecord } from '../../ledger/records.ts';

export interface AuditWishes {
  /** Entries before this number, at most so many. */
  readonly before: number;
  readonly limit: number;
  /** `machine`: whatever was done where the relay runs. */
  readonly device?: string | undefined;
  readonly action?: string | undefined;
  /** A session, a device, a tab: the subject itself, or named in the details. */
  readonly subject?: string | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

const PAGE = 1_000;
/** One answer looks through so many; whoever asks goes on from `next`. */
const MOST_READ = 20_000;

/** The newest entries that fit, and where to go on; `next` is null at the log's end. */
export async function searchAudit(
  ledger: Pick<Ledger, 'auditBefore'>,
  wishes: AuditWishes,
): Promise<{ readonly audit: readonly AuditRecord[]; readonly next: number | null }> {
  const { limit, from = Number.NEGATIVE_INFINITY } = wishes;
  const found: AuditRecord[] = [];
  let { before } = wishes;
  for (let read = 0; read < MOST_READ; read += PAGE) {
    const page = await ledger.auditBefore(before, PAGE);
    for (const entry of page) {
      if (entry.at < from) return { audit: found, next: null };
      if (found.length === limit) return { audit: found, next: before };
      if (fits(entry, wishes)) found.push(entry);
      before = entry.number;
    }
    if (page.length < PAGE) return { audit: found, next: null };
  }
  return { audit: found, next: before };
}

function fits(entry: AuditRecord, { device, action, subject, until }: AuditWishes): boolean {
  return (
    (until === undefined || entry.at < until) &&
    (device === undefined || (entry.device_id ?? 'machine') === device) &&
    (action === undefined || entry.action === action) &&
    (subject === undefined ||
      entry.subject === subject ||
      JSON.stringify(entry.detail ?? '').includes(JSON.stringify(subject)))
  );
}
