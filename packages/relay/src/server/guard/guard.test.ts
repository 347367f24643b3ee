import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { connectWebSocket } from '@drawbridge/link';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pairBrowser } from '../../../test/devices/paired-browser.ts';
import { foreignHosts } from '../../../test/server/guard/foreign-hosts.ts';
import { startTestRelay, upgradeStatus } from '../../../test/server/test-relay.ts';

/** The status line that a raw socket gets for these lines. */
async function answerTo(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  // A socket refused while it still writes may be reset.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('close', resolve));
  return text.split('\r\n', 1)[0] ?? '';
}

const upgradeLines = (port: number, token: string, hosts: readonly string[]): readonly string[] => [
  'GET /ws/chat HTTP/1.1',
  ...hosts.map((host) => `Host: ${host}`),
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  `Origin: http://127.0.0.1:${port}`,
  `Authorization: Bearer ${token}`,
];

const REFUSED = /^HTTP\/1\.1 (400|403) /;

test('[CHT-90] refuses every upgrade and request with another Host, whatever its credential', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('owner');
  const hosts = foreignHosts(relay.port);
  expect(hosts.length).toBeGreaterThanOrEqual(200);
  for (const host of hosts) {
    expect(await answerTo(relay.port, upgradeLines(relay.port, token, [host])), host).toMatch(REFUSED);
    const lines = ['GET /api/devices HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`];
    expect(await answerTo(relay.port, [...lines, 'Connection: close']), host).toMatch(REFUSED);
  }
});

test('an upgrade to another protocol than WebSocket is ignored, and a refusal says what to do', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('agent');
  const headers = { authorization: `Bearer ${token}`, connection: 'Upgrade' };
  const asked = async (path: string, more: Readonly<Record<string, string>>) => {
    const [response] = await once(
      request(relay.url + path, { headers: { ...headers, ...more } }).end(),
      'response',
    );
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  };
  for (const upgrade of ['h2c', 'TLS/1.0', 'h2c, websocket'])
    expect(await asked('/api/me', { upgrade })).toMatchObject({ status: 200, body: { roles: ['agent'] } });
  const socket = {
    ...{ upgrade: 'websocket', 'sec-websocket-version': '13' },
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const error = (code: string, words: string) => ({
    error: { code, message: expect.stringContaining(words) },
    message: expect.stringContaining(words),
  });
  expect(await asked('/ws/nothing', socket)).toEqual({
    status: 401,
    body: error('unauthorized', '/ws/agent'),
  });
  for (const more of [socket, {}]) {
    const there = { ...more, host: 'evil.test' };
    expect(await asked('/api/me', there)).toEqual({ status: 403, body: error('forbidden', 'drawbridge up') });
  }
});

test('[CHT-90] two Hosts, none, or a whole URL that outranks Host are no Host of ours', async () => {
  const { port, mint } = await startTestRelay();
  const { token } = await mint('owner');
  const own = `127.0.0.1:${port}`;
  for (const hosts of [[own, 'evil.test'], ['evil.test', own], [own, own], []]) {
    expect(await answerTo(port, upgradeLines(port, token, hosts))).toMatch(REFUSED);
  }
  const elsewhere = ['GET http://evil.test/healthz HTTP/1.1', `Host: ${own}`, 'Connection: close'];
  expect(await answerTo(port, elsewhere)).toMatch(REFUSED);
  expect(await answerTo(port, ['GET /healthz HTTP/1.0'])).toMatch(REFUSED);
});

test('[CHT-90] accepts the loopback names and the configured ones', async () => {
  const relay = await startTestRelay({ hosts: ['relay.example', 'other.example:443'] });
  const { token } = await relay.mint('person');
  for (const host of [
    `127.0.0.1:${relay.port}`,
    `localhost:${relay.port}`,
    `[::1]:${relay.port}`,
    'relay.example',
    `relay.example:${relay.port}`,
    'other.example:443',
  ]) {
    const headers = { host, authorization: `Bearer ${token}` };
    expect(await upgradeStatus(relay.url, '/ws/chat', { headers }), host).toBe(101);
  }
});

