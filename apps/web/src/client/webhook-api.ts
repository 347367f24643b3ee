import type { ReplyTo } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';

export type Webhook = ReplyTo<'GET /api/webhooks'>['webhooks'][number];

export const webhookApi = {
  list: async () => (await call('GET /api/webhooks')).webhooks,
  /** The secret is returned only once. */
  add: (url: string) => call('POST /api/webhooks', { body: { url } }),
  remove: (id: string) => call('DELETE /api/webhooks/{id}', { id }),
  test: async (id: string) => (await call('POST /api/webhooks/{id}/test', { id })).notice,
};
