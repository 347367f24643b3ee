import { createHash } from 'node:crypto';

/** What people can be told of while they look elsewhere. */
export const NOTICE_KINDS = ['prompt', 'question', 'finished', 'failed'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  /** The same for the same thing, however often it is heard of. */
  readonly notice_id: string;
  readonly kind: NoticeKind | 'test';
  /** Under which a later word replaces it, or takes it away. */
  readonly tag: string;
  readonly session_id: string | null;
  readonly prompt_id?: string;
  readonly title: string;
  readonly body: string;
  /** Of the session, as people call it. */
  readonly who: string;
  readonly at: number;
}

export type SuppressionReason = 'visible' | 'quiet_hours' | 'answered' | 'too_many';
export type FailureReason = 'gone' | 'refused' | 'unreachable' | 'stopped';

/** `sent`: the push service or the webhook took it. Whether anybody saw it, nobody can tell. */
export interface NoticeRow extends Notice {
  readonly state: 'queued' | 'sent' | 'failed' | 'suppressed';
  readonly reason?: SuppressionReason | FailureReason;
  readonly attempts: number;
  /** What was answered last. */
  readonly status?: number;
  readonly settled_at?: number;
  /** When it was taken back, because it was answered elsewhere. */
  readonly closed_at?: number;
}

/** As short as `Topic` has to be: RFC 8030, 5.4. */
const TAG_CHARS = 32;

export const tagOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_CHARS);
