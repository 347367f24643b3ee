import { sessionFound } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import { anyUuid, CLICK, FIRST, startInteract } from '../../test/interact/interact-harness.ts';
import { rootDomainOf, titleOf } from './domain.ts';

test.each([
  ['https://www.shop.co.uk/cart?x=1', 'shop.co.uk'],
  ['https://google.com', 'google.com'],
  ['https://mail.google.com/', 'google.com'],
  ['http://localhost:3000/a', 'localhost'],
  ['http://192.168.1.7:8080/', '192.168.1.7'],
  ['http://[::1]:8080/', '::1'],
  ['https://sub.example.com.au/', 'example.com.au'],
  ['http://intranet/wiki', 'intranet'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
])('[INT-146] the root domain of %s is %s', (url, domain) => {
  expect(rootDomainOf(url)?.replace(/^\[|\]$/g, '')).toBe(domain);
});

test("[INT-146] [INT-145] an address without a host has no domain, so the client's value counts", async () => {
  for (const url of ['about:blank', 'chrome://settings', 'data:text/html,x', 'file:///tmp/a']) {
    expect([url, rootDomainOf(url)]).toEqual([url, undefined]);
  }
  const { call, get } = await startInteract();
  await call({ ...FIRST, url: 'about:blank', domain: 'blank.example', sessionId: 'one' });
  expect((await get('/api/session/latest')).body).toMatchObject({
    domain: 'blank.example',
    title: 'blank.example: Search for SpaceX',
  });
  await call({ ...FIRST, domain: 'lie.example', sessionId: 'two' });
  expect((await get('/api/session/latest')).body).toMatchObject({ sessionId: 'two', domain: 'google.com' });
});

test('[INT-144] [INT-145] a title is the domain and the task, cut to fit, unless the client sends one', async () => {
  expect(titleOf('google.com', 'Search for SpaceX')).toBe('google.com: Search for SpaceX');
  expect(titleOf('a.example', 'x'.repeat(10_000))).toHaveLength(500);
  const { call, get } = await startInteract();
  await call({ ...FIRST, title: 'Rockets', sessionId: 'own' });
  expect((await get('/api/session/latest')).body).toMatchObject({ title: 'Rockets', isRenamed: false });
});

test('[INT-147] a call creates the session it names, or a new one', async () => {
  const { call } = await startInteract();
  expect((await call({ ...FIRST, sessionId: 'abc-123' })).body.data.sessionId).toBe('abc-123');
  const next = (await call({ ...FIRST, sessionId: 'abc-123', query: 'Again' })).body.data;
  expect(next.sessionId).toBe('abc-123');
  expect((await call(FIRST)).body.data.sessionId).toEqual(anyUuid);
});

test('[INT-55] [INT-148] [INT-149] [INT-150] [INT-152] [INT-155] [INT-156] a session follows its tab and keeps its title', async () => {
  const { call, get, ask } = await startInteract();
  const { taskId, sessionId } = (await call({ ...FIRST, url: 'https://google.com', tabId: 7 })).body.data;
  const latest = async () => (await get('/api/session/latest')).body;
  expect(await latest()).toMatchObject({
    sessionId,
    title: 'google.com: Search for SpaceX',
    domain: 'google.com',
    url: 'https://google.com',
    isRenamed: false,
    tabId: 7,
    metadata: {},
  });
  await call({ ...FIRST, taskId, url: 'https://www.google.com/maps' });
  expect(await latest()).toMatchObject({
    domain: 'google.com',
    url: 'https://www.google.com/maps',
    metadata: {},
  });
  await call({ ...FIRST, taskId, url: 'https://github.com' });
  const moved = {
    domain: 'github.com',
    url: 'https://github.com',
    title: 'google.com: Search for SpaceX',
    metadata: { initialDomain: 'google.com', initialUrl: 'https://google.com' },
  };
  expect(await latest()).toMatchObject(moved);
  await call({ ...FIRST, taskId, url: 'https://example.org/', tabId: 8 });
  expect(await latest()).toMatchObject({
    ...moved,
    domain: 'example.org',
    url: 'https://example.org/',
    tabId: 8,
  });
  const renamed = await ask(`/api/session/${sessionId}`, {
    method: 'PATCH',
    body: JSON.stringify({ title: 'Rockets' }),
  });
  expect(renamed).toMatchObject({ status: 200, body: { sessionId, title: 'Rockets', isRenamed: true } });
  await call({ ...FIRST, taskId, url: 'https://google.com' });
  expect(await latest()).toMatchObject({ title: 'Rockets', isRenamed: true, domain: 'google.com' });
  // INT-152: an equal tab number joins no session.
  expect((await call({ ...FIRST, tabId: 8 })).body.data.sessionId).not.toBe(sessionId);
});

test('[INT-57] [INT-73] refuses an invalid rename, and one of a missing session', async () => {
  const { call, ask, get } = await startInteract();
  const { sessionId } = (await call(FIRST)).body.data;
  const rename = (id: string, body: string) => ask(`/api/session/${id}`, { method: 'PATCH', body });
  for (const body of ['', '{}', '{"title":""}', '{"title":7}', JSON.stringify({ title: 'x'.repeat(501) })]) {
    expect([body, await rename(sessionId, body)]).toMatchObject([
      body,
      { status: 400, body: { success: false } },
    ]);
  }
  expect((await rename(sessionId, '{"title":7}')).body.path).toBe('title');
  expect(await rename('nowhere', '{"title":"x"}')).toMatchObject({
    status: 404,
    body: { success: false, code: 'session_not_found' },
  });
  expect((await get('/api/session/latest')).body.isRenamed).toBe(false);
});

test('[INT-56] [INT-154] [INT-157] the latest session is that of the latest call, for a domain or overall', async () => {
  const { call, get } = await startInteract();
  expect(await get('/api/session/latest')).toMatchObject({
    status: 404,
    body: { success: false, code: 'session_not_found' },
  });
  expect(await get('/api/session/by-domain/google.com')).toMatchObject({
    status: 200,
    body: { session: null },
  });
  await call({ ...FIRST, sessionId: 'one' });
  const { taskId } = (await call({ ...FIRST, sessionId: 'two' })).body.data;
  await call({ ...FIRST, sessionId: 'three', url: 'https://example.org/' });
  const found = await get('/api/session/by-domain/www.google.com');
  expect(found).toMatchObject({ status: 200, body: { session: { sessionId: 'two', domain: 'google.com' } } });
  expect(sessionFound.parse(JSON.stringify(found.body))).toEqual(found.body);
  expect((await get('/api/session/latest')).body.sessionId).toBe('three');
  await call({ ...FIRST, taskId });
  expect((await get('/api/session/latest')).body.sessionId).toBe('two');
});

test('[INT-158] people see the same session, with the same title and messages', async () => {
  const { call, relay, ask } = await startInteract();
  const person = await relay.connect('person');
  const { sessionId } = (await call(FIRST)).body.data;
  const { session } = await person.next('session_up');
  expect(session).toMatchObject({
    session_id: sessionId,
    display_name: 'google.com: Search for SpaceX',
    agent_name: 'drawbridge',
    status: 'healthy',
  });
  const [question, answer] = [await person.next('message_event'), await person.next('message_event')];
  expect([question.message, answer.message]).toMatchObject([
    { role: 'user', content: 'Search for SpaceX' },
    {
      role: 'assistant',
      content: 'I press it.',
      metadata: { details: { kind: 'step', action: 'click(42)' } },
    },
  ]);
  await ask(`/api/session/${sessionId}`, { method: 'PATCH', body: JSON.stringify({ title: 'Rockets' }) });
  expect((await person.next('session_up')).session.display_name).toBe('Rockets');
});

test('[INT-155] [INT-150] keeps a name that a person gives during a decision', async () => {
  const { call, get, ask } = await startInteract(async ({ memory }) => {
    if (memory !== undefined) {
      await ask('/api/session/one', { method: 'PATCH', body: '{"title":"Mine"}' });
    }
    return CLICK;
  });
  const { taskId } = (await call({ ...FIRST, sessionId: 'one' })).body.data;
  await call({ ...FIRST, taskId, url: 'https://github.com' });
  expect((await get('/api/session/latest')).body).toMatchObject({
    ...{ title: 'Mine', isRenamed: true, domain: 'github.com' },
  });
});
