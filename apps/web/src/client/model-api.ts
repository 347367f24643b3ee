import { ask, parseAnswer } from './request.ts';

export const PROVIDERS = ['anthropic', 'openai', 'google', 'compatible'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The key is write-only. */
export interface ModelView {
  readonly source: 'settings' | 'environment' | 'rules';
  readonly provider?: string;
  readonly model?: string;
  readonly base_url?: string;
  readonly has_key: boolean;
  readonly problem?: string;
}

export interface ModelChoice {
  readonly provider: Provider;
  readonly model: string;
  readonly base_url?: string;
  readonly api_key?: string;
}

const PATH = '/api/settings/model';

export const modelApi = {
  view: (): Promise<ModelView> => parseAnswer(ask(PATH)),
  choose: (body: ModelChoice): Promise<ModelView> => parseAnswer(ask(PATH, { method: 'PUT', body })),
  forget: (): Promise<ModelView> => parseAnswer(ask(PATH, { method: 'DELETE' })),
};