describe('[CHT-89] origins and credentials', () => {
  const ELSEWHERE = [
    'http://evil.test',
    'https://evil.test',
    'null',
    'chrome-extension://other',
    'file://',
    '',
  ];

  test('a proof counts only from our own Origin', async () => {
    const relay = await startTestRelay({ origins: ['chrome-extension://ours'] });
    const { proof } = await pairBrowser(relay.devices, ['person']);
    const statusWith = (headers: Record<string, string>) =>
      upgradeStatus(relay.url, '/ws/agent', { headers }, [
        'drawbridge',
        `proof.${proof('GET', '/ws/agent')}`,
      ]);
    expect(await statusWith({ origin: relay.url })).toBe(101);
    for (const origin of [
      ...ELSEWHERE,
      `${relay.url}/`,
      relay.url.replace('http', 'https'),
      'http://localhost',
    ]) {
      expect([401, 403], origin).toContain(await statusWith({ origin }));
    }
    expect(await statusWith({ origin: 'chrome-extension://ours' })).toBe(401);
    expect(await statusWith({})).toBe(401);
  });

  test('behind a TLS proxy, our own Origin is that of the proxy', async () => {
    const relay = await startTestRelay({ trustedProxy: true, hosts: ['relay.example'] });
    const { proof } = await pairBrowser(relay.devices, ['person']);
    const statusFrom = (origin: string) =>
      upgradeStatus(
        relay.url,
        '/ws/agent',
        { headers: { host: 'relay.example', 'x-forwarded-for': '192.0.2.7', origin } },
        ['drawbridge', `proof.${proof('GET', '/ws/agent')}`],
      );
    expect(await statusFrom('https://relay.example')).toBe(101);
    expect(await statusFrom('http://relay.example')).toBe(403);
    expect(await statusFrom('https://other.example')).toBe(403);
  });

  test('a bearer token counts from any Origin, and from none', async () => {
    const relay = await startTestRelay();
    const { token } = await relay.mint('person');
    for (const origin of ELSEWHERE.slice(0, 4)) {
      const headers = { origin, authorization: `Bearer ${token}` };
      expect(await upgradeStatus(relay.url, '/ws/chat', { headers }), origin).toBe(101);
    }
    expect(
      await upgradeStatus(relay.url, '/ws/chat', { headers: { authorization: `Bearer ${token}` } }),
    ).toBe(101);
  });

  test('without a credential an Origin must be ours or configured, and a missing one is refused', async () => {
    const relay = await startTestRelay({ origins: ['chrome-extension://ours'] });
    const statusFrom = (headers: Record<string, string>) => upgradeStatus(relay.url, '/ws/chat', { headers });
    expect(await statusFrom({ origin: relay.url })).toBe(101);
    expect(await statusFrom({ origin: 'chrome-extension://ours' })).toBe(101);
    for (const origin of ELSEWHERE) expect(await statusFrom({ origin }), origin).toBe(403);
    expect(await statusFrom({})).toBe(401);
    expect(await statusFrom({ 'sec-fetch-site': 'same-origin' })).toBe(401);
  });

  test('a page of another origin reaches no route at all', async () => {
    const relay = await startTestRelay();
    const routes = [
      '/',
      '/livez',
      '/healthz',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/api/devices',
      '/api/pair',
      '/mcp',
    ];
    for (const path of [...routes, '/api/files', '/bridge/agent/items']) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
        const response = await fetch(relay.url + path, { method, headers: { origin: 'http://evil.test' } });
        expect(response.status, `${method} ${path}`).toBe(403);
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(await response.text()).toBe('');
      }
    }
  });

  test('our own page reads with its proof when Fetch Metadata says same-origin', async () => {
    const relay = await startTestRelay();
    const { proof } = await pairBrowser(relay.devices, ['person']);
    const read = (site: string) =>
      statusOf(relay.port, '/api/me', {
        'drawbridge-proof': proof('GET', '/api/me'),
        'sec-fetch-site': site,
      });
    expect(await read('same-origin')).toBe(200);
    expect(await read('none')).toBe(401);
    for (const site of ['same-site', 'cross-site']) expect(await read(site), site).toBe(403);
  });
});

