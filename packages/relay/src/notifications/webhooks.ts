import { createHmac } from 'node:crypto';
import type { Ledger } from '@drawbridge/ledger';
import { type Channel, type ChannelMessage, createChannel } from './channel.ts';
import type { Notification } from './compose.ts';
import type { Notice, NoticeRow } from './notice.ts';
import type { Webhook } from './notice-file.ts';
import { type NoticeRecord, openNoticeRecord } from './notice-record.ts';
import type { Outbound } from './outbound.ts';
import { payloadOf } from './push-post.ts';
import type { RetryOptions } from './retry-delivery.ts';

export interface WebhooksOptions extends RetryOptions {
  readonly ledger: Ledger;
  readonly outbound: Pick<Outbound, 'post'>;
  readonly stored: readonly Webhook[];
  /** Stores the whole list. */
  readonly keep: (webhooks: readonly Webhook[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Programs that get the notifications of every session. */
export interface Webhooks {
  readonly list: () => readonly Webhook[];
  readonly add: (webhook: Webhook) => Promise<void>;
  /** Undefined for an unknown id. */
  readonly remove: (webhook_id: string) => Promise<Webhook | undefined>;
  readonly rows: (webhook_id: string) => readonly NoticeRow[] | undefined;
  readonly notify: (notification: Notification) => void;
  readonly revoke: (tag: string) => void;
  readonly test: (webhook_id: string, notice: Notice) => Promise<NoticeRow> | undefined;
  readonly resume: (isOver: (row: NoticeRow) => boolean) => void;
  readonly close: () => Promise<void>;
}

interface OpenWebhook {
  readonly webhook: Webhook;
  readonly record: NoticeRecord;
  readonly channel: Channel;
}

export async function createWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { ledger, outbound, clock, keep, onError } = options;
  const hooks = new Map<string, OpenWebhook>();

  const open = async (webhook: Webhook): Promise<void> => {
    const record = await openNoticeRecord({ ledger, key: `webhook:${webhook.webhook_id}`, onError });
    const post = (message: ChannelMessage) => outbound.post(posting(webhook, message, clock.now()));
    // A webhook that answers 410 stays: a person added it, and its log shows them the answer.
    const channel = createChannel({ ...options, record, post, onGone: () => {} });
    hooks.set(webhook.webhook_id, { webhook, record, channel });
  };
  for (const webhook of options.stored) await open(webhook);

  const list = (): readonly Webhook[] => [...hooks.values()].map(({ webhook }) => webhook);

  return {
    list,
    async add(webhook) {
      await keep([...list(), webhook]);
      await open(webhook);
    },
    async remove(webhook_id) {
      const hook = hooks.get(webhook_id);
      if (hook === undefined) return undefined;
      hooks.delete(webhook_id);
      hook.channel.close();
      await keep(list());
      await hook.record.drop();
      return hook.webhook;
    },
    rows: (webhook_id) => hooks.get(webhook_id)?.record.rows(),
    notify({ notices: { en: notice } }) {
      for (const { webhook, channel } of hooks.values()) {
        if (webhook.kinds.some((kind) => kind === notice.kind)) channel.notify(notice).catch(onError);
      }
    },
    revoke(tag) {
      for (const { channel } of hooks.values()) channel.revoke(tag);
    },
    test: (webhook_id, notice) => hooks.get(webhook_id)?.channel.notify(notice),
    resume(isOver) {
      for (const { channel } of hooks.values()) channel.resume(isOver);
    },
    async close() {
      for (const { channel, record } of hooks.values()) {
        channel.close();
        await record.close();
      }
    },
  };
}

/** Signs the time too, so a receiver can detect a replay. */
function posting({ url, secret }: Webhook, message: ChannelMessage, now: number) {
  const { notice_id } = message.notice;
  const body = JSON.stringify({ notice_id, ...payloadOf(message) });
  const t = Math.floor(now / 1_000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'drawbridge',
    'drawbridge-signature': `t=${t},v1=${v1}`,
  };
  return { url, headers, body: Buffer.from(body) };
}
