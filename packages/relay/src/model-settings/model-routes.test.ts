import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestRelay, type TestDevice, type TestRelay } from '../../test/server/test-relay.ts';

const KEY = 'sk-canary-9a7e';

async function ask({ url }: TestRelay, { token }: TestDevice, method: string, body?: object) {
  const response = await fetch(`${url}/api/settings/model`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

test('an owner chooses the model; its key is in a file of the relay’s user and is never returned', async () => {
  const relay = await startTestRelay({ env: {} });
  const owner = await relay.mint('owner');
  expect((await ask(relay, owner, 'GET')).body).toEqual({ source: 'rules', has_key: false });
  const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
  const set = await ask(relay, owner, 'PUT', { ...model, api_key: KEY });
  expect(set).toEqual({ status: 200, body: { source: 'settings', ...model, has_key: true } });
  const file = join(relay.data, 'model.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(KEY);

  const other = { provider: 'anthropic', model: 'claude-opus' };
  expect((await ask(relay, owner, 'PUT', other)).body).toMatchObject({ ...other, has_key: true });
  const elsewhere = await ask(relay, owner, 'PUT', { ...other, base_url: 'https://other.example/v1' });
  expect(elsewhere).toMatchObject({ status: 400, body: { error: { field: 'api_key' } } });

  const sent = JSON.stringify([
    await ask(relay, owner, 'GET'),
    await relay.ledger.auditBefore(1e9, 10),
    relay.lines,
  ]);
  expect(sent).toContain('model_chosen');
  expect(sent).not.toContain(KEY);
  expect((await ask(relay, owner, 'DELETE')).body).toEqual({ source: 'rules', has_key: false });
});

test('a price is kept while the model is the same, and null removes it', async () => {
  const relay = await startTestRelay({ env: {} });
  const owner = await relay.mint('owner');
  const model = { provider: 'anthropic', model: 'claude-sonnet-5-5' };
  const price = { input: 3, output: 15, cached: 0.3 };
  const put = async (more: object) => (await ask(relay, owner, 'PUT', { ...model, ...more })).body.price;
  expect(await put({ api_key: KEY, price })).toEqual(price);
  expect(await put({})).toEqual(price);
  expect(await put({ model: 'claude-opus' })).toBeUndefined();
  expect(await put({ price })).toEqual(price);
  expect(await put({ price: null })).toBeUndefined();
});

test('names a missing variable', async () => {
  const relay = await startTestRelay({ env: { DRAWBRIDGE_MODEL: 'openai/gpt-5.6' } });
  expect((await ask(relay, await relay.mint('owner'), 'GET')).body).toMatchObject({
    ...{ source: 'environment', problem: expect.stringContaining('OPENAI_API_KEY') },
  });
});

test('only an owner may choose, a person sees the name alone, and invalid input is named', async () => {
  const relay = await startTestRelay({ env: { OPENAI_API_KEY: KEY } });
  const person = await relay.mint('person');
  expect((await ask(relay, await relay.mint('agent'), 'GET')).status).toBe(403);
  expect(Object.keys((await ask(relay, person, 'GET')).body).toSorted()).toEqual(['model', 'source']);
  for (const method of ['PUT', 'DELETE']) expect((await ask(relay, person, method, {})).status).toBe(403);
  const owner = await relay.mint('owner');
  expect((await ask(relay, owner, 'GET')).body).toMatchObject({ source: 'environment', provider: 'openai' });
  const wrong: readonly (readonly [object, string])[] = [
    [{ provider: 'acme', model: 'm' }, 'provider'],
    [{ provider: 'openai' }, 'model'],
    [{ provider: 'compatible', model: 'm' }, 'base_url'],
    [{ provider: 'compatible', model: 'm', base_url: 'file:///etc' }, 'base_url'],
    [{ provider: 'google', model: 'm' }, 'api_key'],
    ...[
      3,
      { input: 3 },
      { input: 3, output: '15' },
      { input: -1, output: 1 },
      { input: 1, output: 1, out: 1 },
    ].map((price) => [{ provider: 'openai', model: 'm', api_key: KEY, price }, 'price'] as const),
  ];
  for (const [body, field] of wrong) {
    expect(await ask(relay, owner, 'PUT', body), field).toMatchObject({
      status: 400,
      body: { error: { field } },
    });
  }
});

test('names an unreadable file, and the next choice replaces it', async () => {
  const relay = await startTestRelay({ env: {} });
  const owner = await relay.mint('owner');
  for (const broken of ['{"provider":"anthr', 'null', '[]', '{"provider":1}']) {
    writeFileSync(join(relay.data, 'model.json'), broken);
    const { status, body } = await ask(relay, owner, 'GET');
    expect({ status, body }).toMatchObject({ status: 200, body: { source: 'settings', has_key: false } });
    expect(body.problem).toContain('Choose the model again');
  }
  const model = { provider: 'anthropic', model: 'claude-sonnet-5-5', api_key: KEY };
  expect((await ask(relay, owner, 'PUT', model)).body).toMatchObject({ source: 'settings', has_key: true });
});
