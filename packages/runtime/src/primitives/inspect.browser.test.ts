import { systemClock } from '@drawbridge/link';
import { expect, test } from 'vitest';
import { setUpTabs, startSite } from '../../test/hosts/cdp/tab-harness.ts';
import { runtimeOn } from '../../test/surface/runtime-harness.ts';
import { createControlPlane } from '../address/control-plane.ts';
import { allowInspection } from '../call/inspect-gate.ts';
import { createGrantBook } from '../grants/grant-book.ts';

const controlPlane = createControlPlane();
const { visit } = setUpTabs({ controlPlane });

const SECRET = 'kestrel7Qx';
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl';

const PAGE = `<!doctype html><meta charset=utf-8><title>Inspect</title>
  <label>Password <input type=password id=secret value="${SECRET}"></label>
  <button id=go>Go</button> <output id=out></output>
  <script>
    console.log('hello', { lamp: 1 }, ['a', 'b']);
    console.warn('typed', secret.value);
    localStorage.setItem('cart', 'two lamps'); localStorage.setItem('session_token', '${TOKEN}');
    sessionStorage.setItem('step', '3'); document.cookie = 'theme=dark';
    go.onclick = async () => {
      const answer = await fetch('/data?from=' + secret.value);
      await fetch('/missing');
      out.value = 'fetched ' + (await answer.json()).lamp;
      throw new Error('broken at ' + out.value);
    };
  </script>`;

const frameOf = (url: string) => `<iframe id=frame src="${url}"></iframe>
  <button onclick="frame.remove(); out.value = 'removed'">Remove</button>`;

