import type { FrameOf } from '@drawbridge/link/chat';
import { ask, parseAnswer } from './request.ts';

export type ScheduledSend = FrameOf<'scheduled_send_status'>['scheduled_send'];

export interface NewScheduledSend {
  readonly session_id: string;
  readonly content: string;
  readonly trigger_kind: 'at' | 'idle';
  readonly deliver_at?: string;
}

const PATH = '/api/scheduled-sends';

/** Messages of this device that the relay sends later. */
export const scheduledApi = {
  list: async (): Promise<readonly ScheduledSend[]> =>
    (await parseAnswer<{ readonly scheduled_sends: readonly ScheduledSend[] }>(ask(PATH))).scheduled_sends,
  add: async (body: NewScheduledSend): Promise<ScheduledSend> =>
    (await parseAnswer<{ readonly scheduled_send: ScheduledSend }>(ask(PATH, { method: 'POST', body })))
      .scheduled_send,
  cancel: async (id: string): Promise<void> => {
    await ask(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' });
  },
};
