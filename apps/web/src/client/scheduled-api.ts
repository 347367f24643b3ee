import type { BodyFor, ReplyTo } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';

export type ScheduledSend = ReplyTo<'GET /api/scheduled-sends'>['scheduled_sends'][number];
export type NewScheduledSend = BodyFor<'POST /api/scheduled-sends'>;

/** Messages of this device that the relay sends later. */
export const scheduledApi = {
  list: async () => (await call('GET /api/scheduled-sends')).scheduled_sends,
  add: async (body: NewScheduledSend) => (await call('POST /api/scheduled-sends', { body })).scheduled_send,
  cancel: async (id: string): Promise<void> => {
    await call('DELETE /api/scheduled-sends/{id}', { id });
  },
};
