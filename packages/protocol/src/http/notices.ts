import { Type } from 'typebox';
import { defineRoutes, listOf, shape } from './route.ts';

/** Kinds of notification for people who look elsewhere. */
export type NoticeKind = 'prompt' | 'question' | 'finished' | 'failed';

export interface QuietHours {
  /** HH:MM; spans midnight when `from` is later than `to`. */
  readonly from: string;
  readonly to: string;
  /** IANA time zone, such as Europe/Berlin. */
  readonly timezone: string;
  /** Whether prompts and questions are sent all the same. */
  readonly except_prompts: boolean;
}

export interface NoticePreferences {
  readonly kinds: readonly NoticeKind[];
  readonly quiet_hours: QuietHours | null;
}

/** Languages of notifications. */
export type NoticeLanguage = 'en' | 'de';

export interface NoticeSettings extends NoticePreferences {
  readonly subscribed: boolean;
  /** The subscription's language. */
  readonly language: NoticeLanguage;
}

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

/** `sent`: the push service or the webhook accepted it, which does not mean that a person saw it. */
export interface NoticeRow extends Notice {
  readonly state: 'queued' | 'sent' | 'failed' | 'suppressed';
  readonly reason?:
    | ('visible' | 'quiet_hours' | 'answered' | 'too_many')
    | ('gone' | 'refused' | 'unreachable' | 'stopped');
  readonly attempts: number;
  /** Status of the last reply. */
  readonly status?: number;
  readonly settled_at?: number;
  /** Time when it was closed because it was answered elsewhere. */
  readonly closed_at?: number;
}

export interface WebhookView {
  readonly webhook_id: string;
  readonly url: string;
  readonly kinds: readonly NoticeKind[];
  readonly created_at: number;
  /** The device that added it. */
  readonly by: string;
}

const Text = Type.String();
const Sent = Type.Object({ notice: shape<NoticeRow>() });
const Rows = listOf('notices', shape<NoticeRow>());
const Preferences = shape<NoticeSettings>({
  description: 'The subscription, and which notifications the device wants and when.',
});
const forPeople = { tag: 'notices', access: 'person', bytes: 16_384 } as const;
const forOwners = { tag: 'notices', access: 'owner', bytes: 16_384 } as const;
const id = 'The webhook.';

/** Notifications of the device that asks. */
export const PUSH = defineRoutes({
  'GET /api/push/key': {
    ...{ ...forPeople, operation: 'pushKey', reply: Type.Object({ public_key: Text }) },
    summary: 'The public key that a browser subscribes with.',
  },
  'GET /api/push/settings': {
    ...{ ...forPeople, operation: 'pushSettings', reply: Preferences },
    summary: 'Which notifications the device gets, and when.',
  },
  'PUT /api/push/settings': {
    ...{ ...forPeople, operation: 'changePushSettings', reply: Preferences },
    summary: 'Choose which notifications the device gets, and its quiet hours.',
    ...{ body: shape<Partial<NoticePreferences>>(), refuses: ['invalid_request'] },
  },
  'PUT /api/push/subscription': {
    ...{ ...forPeople, operation: 'subscribe', reply: Preferences, refuses: ['invalid_request'] },
    summary: 'Send the device notifications by Web Push from now on.',
    body: Type.Object({
      endpoint: Text,
      keys: Type.Object({ p256dh: Text, auth: Text }),
      language: Type.Optional(
        Type.String({
          description: "A language tag: `de` or `de-AT` for German, else the device's are English.",
        }),
      ),
    }),
  },
  'DELETE /api/push/subscription': {
    ...{ ...forPeople, operation: 'unsubscribe', summary: 'Stop sending the device notifications.' },
  },
  'PUT /api/push/visible': {
    ...{ ...forPeople, operation: 'showSession', refuses: ['invalid_request'] },
    summary: "Which session is on the device's screen: it gets no notifications for that one.",
    body: Type.Object({
      session_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      screen_id: Type.Optional(Text),
    }),
  },
  'POST /api/push/test': {
    ...{ ...forPeople, operation: 'testPush', reply: Sent, refuses: ['not_found', 'unavailable'] },
    summary: 'Send the device a test notification.',
  },
  'GET /api/push/log': {
    ...{ ...forPeople, operation: 'pushLog', reply: Rows },
    summary: "The device's recent notifications and their outcomes.",
  },
});

export const WEBHOOKS = defineRoutes({
  'GET /api/webhooks': {
    ...{ ...forOwners, operation: 'listWebhooks', reply: listOf('webhooks', shape<WebhookView>()) },
    summary: 'The webhooks, without their secrets.',
  },
  'POST /api/webhooks': {
    ...{ ...forOwners, operation: 'addWebhook', status: 201 },
    summary: 'Add a webhook; a secret that the relay creates is shown only once.',
    body: Type.Unsafe<{
      readonly url: string;
      readonly secret?: string;
      readonly kinds?: readonly NoticeKind[];
    }>(Type.Object({ url: Text, secret: Type.Optional(Text), kinds: Type.Array(Text) })),
    reply: Type.Object({ webhook: shape<WebhookView>(), secret: Type.Optional(Text) }),
    refuses: ['invalid_request', 'quota_reached'],
  },
  'DELETE /api/webhooks/{id}': {
    ...{ ...forOwners, operation: 'removeWebhook', summary: 'Remove the webhook.', params: { id } },
    refuses: ['not_found'],
  },
  'GET /api/webhooks/{id}/log': {
    ...{ ...forOwners, operation: 'webhookLog', params: { id }, reply: Rows, refuses: ['not_found'] },
    summary: "The webhook's recent notifications and their outcomes.",
  },
  'POST /api/webhooks/{id}/test': {
    ...{ ...forOwners, operation: 'testWebhook', params: { id }, reply: Sent },
    summary: 'Send the webhook a test notification.',
    refuses: ['not_found', 'unavailable'],
  },
});
