import type { NoticeKind, NoticePreferences } from '@drawbridge/protocol/http';
import { call } from './request.ts';

export type {
  NoticeKind,
  NoticePreferences as NotificationSettings,
  NoticeRow,
  NoticeSettings,
} from '@drawbridge/protocol/http';

export const NOTICE_KINDS: readonly NoticeKind[] = ['prompt', 'question', 'finished', 'failed'];

export const noticeApi = {
  key: async () => (await call('GET /api/push/key')).public_key,
  settings: () => call('GET /api/push/settings'),
  prefer: (body: NoticePreferences) => call('PUT /api/push/settings', { body }),
  subscribe: (
    { endpoint = '', keys: { p256dh = '', auth = '' } = {} }: PushSubscriptionJSON,
    language: string,
  ) => call('PUT /api/push/subscription', { body: { endpoint, keys: { p256dh, auth }, language } }),
  unsubscribe: () => call('DELETE /api/push/subscription'),
  test: async () => (await call('POST /api/push/test')).notice,
  log: async () => (await call('GET /api/push/log')).notices,
  visible: (session_id: string | null, screen_id: string) =>
    call('PUT /api/push/visible', { body: { session_id, screen_id } }),
};
