import { expect, test } from 'vitest';
import { modelSettingsFrom } from './settings.ts';

const KEY = 'sk-canary-77aa';

test.each([
  [{}, undefined],
  [{ OPENAI_API_KEY: '' }, undefined],
  [
    { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: 'other' },
    { provider: 'anthropic', apiKey: KEY },
  ],
  [{ GEMINI_API_KEY: KEY }, { provider: 'google', apiKey: KEY }],
  [
    { DRAWBRIDGE_MODEL: 'openai/gpt-6-sol', OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: 'other' },
    { provider: 'openai', model: 'gpt-6-sol', apiKey: KEY },
  ],
  [
    { DRAWBRIDGE_MODEL: 'compatible/qwen3:8b', DRAWBRIDGE_MODEL_URL: 'http://127.0.0.1:11434/v1/' },
    { provider: 'compatible', model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1' },
  ],
  [
    {
      DRAWBRIDGE_MODEL: 'meta-llama/Llama-4',
      DRAWBRIDGE_MODEL_URL: 'https://llm.test/v1',
      DRAWBRIDGE_MODEL_KEY: KEY,
    },
    { provider: 'compatible', model: 'meta-llama/Llama-4', apiKey: KEY },
  ],
  [
    { OPENAI_API_KEY: KEY, DRAWBRIDGE_MODEL_PRICE: '1.25, 10' },
    { provider: 'openai', price: { input: 1.25, output: 10 } },
  ],
  [
    { DRAWBRIDGE_MODEL: 'openai/gpt-6-sol', OPENAI_API_KEY: KEY, DRAWBRIDGE_MODEL_PRICE: '3,15,0.3' },
    { model: 'gpt-6-sol', price: { input: 3, output: 15, cached: 0.3 } },
  ],
])('%o', (env, expected) => {
  const settings = modelSettingsFrom(env);
  if (expected === undefined) expect(settings).toBeUndefined();
  else expect(settings).toMatchObject(expected);
});

test.each([
  [{ DRAWBRIDGE_MODEL: 'openai/gpt-6-sol', ANTHROPIC_API_KEY: KEY }, 'OPENAI_API_KEY'],
  [{ DRAWBRIDGE_MODEL: 'mistral/large', ANTHROPIC_API_KEY: KEY }, 'provider/model'],
  [{ DRAWBRIDGE_MODEL: 'openai/', OPENAI_API_KEY: KEY }, 'names no model'],
  [{ DRAWBRIDGE_MODEL: 'compatible/qwen3:8b' }, 'DRAWBRIDGE_MODEL_URL'],
  [{ DRAWBRIDGE_MODEL_URL: 'http://127.0.0.1:1/v1', OPENAI_API_KEY: KEY }, 'DRAWBRIDGE_MODEL'],
  [{ DRAWBRIDGE_MODEL: 'x', DRAWBRIDGE_MODEL_URL: `ftp://${KEY}@x` }, 'http or https'],
  [{ OPENAI_API_KEY: KEY, DRAWBRIDGE_MODEL_PRICE: `3,${KEY}` }, 'input,output[,cached]'],
])('%o is refused, and the error says what to set', (env, part) => {
  const error = (() => {
    try {
      return modelSettingsFrom(env);
    } catch (cause) {
      return cause;
    }
  })();
  expect(error).toMatchObject({ name: 'ModelSettingsError', message: expect.stringContaining(part) });
  expect(String(error)).not.toContain(KEY);
});

test.each(['3', '3,', '3,-1', '3,x', '1,2,3,4', '1,2,'])('%s is no price', (price) => {
  expect(() => modelSettingsFrom({ OPENAI_API_KEY: KEY, DRAWBRIDGE_MODEL_PRICE: price })).toThrow(
    'in US dollars per million tokens',
  );
});
