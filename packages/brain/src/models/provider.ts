import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel, streamText } from 'ai';
import { type ModelSettings, ModelSettingsError, type ProviderName } from './settings.ts';

export function languageModel({ provider, model, apiKey, baseUrl }: ModelSettings): LanguageModel {
  const reach = {
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  };
  switch (provider) {
    case 'anthropic':
      return createAnthropic(reach)(model);
    case 'openai':
      return createOpenAI(reach)(model);
    case 'google':
      return createGoogle(reach)(model);
    case 'compatible': {
      if (baseUrl === undefined) throw new ModelSettingsError('A compatible model needs a base URL.');
      const name = 'compatible';
      return createOpenAICompatible({
        ...reach,
        name,
        baseURL: baseUrl,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })(model);
    }
  }
}

type ProviderOptions = NonNullable<Parameters<typeof streamText>[0]['providerOptions']>;

/** Pages are private, so OpenAI must not store them. */
export const CALL_OPTIONS: Readonly<Partial<Record<ProviderName, ProviderOptions>>> = {
  openai: { openai: { store: false } },
};

/** Anthropic caches up to a mark; the others cache automatically. */
export const CACHE_MARK: Readonly<Partial<Record<ProviderName, ProviderOptions>>> = {
  anthropic: { anthropic: { cacheControl: { type: 'ephemeral' } } },
};
