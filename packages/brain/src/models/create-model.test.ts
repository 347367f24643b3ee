import { createGate, type Script, startScriptedModel } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelQuestion } from '../model.ts';
import { createModel } from './create-model.ts';
import type { ModelSettings } from './settings.ts';

const KEY = 'sk-canary-5f1c';
const OBJECT = { thought: 'The lamp is in the cart now, so I look at the cart.', action: 'click' };
const USAGE = { inputTokens: 120, outputTokens: 30, cachedInputTokens: 100 };
const SCHEMA = {
  type: 'object',
  properties: { thought: { type: 'string' }, action: { type: 'string' } },
  required: ['thought', 'action'],
  additionalProperties: false,
};
const JPEG = Buffer.from('a picture').toString('base64');
const QUESTION: ModelQuestion = {
  system: 'You act in a page.',
  schema: SCHEMA,
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'the task' },
        { type: 'image', base64: JPEG },
      ],
    },
    { role: 'assistant', parts: [{ type: 'text', text: '{}' }] },
    { role: 'user', parts: [{ type: 'text', text: 'decide again' }] },
  ],
};

const PROVIDERS = [
  { provider: 'anthropic', model: 'claude-sonnet-5-5', shape: 'anthropic-messages' },
  { provider: 'openai', model: 'gpt-5.6', shape: 'openai-responses' },
  { provider: 'google', model: 'gemini-flash-latest', shape: 'google-generate-content' },
  { provider: 'compatible', model: 'qwen3:8b', shape: 'openai-chat' },
] as const;

async function startHarness(script: Script, settings: Partial<ModelSettings> = {}) {
  const server = await startScriptedModel(script);
  onTestFinished(() => server.close());
  const chosen = {
    provider: 'compatible',
    model: 'qwen3:8b',
    apiKey: KEY,
    baseUrl: server.baseUrl,
    ...settings,
  } as const;
  return { server, model: createModel(chosen) };
}

test.each(PROVIDERS)(
  '$provider returns an object, streams its thought, counts tokens',
  async ({ provider, model: name, shape }) => {
    const { server, model } = await startHarness([{ text: JSON.stringify(OBJECT), usage: USAGE }], {
      provider,
      model: name,
    });
    const thoughts: string[] = [];
    const answer = await model.ask(QUESTION, { onThought: (thought) => thoughts.push(thought) });
    expect(answer).toEqual({
      object: OBJECT,
      usage: { input_tokens: 120, output_tokens: 30, cached_tokens: 100 },
    });
    expect(thoughts.length).toBeGreaterThan(2);
    expect(thoughts.at(-1)).toBe(OBJECT.thought);
    const [request] = server.requests();
    expect(request).toMatchObject({ provider: shape, apiKey: KEY, model: name });
    const body = JSON.stringify(request?.body);
    for (const part of [QUESTION.system, 'the task', 'decide again', JPEG]) expect(body).toContain(part);
    expect(body).toContain('"additionalProperties":false');
    server.verify();
  },
);

test('Anthropic gets cache marks, OpenAI is told to store nothing', async () => {
  const reply = { text: JSON.stringify(OBJECT) };
  const claude = await startHarness([reply], { provider: 'anthropic', model: 'claude-sonnet-5-5' });
  await claude.model.ask(QUESTION);
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(claude.server.requests()[0]?.body).toMatchObject({
    system: [{ text: QUESTION.system, ...mark }],
    messages: [{ content: [{ text: 'the task', ...mark }, { type: 'image' }] }, {}, {}],
  });
  const gpt = await startHarness([reply], { provider: 'openai', model: 'gpt-5.6' });
  await gpt.model.ask(QUESTION);
  expect(gpt.server.requests()[0]?.body).toMatchObject({ store: false });
});

test.each(PROVIDERS)('retries $provider when it is busy', async ({ provider, model: name }) => {
  const busy = { fault: { kind: 'status', status: 429, retryAfterSeconds: 0 } } as const;
  const broken = { fault: { kind: 'status', status: 503, retryAfterSeconds: 0 } } as const;
  const { server, model } = await startHarness([busy, broken, { text: JSON.stringify(OBJECT) }], {
    provider,
    model: name,
  });
  expect((await model.ask(QUESTION)).object).toEqual(OBJECT);
  server.verify();
});

test('an answer in prose has no object', async () => {
  const { model } = await startHarness([{ text: 'I would click the button.', usage: USAGE }]);
  expect(await model.ask(QUESTION)).toMatchObject({ object: undefined, usage: { output_tokens: 30 } });
});

const STATUSES = [
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'rate_limited'],
  [400, 'refused'],
  [500, 'unavailable'],
] as const;
const FAILURES = PROVIDERS.flatMap((each) => STATUSES.map(([status, code]) => ({ ...each, status, code })));

test.each(FAILURES)('$provider: status $status is "$code", and no error quotes the key', async (failure) => {
  const { provider, model: name, status, code } = failure;
  const message = `Incorrect API key provided: ${KEY}`;
  const fault = { kind: 'status', status, message } as const;
  const { model } = await startHarness([{ fault }], { provider, model: name, maxRetries: 0 });
  const error = await model.ask(QUESTION).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'ModelError', code });
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY);
});

test.each(PROVIDERS)('$provider: a broken connection is no answer', async ({ provider, model: name }) => {
  const fault = { kind: 'cut', afterEvents: 2 } as const;
  const { model } = await startHarness([{ text: JSON.stringify(OBJECT), fault }], {
    ...{ provider, model: name, maxRetries: 0 },
  });
  await expect(model.ask(QUESTION)).rejects.toMatchObject({ name: 'ModelError', code: 'unavailable' });
});

test.each(PROVIDERS)(
  '$provider: an aborted question closes its connection',
  async ({ provider, model: name }) => {
    const gate = createGate();
    const { server, model } = await startHarness(
      [{ text: JSON.stringify(OBJECT), hold: { gate, afterEvents: 2 } }],
      {
        ...{ provider, model: name },
      },
    );
    const stop = new AbortController();
    const asking = model.ask(QUESTION, { signal: stop.signal });
    await gate.reached;
    stop.abort();
    await expect(asking).rejects.toMatchObject({ name: 'ModelError', code: 'aborted' });
    expect(await server.requests()[0]?.ended).toBe('client left');
  },
);
