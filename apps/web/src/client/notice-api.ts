import { ask, parseAnswer, post } from './request.ts';

export const NOTICE_KINDS = ['prompt', 'question', 'finished', 'failed'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export interface NotificationSettings {
  readonly kinds: readonly NoticeKind[];
  readonly quiet_hours: {
    readonly from: string;
    readonly to: string;
    readonly timezone: string;
    readonly except_prompts: boolean;
  } | null;
}

export interface NoticeSettings extends NotificationSettings {
  readonly subscribed: boolean;
}

export interface NoticeRow {
  readonly notice_id: string;
  readonly title: string;
  readonly at: number;
  readonly reason?:
    | 'visible'
    | 'quiet_hours'
    | 'answered'
    | 'too_many'
    | 'gone'
    | 'refused'
    | 'unreachable'
    | 'stopped';
  readonly state: 'queued' | 'sent' | 'failed' | 'suppressed';
}

export const noticeApi = {
  key: async (): Promise<string> =>
    (await parseAnswer<{ readonly public_key: string }>(ask('/api/push/key'))).public_key,
  settings: (): Promise<NoticeSettings> => parseAnswer(ask('/api/push/settings')),
  prefer: (body: NotificationSettings): Promise<NoticeSettings> =>
    parseAnswer(ask('/api/push/settings', { method: 'PUT', body })),
  subscribe: (body: PushSubscriptionJSON): Promise<NoticeSettings> =>
    parseAnswer(ask('/api/push/subscription', { method: 'PUT', body })),
  unsubscribe: () => ask('/api/push/subscription', { method: 'DELETE' }),
  test: async (): Promise<NoticeRow> =>
    (await parseAnswer<{ readonly notice: NoticeRow }>(post('/api/push/test'))).notice,
  log: async (): Promise<readonly NoticeRow[]> =>
    (await parseAnswer<{ readonly notices: readonly NoticeRow[] }>(ask('/api/push/log'))).notices,
  visible: (session_id: string | null, screen_id: string) =>
    ask('/api/push/visible', { method: 'PUT', body: { session_id, screen_id } }),
};
