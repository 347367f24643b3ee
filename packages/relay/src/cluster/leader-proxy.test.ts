import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { temporaryFolder } from '../../test/server/test-relay.ts';
import { certificateOf } from '../server/tls.ts';
import { createLeaderProxy } from './leader-proxy.ts';
import { nodeUrl } from './node-client.ts';
import { createProxySignature, type ProxiedRequest } from './proxy-signature.ts';

const SIGNATURE = createProxySignature('secret');
const PASSED: ProxiedRequest = { origin: 'ours', address: '192.0.2.7' };

async function serve(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  sockets?: WebSocketServer,
) {
  const server = createServer(answer);
  server.on('upgrade', (incoming, socket, head) => {
    if (sockets === undefined)
      return void socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    sockets.handleUpgrade(incoming, socket, head, (accepted) =>
      sockets.emit('connection', accepted, incoming),
    );
  });
  const port = await listenOnLoopback(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, port, close };
}

/** A node, and the leader that it proxies everything to. */
async function pair(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  sockets?: WebSocketServer,
) {
  const leader = await serve(answer, sockets);
  const leaderProxy = createLeaderProxy({ signature: SIGNATURE, onProxied: () => {}, onRefused: () => {} });
  onTestFinished(leaderProxy.close);
  leaderProxy.leaderAt(leader.url);
  const server = createServer((incoming, outgoing) => leaderProxy.request(incoming, outgoing, PASSED));
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => {});
    leaderProxy.upgrade(incoming, socket, head, PASSED);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, leader, leaderProxy };
}

test('the leader gets the request unchanged with the node’s facts, and the client gets its answer', async () => {
  const seen: IncomingMessage[] = [];
  const { url } = await pair((incoming, outgoing) => {
    seen.push(incoming);
    outgoing.setHeader('set-cookie', ['a=1', 'b=2']);
    void text(incoming).then((body) => outgoing.writeHead(418).end(`got ${body}`));
  });
  const response = await fetch(`${url}/api/x?y=z`, {
    method: 'PUT',
    body: 'the body',
    headers: { authorization: 'Bearer t', cookie: 'c=d' },
  });
  expect([response.status, await response.text()]).toEqual([418, 'got the body']);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const [incoming] = seen;
  expect(incoming).toMatchObject({ method: 'PUT', url: '/api/x?y=z' });
  expect(incoming?.headers).toMatchObject({
    authorization: 'Bearer t',
    cookie: 'c=d',
    host: new URL(url).host,
  });
  expect(incoming && SIGNATURE.open(incoming)).toEqual(PASSED);
});

test('does not believe forged headers, and does not forward them', async () => {
  const seen: (ProxiedRequest | undefined)[] = [];
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    seen.push(SIGNATURE.open(incoming));
    outgoing.end();
  };
  const { url, leader } = await pair(answer);
  const forged = createProxySignature('guess').headers({ origin: 'ours', address: '127.0.0.1' });
  const right = SIGNATURE.headers({ origin: 'ours', address: '10.0.0.1' });
  await fetch(url, { headers: forged });
  await fetch(url, { headers: right });
  await fetch(leader.url, { headers: forged });
  await fetch(leader.url, { headers: { ...right, 'x-drawbridge-origin': 'somebody' } });
  await fetch(leader.url);
  expect(seen).toEqual([PASSED, PASSED, undefined, undefined, undefined]);
});

test('a stream begins at once and ends with its client; a large body arrives whole', async () => {
  const big = 'x'.repeat(8 * 1_048_576);
  const gone = Promise.withResolvers<void>();
  const { url } = await pair((incoming, outgoing) => {
    if (incoming.url === '/big') return void text(incoming).then((body) => outgoing.end(body));
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    outgoing.flushHeaders();
    outgoing.on('close', gone.resolve);
  });
  const leaving = new AbortController();
  const stream = await fetch(`${url}/stream`, { signal: leaving.signal });
  expect(stream.status).toBe(200);
  leaving.abort();
  await gone.promise;
  const echo = await fetch(`${url}/big`, { method: 'POST', body: big });
  expect((await echo.text()).length).toBe(big.length);
});

