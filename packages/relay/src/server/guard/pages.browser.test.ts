import { createServer } from 'node:http';
import { listenOnLoopback, openPage } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestRelay } from '../server.suite.ts';

const SOCKETS = ['/ws/chat', '/ws/agent', '/ws/runtime'];
const ROUTES = ['/', '/healthz', '/metrics', '/api/me', '/api/devices', '/api/pair', '/api/files', '/mcp'];

/** Another program's page on the same machine: the same site, and another origin. */
async function otherOrigin(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Elsewhere</title>');
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}

/** Pairs this browser as the web app will: the page sends the link's secret, and gets a cookie. */
async function pairedPage(relay: TestRelay) {
  const opened = await openPage();
  onTestFinished(opened.close);
  const { secret } = await relay.devices.invitations.create({
    roles: ['person'],
    scopes: [],
    label: 'Browser',
    by: 'machine',
  });
  await opened.page.goto(relay.url);
  const status = await opened.page.evaluate(
    async (body) =>
      (
        await fetch('/api/pair', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
    { secret },
  );
  expect(status).toBe(200);
  return opened;
}

/** In a page: what a socket says first, or that it did not open. */
const firstWord = ({ url, protocols }: { url: string; protocols: string[] }): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, protocols);
    socket.onerror = () => resolve('refused');
    socket.onmessage = ({ data }) => resolve(String(data));
    socket.onopen = () =>
      socket.send(
        JSON.stringify({
          type: 'connection_hello',
          protocol_version: 1,
          peer_role: 'browser',
          client_name: 'page',
        }),
      );
  });

test('[CHT-89] our own page is known by its cookie, on its socket and in what it reads and sends', async () => {
  const relay = await startTestRelay();
  const { page } = await pairedPage(relay);
  const me = await page.evaluate(async () => (await fetch('/api/me')).json());
  expect(me).toMatchObject({ roles: ['person'] });
  const url = `${relay.url.replace('http', 'ws')}/ws/chat`;
  expect(await page.evaluate(firstWord, { url, protocols: ['drawbridge'] })).toContain('connection_ack');
  const metrics = await (await fetch(`${relay.url}/metrics`)).text();
  expect(metrics).toContain('drawbridge_connections{port="chat",role="person"} 1\n');
  const session = { session_id: 'one', proxy_device_id: 'p', metadata: {}, at: 1 };
  await relay.ledger.commit([{ do: 'create_session', ...session }]);
  const sent = await page.evaluate(async () =>
    (
      await fetch('/api/files?name=a.html&session_id=one', { method: 'POST', body: '<script>1</script>' })
    ).json(),
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate(
      (id) => {
        location.href = `/api/files/${id}`;
      },
      String(Reflect.get(Object(sent), 'file_id')),
    ),
  ]);
  expect(download.suggestedFilename()).toBe('a.html');
});

test('[CHT-89] a page elsewhere gets nothing, although the browser is paired', async () => {
  const relay = await startTestRelay();
  const { page } = await pairedPage(relay);
  await page.goto(await otherOrigin());
  for (const path of SOCKETS) {
    for (const protocols of [[], ['drawbridge'], ['drawbridge', 'bearer.guess']]) {
      const url = `${relay.url.replace('http', 'ws')}${path}`;
      expect(await page.evaluate(firstWord, { url, protocols }), path).toBe('refused');
    }
  }
  const read = (init: { method: string; mode: RequestMode; path: string }) =>
    page.evaluate(
      async ({ url, method, mode }) => {
        try {
          return await (await fetch(url, { method, mode, credentials: 'include' })).text();
        } catch {
          return '';
        }
      },
      { ...init, url: relay.url + init.path },
    );
  for (const path of ROUTES) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await read({ path, method, mode: 'cors' }), `${method} ${path}`).toBe('');
    }
    expect(await read({ path, method: 'POST', mode: 'no-cors' })).toBe('');
  }
  const devices = await relay.devices.list();
  expect(devices.filter(({ revoked_at }) => revoked_at !== null)).toEqual([]);
  expect(relay.lines.filter((line) => line.includes('chat_opened'))).toEqual([]);
});
