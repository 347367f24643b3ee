import { ask, parseAnswer } from './request.ts';

export interface AuditEntry {
  readonly number: number;
  readonly at: number;
  readonly device_id: string | null;
  readonly action: string;
  readonly subject: string | null;
  readonly detail: unknown;
}

/** Filters applied by the relay; absent ones match everything. */
export interface AuditQuery {
  /** `machine`: actions on the relay's machine. */
  readonly device?: string;
  readonly action?: string;
  /** A session or another subject. */
  readonly subject?: string;
  readonly from?: number;
  readonly until?: number;
}

export interface AuditPage {
  readonly audit: readonly AuditEntry[];
  /** Null at the end of the log. */
  readonly next: number | null;
}

const PAGE = 100;
const EXPORT_PAGE = 1_000;
/** Larger exports must use the relay's files. */
const MOST_EXPORTED = 50_000;

function page(query: AuditQuery, limit: number, before?: number): Promise<AuditPage> {
  const asked = Object.entries({ ...query, limit, before }).filter(([, value]) => value !== undefined);
  return parseAnswer(
    ask(`/api/audit?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`),
  );
}

export const auditApi = {
  page: (query: AuditQuery, before?: number): Promise<AuditPage> => page(query, PAGE, before),
  async all(query: AuditQuery): Promise<readonly AuditEntry[]> {
    const found: AuditEntry[] = [];
    let before: number | undefined;
    do {
      const { audit, next } = await page(query, EXPORT_PAGE, before);
      found.push(...audit);
      before = next ?? undefined;
    } while (before !== undefined && found.length < MOST_EXPORTED);
    return found;
  },
};
