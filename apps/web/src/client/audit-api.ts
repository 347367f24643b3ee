import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';

export type AuditPage = ReplyTo<'GET /api/audit'>;
export type AuditEntry = AuditPage['audit'][number];

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

const PAGE = 100;
const EXPORT_PAGE = 1_000;
/** Larger exports must use the relay's files. */
const MOST_EXPORTED = 50_000;

const page = (query: AuditQuery, limit: number, before?: number): Promise<AuditPage> =>
  call('GET /api/audit', { query: { ...query, limit, before } });

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
