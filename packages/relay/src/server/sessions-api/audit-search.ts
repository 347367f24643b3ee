import type { AuditRecord, Ledger } from '@drawbridge/ledger';

export interface AuditQuery {
  /** Entries before this number, up to `limit`. */
  readonly before: number;
  readonly limit: number;
  /** `machine`: actions at the relay's own machine. */
  readonly device?: string | undefined;
  readonly action?: string | undefined;
  /** A session, a device or a tab: the subject, or named in the details. */
  readonly subject?: string | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

const PAGE = 1_000;
/** Entries read per answer; the caller continues from `next`. */
const MOST_READ = 20_000;

/** The newest matching entries, and where to continue; `next` is null at the end of the log. */
export async function searchAudit(
  ledger: Pick<Ledger, 'auditBefore'>,
  query: AuditQuery,
): Promise<{ readonly audit: readonly AuditRecord[]; readonly next: number | null }> {
  const { limit, from = Number.NEGATIVE_INFINITY } = query;
  const found: AuditRecord[] = [];
  let { before } = query;
  for (let read = 0; read < MOST_READ; read += PAGE) {
    const page = await ledger.auditBefore(before, PAGE);
    for (const entry of page) {
      if (entry.at < from) return { audit: found, next: null };
      if (found.length === limit) return { audit: found, next: before };
      if (fits(entry, query)) found.push(entry);
      before = entry.number;
    }
    if (page.length < PAGE) return { audit: found, next: null };
  }
  return { audit: found, next: before };
}

function fits(entry: AuditRecord, { device, action, subject, until }: AuditQuery): boolean {
  return (
    (until === undefined || entry.at < until) &&
    (device === undefined || (entry.device_id ?? 'machine') === device) &&
    (action === undefined || entry.action === action) &&
    (subject === undefined ||
      entry.subject === subject ||
      JSON.stringify(entry.detail ?? '').includes(JSON.stringify(subject)))
  );
}
