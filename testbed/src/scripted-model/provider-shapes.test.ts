import { expect, onTestFinished, test } from 'vitest';
import { startScriptedModel } from '../scripted-model.ts';
import type { Reply } from './script.ts';

const REPLY: Reply = {
  text: 'Grüße, Ada 🏮! Die Lampe liegt im Korb.',
  toolCalls: [
    { name: 'cart.add', input: { sku: 'lamp-3', quantity: 2 } },
    { name: 'page.read', input: {}, id: 'my-own-id' },
  ],
  usage: { inputTokens: 120, outputTokens: 30, cachedInputTokens: 100 },
};

async function ask(reply: Reply, path: string, body: object): Promise<Response> {
  const model = await startScriptedModel([reply]);
  onTestFinished(() => model.close());
  const response = await fetch(`${model.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model: 'm1', ...body }),
  });
  expect(response.status).toBe(200);
  return response;
}

/** Parses https://html.spec.whatwg.org/multipage/server-sent-events.html as far as model providers use it. */
async function sseOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
  return blocks.map((block) => {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    return { event: field('event'), data: field('data') ?? '' };
  });
}

const parsed = async (response: Response) => (await sseOf(response)).map(({ data }) => JSON.parse(data));

const CHAT = { messages: [{ role: 'user', content: 'hi' }] };
const MESSAGES = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };

test('OpenAI chat, whole', async () => {
  const response = await ask(REPLY, '/chat/completions', CHAT);
  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    model: 'm1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: REPLY.text,
          tool_calls: [
            { type: 'function', function: { name: 'cart.add', arguments: '{"sku":"lamp-3","quantity":2}' } },
            { id: 'my-own-id', type: 'function', function: { name: 'page.read', arguments: '{}' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 120,
      completion_tokens: 30,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 100 },
    },
  });
});

test('OpenAI chat, streamed', async () => {
  const body = { ...CHAT, stream: true, stream_options: { include_usage: true } };
  const events = await sseOf(await ask(REPLY, '/chat/completions', body));
  expect(events.at(-1)?.data).toBe('[DONE]');
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data));
  const choices = chunks.flatMap((chunk) => chunk.choices);
  expect(choices[0].delta).toMatchObject({ role: 'assistant' });
  const texts = choices.flatMap(({ delta }) => (delta.content ? [delta.content] : []));
  expect(texts.length).toBeGreaterThan(2);
  for (const text of texts) expect(Buffer.from(text).toString()).toBe(text);
  expect(texts.join('')).toBe(REPLY.text);
  const calls = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
  const argumentsOf = (index: number) =>
    calls.filter((call) => call.index === index).map((call) => call.function.arguments);
  expect(JSON.parse(argumentsOf(0).join(''))).toEqual({ sku: 'lamp-3', quantity: 2 });
  expect(calls.filter((call) => call.id).map((call) => call.function.name)).toEqual([
    'cart.add',
    'page.read',
  ]);
  expect(choices.at(-1).finish_reason).toBe('tool_calls');
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 150 } });
});

test('OpenAI chat streams usage only on request', async () => {
  const events = await sseOf(await ask(REPLY, '/chat/completions', { ...CHAT, stream: true }));
  expect(events.some(({ data }) => data.includes('usage'))).toBe(false);
});

test('OpenAI responses, whole', async () => {
  const response = await ask(REPLY, '/responses', { input: 'hi' });
  expect(await response.json()).toMatchObject({
    object: 'response',
    status: 'completed',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: REPLY.text }] },
      { type: 'function_call', name: 'cart.add', arguments: '{"sku":"lamp-3","quantity":2}' },
      { type: 'function_call', call_id: 'my-own-id', name: 'page.read', arguments: '{}' },
    ],
    usage: { input_tokens: 120, input_tokens_details: { cached_tokens: 100 }, output_tokens: 30 },
  });
});

test('OpenAI responses, streamed', async () => {
  const response = await ask(REPLY, '/responses', { input: 'hi', stream: true });
  const raw = await sseOf(response);
  const events = raw.map(({ data }) => JSON.parse(data));
  expect(raw.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  expect(events[0]).toMatchObject({
    type: 'response.created',
    response: { status: 'in_progress', output: [] },
  });
  const ofType = (type: string) => events.filter((event) => event.type === type);
  expect(
    ofType('response.output_text.delta')
      .map((event) => event.delta)
      .join(''),
  ).toBe(REPLY.text);
  const added = ofType('response.output_item.added');
  expect(added.map(({ item, output_index }) => [item.type, output_index])).toEqual([
    ['message', 0],
    ['function_call', 1],
    ['function_call', 2],
  ]);
  const argumentsOf = (id: string) =>
    ofType('response.function_call_arguments.delta')
      .filter((event) => event.item_id === id)
      .map((event) => event.delta);
  expect(argumentsOf(added[1].item.id).join('')).toBe('{"sku":"lamp-3","quantity":2}');
  const done = ofType('response.output_item.done').map(({ item }) => item);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: done } });
});

test('Anthropic messages, whole', async () => {
  const response = await ask(REPLY, '/messages', MESSAGES);
  expect(await response.json()).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'm1',
    content: [
      { type: 'text', text: REPLY.text },
      { type: 'tool_use', name: 'cart.add', input: { sku: 'lamp-3', quantity: 2 } },
      { type: 'tool_use', id: 'my-own-id', name: 'page.read', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 30 },
  });
});

test('Anthropic messages, streamed', async () => {
  const events = await parsed(await ask(REPLY, '/messages', { ...MESSAGES, stream: true }));
  expect(events[0]).toMatchObject({ type: 'message_start', message: { content: [], stop_reason: null } });
  expect(events.slice(-2)).toMatchObject([
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use' },
      usage: { input_tokens: 20, output_tokens: 30 },
    },
    { type: 'message_stop' },
  ]);
  const starts = events.filter(({ type }) => type === 'content_block_start');
  expect(starts.map(({ content_block }) => content_block.type)).toEqual(['text', 'tool_use', 'tool_use']);
  expect(starts[1].content_block.input).toEqual({});
  const block = (index: number) =>
    events.filter((event) => event.index === index && event.delta).map(({ delta }) => delta);
  expect(
    block(0)
      .map(({ text }) => text)
      .join(''),
  ).toBe(REPLY.text);
  expect(
    JSON.parse(
      block(1)
        .map(({ partial_json }) => partial_json)
        .join(''),
    ),
  ).toEqual({
    sku: 'lamp-3',
    quantity: 2,
  });
  expect(block(2)).toEqual([{ type: 'input_json_delta', partial_json: '' }]);
  expect(events.filter(({ type }) => type === 'content_block_stop')).toHaveLength(3);
});

const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

test('Google generateContent, whole', async () => {
  const response = await ask(REPLY, '/models/m1:generateContent', CONTENTS);
  expect(await response.json()).toMatchObject({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { text: REPLY.text },
            { functionCall: { name: 'cart.add', args: { sku: 'lamp-3', quantity: 2 } } },
            { functionCall: { id: 'my-own-id', name: 'page.read', args: {} } },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: 120, cachedContentTokenCount: 100, candidatesTokenCount: 30 },
      totalTokenCount: 150,
    },
    modelVersion: 'm1',
  });
});

test('Google generateContent, streamed', async () => {
  const chunks = await parsed(await ask(REPLY, '/models/m1:streamGenerateContent?alt=sse', CONTENTS));
  const candidates = chunks.map((chunk) => chunk.candidates[0]);
  const parts = candidates.flatMap(({ content }) => content.parts);
  const texts = parts.flatMap(({ text }) => text ?? []);
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.join('')).toBe(REPLY.text);
  expect(parts.slice(-2)).toMatchObject([
    { functionCall: { name: 'cart.add', args: { sku: 'lamp-3', quantity: 2 } } },
    { functionCall: { id: 'my-own-id' } },
  ]);
  expect(candidates.flatMap(({ finishReason }) => finishReason ?? [])).toEqual(['STOP']);
  expect(chunks.at(-1)).toMatchObject({ usageMetadata: { candidatesTokenCount: 30, totalTokenCount: 150 } });
});

test.each([
  ['/models/m1:generateContent', { contents: [] }],
  ['/models/m1:generateContent', { contents: [{ role: 'assistant', parts: [] }] }],
  ['/models/m1:streamGenerateContent', CONTENTS],
])('Google refuses at %s what it does not know: %j', async (path, body) => {
  const model = await startScriptedModel([REPLY]);
  onTestFinished(() => model.close());
  const response = await fetch(`${model.baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
});

test('plain text ends the turn in every format', async () => {
  const reply = { text: 'done' };
  const chat = await (await ask(reply, '/chat/completions', CHAT)).json();
  expect(chat.choices[0]).toMatchObject({ message: { content: 'done' }, finish_reason: 'stop' });
  const responses = await (await ask(reply, '/responses', { input: [] })).json();
  expect(responses.output).toHaveLength(1);
  const messages = await (await ask(reply, '/messages', MESSAGES)).json();
  expect(messages).toMatchObject({ content: [{ type: 'text', text: 'done' }], stop_reason: 'end_turn' });
  const google = await (await ask(reply, '/models/m1:generateContent', CONTENTS)).json();
  expect(google.candidates[0].content.parts).toEqual([{ text: 'done' }]);
});