async function openPage(options: Parameters<typeof runtimeOn>[1] = {}, relay = '') {
  const site = await startSite((request, response) => {
    if (request.url?.startsWith('/data'))
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ lamp: 7, said: `you typed ${SECRET}`, access_token: 'abc', jwt: TOKEN }));
    else if (request.url === '/picture') response.setHeader('content-type', 'image/png').end('no text');
    else if (request.url === '/missing') response.writeHead(404).end('no');
    else
      response
        .setHeader('content-type', 'text/html')
        .setHeader('set-cookie', ['sid=s3cr3t; HttpOnly', 'lang=en'])
        .end(relay === '' ? PAGE : PAGE + frameOf(relay));
  });
  const tab = await visit('/');
  await tab.tabs.navigate({ url: site.url });
  const served = runtimeOn(tab.host, options);
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await served.call(name, args);
    return { ...answer, text: JSON.stringify(answer) };
  };
  return {
    ...served,
    ask,
    site,
    tab,
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      await tab[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

const KINDS = ['inspect.messages', 'inspect.requests', 'inspect.storage'] as const;

test('[BRG-189] is off until a person says yes, which counts for the site while the tab is lent', async () => {
  await using page = await openPage();
  for (const name of KINDS) {
    const refused = await page.ask(name);
    expect(refused).toMatchObject({ error: { code: 'permission_denied' } });
    expect(refused.text).toContain('--inspect');
  }
  expect(await page.ask('inspect.body', { request_id: 'r1' })).toMatchObject({
    error: { code: 'permission_denied' },
  });
  expect(page.questions).toHaveLength(4);
  expect(page.questions[0]).toMatchObject({ name: 'inspect', effect: 'read', origin: page.site.url });
  expect(page.questions[0]?.sentence).toContain('developer tools');
  page.decide.next = 'once';
  for (const name of KINDS) expect(await page.ask(name)).toMatchObject({ type: 'action_call_output' });
  expect(page.questions).toHaveLength(5);
});

test('[BRG-189] [BRG-190] shows console, errors, requests and bodies without a secret', async () => {
  const grants = createGrantBook({ now: systemClock.now, newId: () => crypto.randomUUID() });
  allowInspection(grants, [], 'Ada');
  await using page = await openPage({ grants });
  grants.lend(page.tab.host.runtimeKey, 'Ada');
  expect(await page.ask('inspect.requests')).toMatchObject({ type: 'action_call_output' });
  await page.tab.click('Go');
  await page.tab.waitForText('fetched 7');
  expect(page.questions).toEqual([]);

  let messages = await page.ask('inspect.messages');
  while (!messages.text.includes('broken at')) messages = await page.ask('inspect.messages');
  expect(messages).toMatchObject({
    output: {
      messages: expect.arrayContaining([
        expect.objectContaining({ level: 'log', text: 'hello {lamp: 1} [a, b]' }),
        expect.objectContaining({ level: 'warn', text: 'typed •••' }),
        expect.objectContaining({ level: 'exception', text: expect.stringContaining('broken at fetched 7') }),
      ]),
    },
  });

  const requests = await page.ask('inspect.requests', { query: '/data' });
  expect(requests).toMatchObject({
    output: {
      requests: [{ method: 'GET', status: 200, type: 'fetch', url: `${page.site.url}/data?from=•••` }],
    },
  });
  // The time is known when the whole body has come, after its status.
  await expect
    .poll(() => page.ask('inspect.requests', { query: '404' }))
    .toMatchObject({ output: { requests: [{ status: 404, ms: expect.any(Number) }] } });
  const request_id = /"request_id":"(r\d+)"/.exec(requests.text)?.[1];
  const body = await page.ask('inspect.body', { request_id });
  expect(body).toMatchObject({ output: { mime_type: 'application/json' } });
  expect(body.text).toContain('\\"lamp\\":7');
  expect(body.text).toContain('you typed •••');
  expect(body.text).not.toContain('abc');

  const all = messages.text + requests.text + body.text;
  for (const secret of [SECRET, TOKEN, TOKEN.slice(0, 20)]) expect(all).not.toContain(secret);
  expect(await page.ask('inspect.body', { request_id: 'r9999' })).toMatchObject({
    error: { code: 'target_not_found' },
  });
});

test('[BRG-191] names cookies and storage keys; values only of allowed keys, never HttpOnly', async () => {
  await using page = await openPage();
  page.decide.next = 'once';
  const named = await page.ask('inspect.storage');
  expect(named).toMatchObject({
    output: {
      cookies: expect.arrayContaining([
        { name: 'sid', http_only: true, secure: false },
        { name: 'theme', http_only: false, secure: false },
      ]),
      local: expect.arrayContaining([
        { name: 'cart', length: 9 },
        { name: 'session_token', length: TOKEN.length },
      ]),
      session: [{ name: 'step', length: 1 }],
    },
  });
  for (const value of ['s3cr3t', 'two lamps', TOKEN, 'dark']) expect(named.text).not.toContain(value);
  page.decide.next = 'deny';
  expect(await page.ask('inspect.storage', { keys: ['cart'] })).toMatchObject({
    error: { code: 'permission_denied' },
  });
  page.decide.next = 'once';
  const valued = await page.ask('inspect.storage', { keys: ['cart', 'theme', 'sid'] });
  expect(page.questions.at(-1)?.data).toEqual(
    expect.arrayContaining(['value of: "cart"', 'value of: "theme"', 'value of: "sid"']),
  );
  expect(valued.text).toContain('two lamps');
  expect(valued.text).toContain('dark');
  for (const value of ['s3cr3t', TOKEN]) expect(valued.text).not.toContain(value);
  const asked = page.questions.length;
  await page.ask('inspect.storage', { keys: ['theme'] });
  expect(page.questions).toHaveLength(asked);
});

test('[BRG-189] a yes at one site shows nothing of another that was in the tab', async () => {
  await using page = await openPage();
  await using other = await startSite((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Other</title>'),
  );
  page.decide.next = 'once';
  const { text } = await page.ask('inspect.requests');
  const request_id = /"request_id":"(r\d+)"/.exec(text)?.[1];
  await page.tab.tabs.navigate({ url: other.url });
  const there = (await page.ask('inspect.messages')).text + (await page.ask('inspect.requests')).text;
  expect(page.questions.map(({ origin }) => origin)).toEqual([page.site.url, other.url]);
  expect(there).toContain(other.url);
  expect(there).not.toContain(page.site.url);
  expect(there).not.toContain('hello');
  expect(await page.ask('inspect.body', { request_id })).toMatchObject({
    error: { code: 'target_not_found' },
  });
});

test('[BRG-190] shows nothing of a frame of the relay', async () => {
  await using relay = await startSite((request, response) => {
    const script = `<script>console.log('relay canary'); fetch('/canary'); throw new Error('relay canary')</script>`;
    response.setHeader('content-type', 'text/html').end(request.url === '/' ? script : 'canary');
  });
  controlPlane.learn([new URL(relay.url).host]);
  await using page = await openPage({}, relay.url);
  page.decide.next = 'once';
  await page.ask('inspect.requests');
  await page.tab.click('Go');
  await page.tab.waitForText('fetched 7');
  const text = (await page.ask('inspect.messages')).text + (await page.ask('inspect.requests')).text;
  expect(text).toContain('hello');
  expect(text).toContain('/data');
  expect(text).not.toContain('canary');
  expect(text).not.toContain(relay.url);
});

test('[BRG-198] a yes at a page shows nothing of its frames of other sites, unless they are on too', async () => {
  const inner = `<p>Inner</p><script>console.log('inner canary'); fetch('/canary-data').then(() => console.log('over'))</script>`;
  await using other = await startSite((request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(request.url?.includes('canary-data') ? 'canary body' : inner),
  );
  const grants = createGrantBook({ now: systemClock.now, newId: () => crypto.randomUUID() });
  await using page = await openPage({ grants }, `${other.url}/canary-page`);
  grants.lend(page.tab.host.runtimeKey, 'Ada');
  const { inspection } = page.tab.host;
  const isLogged = () => {
    const requests = JSON.stringify(inspection?.requests());
    const isOver = JSON.stringify(inspection?.messages()).includes('over');
    return isOver && requests.includes('canary-page') && requests.includes('canary-data');
  };
  const look = async () => {
    const requests = await page.ask('inspect.requests');
    return { requests, text: requests.text + (await page.ask('inspect.messages')).text };
  };
  page.decide.next = 'once';
  await page.ask('inspect.requests');
  await page.tab.tabs.navigate({ url: `${page.site.url}/again` });
  await expect.poll(isLogged).toBe(true);
  const { text } = await look();
  expect(text).toContain('/again');
  expect(text).toContain('hello');
  expect(text).not.toContain('canary');
  const hidden = inspection?.requests().filter(({ url }) => url.includes('canary')) ?? [];
  expect(hidden.length).toBeGreaterThan(1);
  for (const { request_id } of hidden)
    expect(await page.ask('inspect.body', { request_id })).toMatchObject({
      error: { code: 'target_not_found' },
    });
  allowInspection(grants, [], 'Ada');
  const open = (await look()).text;
  for (const words of ['canary-page', 'canary-data', 'inner canary']) expect(open).toContain(words);
});

test('works in a tab that lost a frame of another site before', async () => {
  await using other = await startSite((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>Inner</p>'),
  );
  await using page = await openPage({}, other.url.replace('127.0.0.1', 'localhost'));
  await page.tab.waitForText('Inner');
  await page.tab.click('Remove');
  await page.tab.waitForText('removed');
  page.decide.next = 'once';
  expect((await page.ask('inspect.messages')).text).toContain('hello');
});