/** `fetch` cannot set `Sec-Fetch-Site`. */
async function statusOf(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

test('[CHT-96] a page of another origin locks nobody out of pairing by loading hidden images', async () => {
  const relay = await startTestRelay();
  const paths = ['/api/pair/code/none', '/api/passkeys/none', '/api/me'];
  for (const site of ['cross-site', 'same-site']) {
    for (let image = 0; image < 30; image += 1) {
      const path = paths[image % paths.length] ?? '';
      expect(await statusOf(relay.port, path, { 'sec-fetch-site': site }), path).toBe(403);
    }
  }
  // Not 429: none of them was counted.
  expect((await fetch(`${relay.url}/api/pair/code/none`)).status).toBe(404);
  expect(await statusOf(relay.port, '/', { 'sec-fetch-site': 'cross-site' })).toBe(200);
  const { token } = await relay.mint('person');
  const bearer = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' };
  expect(await statusOf(relay.port, '/api/me', bearer)).toBe(200);
});

test('[CHT-89] an address for programs is never shown as a page or in a frame, whatever its credential', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('owner');
  const statusAs = (dest: string, path: string) =>
    statusOf(relay.port, path, { authorization: `Bearer ${token}`, 'sec-fetch-dest': dest });
  for (const dest of ['document', 'iframe', 'frame', 'embed', 'object']) {
    for (const path of ['/api/me', '/api/devices', '/mcp', '/bridge/agent/items', '/metrics', '/api'])
      expect(await statusAs(dest, path), `${dest} ${path}`).toBe(403);
    for (const path of ['/', '/healthz', '/openapi.json']) expect(await statusAs(dest, path), path).toBe(200);
  }
  for (const dest of ['empty', 'image']) expect(await statusAs(dest, '/api/me')).toBe(200);
});

test('[CHT-89] a file and an export are saved by navigating to them, and are never framed', async () => {
  const relay = await startTestRelay();
  const { token } = await relay.mint('owner');
  const statusAs = (dest: string, path: string) =>
    statusOf(relay.port, path, { authorization: `Bearer ${token}`, 'sec-fetch-dest': dest });
  for (const path of ['/api/files/none', '/api/sessions/none/export']) {
    expect(await statusAs('document', path), path).toBe(404);
    for (const dest of ['iframe', 'frame', 'embed', 'object']) expect(await statusAs(dest, path)).toBe(403);
  }
  for (const path of ['/api/sessions/none', '/api/files/none/x', '/api/sessions/a/b/export'])
    expect(await statusAs('document', path), path).toBe(403);
});

test('[BRG-174] every page of a relay declares itself and cannot be framed', async () => {
  const relay = await startTestRelay();
  const page = await fetch(relay.url);
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  expect(await page.text()).toContain('<meta name="drawbridge" content="control-plane">');
});

