import { expect, onTestFinished, test } from 'vitest';
import { createGate } from './gate.ts';
import type { Script } from './scripted-model/script.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

async function start(script: Script): Promise<ScriptedModel> {
  const model = await startScriptedModel(script);
  onTestFinished(() => model.close());
  return model;
}

function post(model: ScriptedModel, path: string, body: unknown, init: RequestInit = {}) {
  return fetch(`${model.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-chat', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });
}

const chat = (model: ScriptedModel, more: object = {}, init: RequestInit = {}) =>
  post(model, '/chat/completions', { model: 'm1', messages: [], ...more }, init);

const textOf = async (response: Response) => (await response.json()).choices[0].message.content;

test('answers reply by reply; a function reply depends on the request', async () => {
  const model = await start([{ text: 'first' }, ({ model: name }) => ({ text: `I am ${name}` })]);
  expect(await textOf(await chat(model))).toBe('first');
  expect(await textOf(await chat(model, { model: 'm2' }))).toBe('I am m2');
  model.verify();
});

test('a script can be one function of request and turn', async () => {
  const model = await start((_request, turn) => (turn < 3 ? { text: `turn ${turn}` } : undefined));
  expect(await textOf(await chat(model))).toBe('turn 1');
  expect(await textOf(await chat(model))).toBe('turn 2');
  expect((await chat(model)).status).toBe(500);
});

test('keeps every request with its key, headers and body', async () => {
  const model = await start([{ text: 'a' }, { text: 'b' }]);
  await chat(model, { messages: [{ role: 'user', content: 'hello' }] });
  const headers = { 'x-api-key': 'sk-ant', 'anthropic-version': '2023-06-01' };
  await post(model, '/messages', { model: 'm2', messages: [], max_tokens: 5, stream: true }, { headers });
  expect(model.requests()).toMatchObject([
    {
      provider: 'openai-chat',
      apiKey: 'sk-chat',
      model: 'm1',
      stream: false,
      headers: { authorization: 'Bearer sk-chat' },
      body: { messages: [{ role: 'user', content: 'hello' }] },
    },
    { provider: 'anthropic-messages', apiKey: 'sk-ant', model: 'm2', stream: true },
  ]);
});

test('a request beyond the script gets a 500 and is recorded', async () => {
  const model = await start([{ text: 'only' }]);
  await chat(model);
  const response = await chat(model);
  expect(response.status).toBe(500);
  expect((await response.json()).error.message).toContain('no reply for request 2 (openai-chat, model m1)');
  expect(model.problems()).toHaveLength(1);
  expect(() => model.verify()).toThrow('no reply for request 2');
});

test('await using fails a test that ran out of script', async () => {
  const forgetful = async () => {
    await using model = await startScriptedModel([]);
    await chat(model);
  };
  await expect(forgetful()).rejects.toThrow('no reply for request 1');
});

test('unused replies fail verify', async () => {
  const model = await start([{ text: 'a' }, { text: 'b' }]);
  await chat(model);
  expect(() => model.verify()).toThrow('the last 1');
});

test('a request that a reply did not expect gets a 500 with the reason', async () => {
  const model = await start([{ text: 'hi', expect: ({ body }) => expect(body).toHaveProperty('tools') }]);
  expect((await chat(model)).status).toBe(500);
  expect(model.problems()[0]?.message).toMatch(/Request 1 is not what the script expected.*tools/s);
});

test.each([
  ['/chat/completions', { model: 'm1' }, "'messages' must be an array"],
  ['/chat/completions', [1], 'not a JSON object'],
  ['/responses', { model: 'm1' }, "'input' must be"],
  ['/responses', { input: 'hi' }, "'model' must be a string"],
  ['/messages', { model: 'm1', messages: [] }, 'anthropic-version'],
])('refuses what the provider at %s would refuse: %j', async (path, body, reason) => {
  const model = await start([{ text: 'never' }]);
  const response = await post(model, path, body);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    type: 'invalid_request_error',
    message: expect.stringContaining(reason),
  });
  expect(model.requests()).toEqual([]);
  expect(model.problems()).toHaveLength(1);
});

test('lists its model, and has no other endpoint', async () => {
  const model = await start([]);
  const list = await (await fetch(`${model.baseUrl}/models`)).json();
  expect(list).toMatchObject({ object: 'list', data: [{ id: 'scripted-model', object: 'model' }] });
  expect(model.problems()).toEqual([]);
  expect((await fetch(`${model.baseUrl}/embeddings`)).status).toBe(404);
  expect(model.problems()[0]?.message).toContain('GET /v1/embeddings');
});

test('fails with a status and a retry-after', async () => {
  const model = await start([
    { fault: { kind: 'status', status: 429, retryAfterSeconds: 7 } },
    { fault: { kind: 'status', status: 500, message: 'on fire' } },
    { fault: { kind: 'status', status: 529 } },
  ]);
  const limited = await chat(model, { stream: true });
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
  expect((await limited.json()).error.code).toBe('rate_limit_exceeded');
  expect(await (await chat(model)).json()).toMatchObject({
    error: { type: 'server_error', message: 'on fire' },
  });
  const headers = { 'anthropic-version': '2023-06-01' };
  const busy = await post(model, '/messages', { model: 'm', messages: [], max_tokens: 1 }, { headers });
  expect(await busy.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
  expect(model.problems()).toEqual([]);
});

test('holds an answer until the test releases it', async () => {
  const gate = createGate();
  const model = await start([{ text: 'at last', hold: { gate } }]);
  let answered = false;
  const asking = chat(model).then((response) => {
    answered = true;
    return response;
  });
  await gate.reached;
  expect(answered).toBe(false);
  expect(model.requests()).toHaveLength(1);
  gate.open();
  expect(await textOf(await asking)).toBe('at last');
  await expect(model.requests()[0]?.ended).resolves.toBe('answered');
});

test('holds a stream in the middle, and notices that the client left', async () => {
  const gate = createGate();
  const model = await start([{ text: 'a long story, never told', hold: { gate, afterEvents: 2 } }]);
  const abort = new AbortController();
  const response = await chat(model, { stream: true }, { signal: abort.signal });
  await gate.reached;
  const first = await response.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toContain('"role":"assistant"');
  abort.abort();
  await expect(model.requests()[0]?.ended).resolves.toBe('client left');
});

test('cuts a stream after a number of events', async () => {
  const gate = createGate();
  const text = 'one two three four five six';
  const model = await start([
    { text, hold: { gate, afterEvents: 2 }, fault: { kind: 'cut', afterEvents: 2 } },
  ]);
  const response = await chat(model, { stream: true });
  let received = '';
  const reading = async () => {
    for await (const part of response.body ?? []) {
      received += new TextDecoder().decode(part);
      // Opened only now: a reader may lose the last data of a broken connection.
      if (received.split('\n\n').length > 2) gate.open();
    }
  };
  await expect(reading()).rejects.toThrow();
  expect(received.match(/^data: /gm)).toHaveLength(2);
  await expect(model.requests()[0]?.ended).resolves.toBe('cut');
});

test('cuts an answer that is not streamed in the middle', async () => {
  const model = await start([{ text: 'lost', fault: { kind: 'cut' } }]);
  const response = await chat(model);
  await expect(response.text()).rejects.toThrow();
  await expect(model.requests()[0]?.ended).resolves.toBe('cut');
});

test('sends truncated JSON, whole and streamed', async () => {
  const model = await start([
    { text: 'x', fault: { kind: 'malformed' } },
    { text: 'x', fault: { kind: 'malformed' } },
  ]);
  await expect((await chat(model)).json()).rejects.toThrow(SyntaxError);
  const lines = (await (await chat(model, { stream: true })).text()).match(/^data: .*$/gm) ?? [];
  expect(lines).toHaveLength(2);
  expect(() => JSON.parse(lines[0]?.slice(6) ?? '')).not.toThrow();
  expect(() => JSON.parse(lines[1]?.slice(6) ?? '')).toThrow(SyntaxError);
});

test('close ends held and half-sent answers, and can be called twice', async () => {
  const early = createGate();
  const late = createGate();
  const model = await start([
    { hold: { gate: early } },
    { text: 'words', hold: { gate: late, afterEvents: 1 } },
  ]);
  const held = expect(chat(model)).rejects.toThrow();
  await early.reached;
  const halfSent = await chat(model, { stream: true });
  await late.reached;
  await Promise.all([model.close(), model.close()]);
  await held;
  await expect(halfSent.text()).rejects.toThrow();
  expect(await Promise.all(model.requests().map(({ ended }) => ended))).toEqual(['cut', 'cut']);
});
