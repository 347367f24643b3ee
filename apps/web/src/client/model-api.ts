import type { BodyFor } from '@drawbridge/protocol/http-call';
import { call } from './request.ts';

export type { ModelView } from '@drawbridge/protocol/http';

export const PROVIDERS = ['anthropic', 'openai', 'google', 'compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const modelApi = {
  view: () => call('GET /api/settings/model'),
  choose: (body: BodyFor<'PUT /api/settings/model'>) => call('PUT /api/settings/model', { body }),
  forget: () => call('DELETE /api/settings/model'),
};
