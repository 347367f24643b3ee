import webPush from 'web-push';
import type { ChannelMessage } from './channel.ts';
import type { Notice } from './notice.ts';
import type { PushKeys } from './notice-file.ts';
import type { Outbound, Reply } from './outbound.ts';
import type { PushSubscription } from './push-subscription.ts';

export interface PushPostOptions {
  readonly outbound: Pick<Outbound, 'post'>;
  readonly keys: PushKeys;
  /** Contact that a push service may write to: RFC 8292, 2.1. */
  readonly contact: string;
}

/** How long a push service keeps the message for an offline phone. */
const URGENT_SECONDS = 3_600;
const USUAL_SECONDS = 86_400;

/** Encrypted for the subscribed browser: RFC 8291. */
export function pushPost({ outbound, keys, contact }: PushPostOptions) {
  return (subscription: PushSubscription, message: ChannelMessage): Promise<Reply> => {
    const { tag, kind } = message.notice;
    const isUrgent = kind === 'prompt' || kind === 'question';
    const { endpoint, keys: theirs } = subscription;
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { ...theirs } },
      JSON.stringify(payloadOf(message)),
      {
        vapidDetails: { subject: contact, publicKey: keys.public_key, privateKey: keys.private_key },
        contentEncoding: 'aes128gcm',
        TTL: isUrgent ? URGENT_SECONDS : USUAL_SECONDS,
        urgency: isUrgent && message.type === 'notice' ? 'high' : 'normal',
        // Replaces a message that the phone has not fetched yet: RFC 8030, 5.4.
        topic: tag,
      },
    );
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    return outbound.post({ url: endpoint, headers: Object.fromEntries(named), body });
  };
}

export function payloadOf({ type, notice }: ChannelMessage): object {
  if (type === 'close') return { type, close: notice.tag };
  const { kind, tag, title, body, who, session_id, prompt_id, at }: Notice = notice;
  return {
    ...{ type, kind, tag, title, body, who, session_id, at },
    ...(prompt_id !== undefined && { prompt_id }),
  };
}