test('[BRG-172] a runtime gets every name of the relay before anything else', async () => {
  const relay = await startTestRelay({ hosts: ['relay.example', '192.168.1.5'] });
  const { token } = await relay.mint('runtime');
  const link = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/runtime`, token });
  onTestFinished(link.close);
  const first = new Promise<unknown>((resolve) => link.onItem(resolve));
  const features = ['agent_hello'];
  link.send({ type: 'runtime_ready', runtime_id: 'r', url: 'https://shop.example/', features });
  expect(await first).toMatchObject({
    type: 'agent_hello',
    relay_hosts: expect.arrayContaining([
      ...['127.0.0.1', 'localhost', '[::1]', 'relay.example', '192.168.1.5'].map(
        (name) => `${name}:${relay.port}`,
      ),
      'relay.example',
    ]),
  });
});

describe('behind a proxy that does not name the client', () => {
  test('refuses everybody, and says why', async () => {
    const relay = await startTestRelay({ trustedProxy: true, hosts: ['relay.example'] });
    const { token } = await relay.mint('person');
    const authorization = `Bearer ${token}`;
    const response = await fetch(`${relay.url}/metrics`);
    expect(response.status).toBe(403);
    expect((await response.json()).error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('X-Forwarded-For'),
    });
    for (const headers of [
      { host: 'relay.example', authorization },
      { host: 'relay.example', authorization, 'x-forwarded-for': ' ' },
      { host: `127.0.0.1:${relay.port}` },
    ]) {
      expect(await statusOf(relay.port, '/api/me', headers)).toBe(403);
      expect(await upgradeStatus(relay.url, '/ws/chat', { headers })).toBe(403);
    }
    expect(await statusOf(relay.port, '/healthz', { host: 'relay.example' })).toBe(200);
  });

  test('accepts clients that the proxy names, and this machine’s own programs', async () => {
    const relay = await startTestRelay({ trustedProxy: true, hosts: ['relay.example'] });
    const { token } = await relay.mint('person');
    const authorization = `Bearer ${token}`;
    const spoken = { host: 'relay.example', authorization, 'x-forwarded-for': '192.0.2.7' };
    expect(await statusOf(relay.port, '/api/me', spoken)).toBe(200);
    expect((await fetch(`${relay.url}/api/me`, { headers: { authorization } })).status).toBe(200);
  });
});

describe('[CHT-84] how a credential is shown', () => {
  test('in Authorization, in the subprotocol list, or as a proof; never in the URL', async () => {
    const relay = await startTestRelay();
    const { token } = await relay.mint('person');
    const headers = { authorization: `Bearer ${token}` };
    expect(await upgradeStatus(relay.url, '/ws/agent', { headers })).toBe(101);
    expect(await upgradeStatus(relay.url, '/ws/agent', {}, ['drawbridge', `bearer.${token}`])).toBe(101);
    for (const name of ['token', 'access_token', 'bearer', 'authorization']) {
      expect(await upgradeStatus(relay.url, `/ws/agent?${name}=${token}`)).toBe(401);
    }
    expect(await upgradeStatus(relay.url, '/ws/chat', {}, ['drawbridge', `bearer.${token}`])).toBe(101);
  });

  test('as the password in the address, by programs, on a WebSocket alone', async () => {
    const relay = await startTestRelay();
    const { token } = await relay.mint('proxy');
    const withPassword = (password: string) => relay.url.replace('//', `//studio:${password}@`);
    expect(await upgradeStatus(withPassword(token), '/ws/chat')).toBe(101);
    for (const wrong of ['wrong-token', `${token}x`])
      expect(await upgradeStatus(withPassword(wrong), '/ws/chat')).toBe(401);
    const basic = { authorization: `Basic ${btoa(`studio:${token}`)}` };
    // A browser repeats a password to any page's socket, and sends that page's Origin.
    for (const origin of ['https://evil.test', 'null']) {
      const headers = { ...basic, origin };
      expect(await upgradeStatus(relay.url, '/ws/chat', { headers }), origin).toBe(403);
    }
    expect((await fetch(`${relay.url}/api/me`, { headers: basic })).status).toBe(401);
    const odd = [`Basic ${btoa(token)}`, `Basic ${btoa(':')}`, 'Basic !', `Basic ${token}`];
    for (const authorization of odd)
      expect(await upgradeStatus(relay.url, '/ws/chat', { headers: { authorization } })).toBe(401);
    expect(relay.lines.join('\n')).not.toContain(token);
  });

  test('the token is neither in the answer nor in the log', async () => {
    const relay = await startTestRelay();
    const { token } = await relay.mint('person');
    const peer = await relay.connect('person');
    expect(peer.socket.protocol).toBe('drawbridge');
    await upgradeStatus(relay.url, `/ws/agent?token=${token}`, {}, ['drawbridge', 'bearer.wrong-token']);
    await fetch(`${relay.url}/api/devices?token=${token}`, {
      headers: { authorization: 'Bearer wrong-token' },
    });
    const log = relay.lines.join('\n');
    expect(log).toContain('credential_refused');
    for (const secret of [token, peer.device?.token ?? '', 'wrong-token', 'token='])
      expect(log).not.toContain(secret);
  });

  test('a wrong path, no token and a wrong token look the same', async () => {
    const relay = await startTestRelay();
    const { token } = await relay.mint('agent');
    const headers = { authorization: `Bearer ${token}` };
    expect(await upgradeStatus(relay.url, '/ws/nothing', { headers })).toBe(401);
    expect(await upgradeStatus(relay.url, '/ws/agent')).toBe(401);
    expect(await upgradeStatus(relay.url, '/ws/agent', { headers: { authorization: 'Bearer no' } })).toBe(
      401,
    );
  });
});
