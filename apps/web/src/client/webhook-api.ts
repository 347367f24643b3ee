import type { NoticeRow } from './notice-api.ts';
import { ask, parseAnswer, post } from './request.ts';

export interface Webhook {
  readonly webhook_id: string;
  readonly url: string;
  readonly kinds: readonly string[];
}

const PATH = '/api/webhooks';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export const webhookApi = {
  list: async (): Promise<readonly Webhook[]> =>
    (await parseAnswer<{ readonly webhooks: readonly Webhook[] }>(ask(PATH))).webhooks,
  /** The secret is returned only once. */
  add: (url: string): Promise<{ readonly secret: string }> => parseAnswer(post(PATH, { url })),
  remove: (id: string) => ask(pathOf(id), { method: 'DELETE' }),
  test: async (id: string): Promise<NoticeRow> =>
    (await parseAnswer<{ readonly notice: NoticeRow }>(post(`${pathOf(id)}/test`))).notice,
};
