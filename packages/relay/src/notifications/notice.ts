import { createHash } from 'node:crypto';
import type { NoticeKind, NoticeRow } from '@drawbridge/protocol/http';

export type { Notice, NoticeKind, NoticeLanguage, NoticeRow } from '@drawbridge/protocol/http';

export type SuppressionReason = Extract<
  NoticeRow['reason'],
  'visible' | 'quiet_hours' | 'answered' | 'too_many'
>;
export type FailureReason = Extract<NoticeRow['reason'], 'gone' | 'refused' | 'unreachable' | 'stopped'>;

/** Kinds of notification for people who look elsewhere. */
export const NOTICE_KINDS = [
  'prompt',
  'question',
  'finished',
  'failed',
] as const satisfies readonly NoticeKind[];
/** Maximum length of `Topic`: RFC 8030, 5.4. */
const TAG_CHARS = 32;

export const tagOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_CHARS);
