import { createHash } from 'node:crypto';

/** Kinds of notification for people who look elsewhere. */
export const NOTICE_KINDS = ['prompt', 'question', 'finished', 'failed'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface Notice {
  /** The same for the same event, however often it is received. */
  readonly notice_id: string;
  readonly kind: NoticeKind | 'test';
  /** A later notification with this tag replaces or closes it. */
  readonly tag: string;
  readonly session_id: string | null;
  readonly prompt_id?: string;
  readonly title: string;
  readonly body: string;
  /** Name of the session for people. */
  readonly who: string;
  readonly at: number;
}

export type SuppressionReason = 'visible' | 'quiet_hours' | 'answered' | 'too_many';
export type FailureReason = 'gone' | 'refused' | 'unreachable' | 'stopped';

/** `sent`: the push service or the webhook accepted it, which does not mean that a person saw it. */
export interface NoticeRow extends Notice {
  readonly state: 'queued' | 'sent' | 'failed' | 'suppressed';
  readonly reason?: SuppressionReason | FailureReason;
  readonly attempts: number;
  /** Status of the last reply. */
  readonly status?: number;
  readonly settled_at?: number;
  /** Time when it was closed because it was answered elsewhere. */
  readonly closed_at?: number;
}

/** Maximum length of `Topic`: RFC 8030, 5.4. */
const TAG_CHARS = 32;

export const tagOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_CHARS);
