import { createServer } from 'node:http';
import { askInPage, listenOnLoopback, openPage, proofInPage } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay, type TestRelay } from '../../../test/server/test-relay.ts';

const SOCKETS = ['/ws/chat', '/ws/agent', '/ws/runtime'];
const ROUTES = ['/', '/healthz', '/metrics', '/api/me', '/api/devices', '/api/pair', '/api/files', '/mcp'];

/** Another program's page on the same machine: same site, another origin. */
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

/** Pairs this browser by a link: the page sends the secret and a public key, and gets a name. */
async function pairedPage(relay: TestRelay) {
  const opened = await openPage();
  onTestFinished(opened.close);
  const { secret } = await relay.devices.invitations.create({
    roles: ['person'],
    scopes: [],
    label: 'Browser',
    by: 'machine',
  });
  await opened.page.goto(`${relay.url}/#pair=${secret}`);
  await opened.page.getByText('This device is paired').waitFor();
  return opened;
}

/** Runs in a page: the socket's first message, or that it did not open. */
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

test('[CHT-89] our own page is identified by its proof, on its socket and in its requests', async () => {
  const relay = await startTestRelay();
  const { page } = await pairedPage(relay);
  expect((await askInPage(page, 'GET /api/me')).body).toMatchObject({ roles: ['person'] });
  expect(await page.evaluate(async () => (await fetch('/api/me')).status)).toBe(401);
  const url = `${relay.url.replace('http', 'ws')}/ws/chat`;
  const unproven = { url: url.replace('chat', 'agent'), protocols: ['drawbridge'] };
  expect(await page.evaluate(firstWord, unproven)).toBe('refused');
  const protocols = ['drawbridge', `proof.${await proofInPage(page, 'GET', '/ws/chat')}`];
  expect(await page.evaluate(firstWord, { url, protocols })).toContain('connection_ack');
  const metrics = await (await fetch(`${relay.url}/metrics`)).text();
  expect(metrics).toContain('drawbridge_connections{port="chat",role="person"} 1\n');
  const session = { session_id: 'one', proxy_device_id: 'p', metadata: {}, at: 1 };
  await relay.ledger.commit([{ do: 'create_session', ...session }]);
  const content = '<script>1</script>';
  const sent = await askInPage(page, 'POST /api/files?name=a.html&session_id=one', content);
  const path = `/api/files/${sent.body.file_id}`;
  expect(await askInPage(page, `GET ${path}`)).toEqual({ status: 200, body: content });
  expect(await page.evaluate(async (to) => (await fetch(to)).status, path)).toBe(401);
});

test('[CHT-89] a page of another origin gets nothing, although the browser is paired', async () => {
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