test('answers 503 with Retry-After when there is no leader, or it is gone', async () => {
  const { url, leader, leaderProxy } = await pair((_, outgoing) => void outgoing.end());
  leaderProxy.leaderAt(undefined);
  const none = await fetch(url);
  expect([none.status, none.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await none.json()).toMatchObject({ error: { code: 'unavailable' } });
  leaderProxy.leaderAt(leader.url);
  leader.close();
  expect((await fetch(url)).status).toBe(503);
});

test('a new leader ends requests to the last one, with 503 where no answer had begun', async () => {
  const asked = Promise.withResolvers<void>();
  const { url, leaderProxy } = await pair(() => asked.resolve());
  const next = await serve((_, outgoing) => void outgoing.end('the next one'));
  const waiting = fetch(url);
  await asked.promise;
  leaderProxy.leaderAt(next.url);
  expect((await waiting).status).toBe(503);
  expect(await (await fetch(url)).text()).toBe('the next one');
});

test('the client sees a truncated answer when the leader breaks off', async () => {
  const { url } = await pair((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' });
    outgoing.write('the first half');
    setImmediate(() => outgoing.destroy());
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test('sockets: both directions, both ends, and a refusal unchanged', async () => {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'drawbridge' });
  const headers: IncomingMessage[] = [];
  sockets.on('connection', (socket, incoming: IncomingMessage) => {
    headers.push(incoming);
    socket.on('message', (data) => socket.send(data));
  });
  const { url, leaderProxy } = await pair((_, outgoing) => void outgoing.end(), sockets);
  const address = url.replace('http', 'ws');
  const open = async () => {
    const socket = new WebSocket(`${address}/ws/agent?a=b`, ['drawbridge', 'bearer.t']);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  const socket = await open();
  expect(socket.protocol).toBe('drawbridge');
  expect(headers[0]).toMatchObject({ url: '/ws/agent?a=b' });
  expect(headers[0] && SIGNATURE.open(headers[0])).toEqual(PASSED);
  const large = 'y'.repeat(3 * 1_048_576);
  socket.send(large);
  expect(String((await once(socket, 'message'))[0])).toBe(large);
  for (const each of sockets.clients) each.close(1012, 'restart');
  expect((await once(socket, 'close'))[0]).toBe(1012);

  const second = await open();
  const [atLeader] = sockets.clients;
  second.terminate();
  if (atLeader !== undefined) await once(atLeader, 'close');

  const third = await open();
  leaderProxy.leaderAt(undefined);
  expect((await once(third, 'close'))[0]).toBe(1006);
});

test('refuses a socket that the leader refuses, or when there is no leader', async () => {
  const { url, leaderProxy } = await pair((_, outgoing) => void outgoing.end());
  const statusOf = () =>
    new Promise<number | undefined>((resolve) => {
      const headers = { connection: 'upgrade', upgrade: 'websocket' };
      request(url, { headers })
        .on('response', ({ statusCode }) => resolve(statusCode))
        .end();
    });
  expect(await statusOf()).toBe(401);
  leaderProxy.leaderAt(undefined);
  expect(await statusOf()).toBe(503);
});

test('verifies the leader’s certificate, and sends nothing to another program at its address', async () => {
  const data = await temporaryFolder();
  const certificate = await certificateOf('self-signed', { data, names: ['127.0.0.1'], now: Date.now() });
  let asked = 0;
  const server = createSecureServer(certificate, (_, outgoing) => {
    asked += 1;
    outgoing.end('kept');
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { url, leaderProxy } = await pair(() => {});
  leaderProxy.leaderAt(nodeUrl(`https://127.0.0.1:${port}`, certificate.fingerprint));
  expect(await (await fetch(url)).text()).toBe('kept');
  for (const other of [
    certificate.fingerprint.replace(/^../, (pair) => (pair === '00' ? '01' : '00')),
    undefined,
  ]) {
    leaderProxy.leaderAt(nodeUrl(`https://127.0.0.1:${port}`, other));
    expect((await fetch(url)).status).toBe(503);
  }
  expect(asked).toBe(1);
});
