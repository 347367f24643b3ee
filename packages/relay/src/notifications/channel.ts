import type { Notice, NoticeRow, SuppressionReason } from './notice.ts';
import type { NoticeRecord } from './notice-record.ts';
import type { Reply } from './outbound.ts';
import { type RetryOptions, retryDelivery } from './retry-delivery.ts';

export interface ChannelOptions extends RetryOptions {
  readonly record: NoticeRecord;
  readonly post: (message: ChannelMessage) => Promise<Reply>;
  /** Called when the other side reports that the subscription is gone for good. */
  readonly onGone: () => void;
}

export type ChannelMessage =
  | { readonly type: 'notice'; readonly notice: Notice }
  | { readonly type: 'close'; readonly notice: Notice };

/** A channel for notifications: a device's push service, or a webhook. */
export interface Channel {
  /** Resolves with the settled row. A notification is sent once. */
  readonly notify: (notice: Notice, suppressed?: SuppressionReason) => Promise<NoticeRow>;
  /** Closes the notification with this tag. */
  readonly revoke: (tag: string) => void;
  /** After a restart: sends unsent notifications, and closes answered ones. */
  readonly resume: (isOver: (row: NoticeRow) => boolean) => void;
  /** Sends nothing more; notifications that wait for a retry stay queued. Idempotent. */
  readonly close: () => void;
}

/** Bounds the notifications of an agent that asks endlessly. */
const MOST_PER_MINUTE = 30;
/** A notification delayed longer by a restart is not sent. */
const NEWS_MS = 3_600_000;

export function createChannel(options: ChannelOptions): Channel {
  const { record, post, onGone, clock } = options;
  const underWay = new Map<string, AbortController>();
  const stopping = new AbortController();

  const change = (notice_id: string, fields: Partial<NoticeRow>): void => {
    const row = record.find(notice_id);
    if (row !== undefined) record.put({ ...row, ...fields });
  };

  const withdraw = async (row: NoticeRow): Promise<void> => {
    const message = { type: 'close', notice: row } as const;
    const { state, reason } = await retryDelivery(
      () => post(message),
      options,
      stopping.signal,
      () => {},
    );
    if (state === 'sent') change(row.notice_id, { closed_at: clock.now() });
    if (reason === 'gone') onGone();
  };

  const send = async (row: NoticeRow): Promise<NoticeRow> => {
    const { notice_id } = row;
    const answered = new AbortController();
    underWay.set(notice_id, answered);
    const ending = await retryDelivery(
      () => post({ type: 'notice', notice: row }),
      options,
      AbortSignal.any([answered.signal, stopping.signal]),
      (attempts) => change(notice_id, { attempts }),
    );
    underWay.delete(notice_id);
    const { state, ...known } = ending;
    const settled_at = clock.now();
    if (state !== 'called_off') change(notice_id, { ...known, state, settled_at });
    else if (answered.signal.aborted)
      change(notice_id, { ...known, state: 'suppressed', reason: 'answered', settled_at });
    if (ending.reason === 'gone') onGone();
    const now = record.find(notice_id) ?? row;
    // A person answered during the send.
    if (state === 'sent' && answered.signal.aborted) await withdraw(now);
    return now;
  };

  const isFlooded = (at: number): boolean =>
    record.rows().filter((row) => row.at > at - 60_000 && row.state !== 'suppressed').length >=
    MOST_PER_MINUTE;

  const revoke = (tag: string): void => {
    for (const row of record.rows()) {
      if (row.tag !== tag || row.closed_at !== undefined) continue;
      const sending = underWay.get(row.notice_id);
      if (sending !== undefined) sending.abort();
      else if (row.state === 'sent') void withdraw(row);
    }
  };

  return {
    async notify(notice, suppressed) {
      const known = record.find(notice.notice_id);
      if (known !== undefined) return known;
      const reason = suppressed ?? (isFlooded(notice.at) ? 'too_many' : undefined);
      const row: NoticeRow =
        reason === undefined
          ? { ...notice, state: 'queued', attempts: 0 }
          : { ...notice, state: 'suppressed', reason, attempts: 0, settled_at: clock.now() };
      record.put(row);
      return reason === undefined ? send(row) : row;
    },
    revoke,
    resume(isOver) {
      for (const row of record.rows()) {
        const isLate = row.at < clock.now() - NEWS_MS;
        if (row.state === 'queued' && isOver(row)) {
          change(row.notice_id, { state: 'suppressed', reason: 'answered', settled_at: clock.now() });
        } else if (row.state === 'queued' && isLate) {
          change(row.notice_id, { state: 'failed', reason: 'stopped', settled_at: clock.now() });
        } else if (row.state === 'queued') void send(row);
        else if (row.state === 'sent' && row.closed_at === undefined && isOver(row)) void withdraw(row);
      }
    },
    close: () => stopping.abort(),
  };
}
