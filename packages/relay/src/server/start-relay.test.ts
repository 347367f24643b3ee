import type { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { type Ledger, LedgerError, openSqliteLedger } from '@drawbridge/ledger';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deliveredOf, failedOf, listOf, sendOf, sessionObject } from '../../test/contract/frames.ts';
import { pairBrowser } from '../../test/devices/paired-browser.ts';
import { startTestRelay, temporaryFolder } from '../../test/server/test-relay.ts';
import { createMetrics } from './metrics.ts';

test('refuses an address that others can reach without TLS, and the error says what to do', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'relay.example']) {
    await expect(startTestRelay({ host })).rejects.toThrow(/Refusing to listen on .* Give it TLS/);
  }
});

test('with self-signed TLS the relay creates a certificate, keeps it, and returns its fingerprint', async () => {
  const relay = await startTestRelay({ host: '0.0.0.0', tls: 'self-signed', hosts: ['relay.example:7717'] });
  expect(relay.url).toBe(`http://127.0.0.1:${relay.port}`);
  const shown = await certificateAt(relay.port);
  expect(shown.fingerprint256).toBe(relay.fingerprint);
  expect(shown.subjectAltName).toContain('DNS:relay.example');
  expect(shown.publicKey.asymmetricKeyType).toBe('ec');
  expect((await stat(join(relay.data, 'tls', 'key.pem'))).mode & 0o777).toBe(0o600);
  await (await relay.connect('person')).settled();
  const again = await relay.restart();
  expect(again.fingerprint).toBe(relay.fingerprint);
});

function certificateAt(port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate === undefined) reject(new Error('No certificate.'));
      else resolve(certificate);
    });
    socket.on('error', reject);
  });
}

test('reports a taken port and closes the ledger', async () => {
  const first = await startTestRelay();
  const second = startTestRelay({ port: first.port });
  await expect(second).rejects.toThrow(/taken by another program/);
});

test('a ledger that cannot be written, and a stopping relay, are not ready', async () => {
  const data = await temporaryFolder();
  const ledger = await openSqliteLedger({ path: join(data, 'ledger.db') });
  onTestFinished(ledger.close);
  let broken = false;
  const readOnly = new LedgerError('ledger_io', 'The ledger /home/secret cannot be written to.');
  let commits = 0;
  const commit: Ledger['commit'] = (writes) => {
    commits += 1;
    return broken ? Promise.reject(readOnly) : ledger.commit(writes);
  };
  const relay = await startTestRelay({ data, ledger: { ...ledger, commit } });
  const status = async () => (await fetch(`${relay.url}/readyz`)).status;
  expect(await status()).toBe(200);
  broken = true;
  await expect(relay.ledger.commit([{ do: 'put_setting', key: 'any', value: 1 }])).rejects.toThrow(readOnly);
  const refused = await fetch(`${relay.url}/readyz`);
  expect(refused.status).toBe(503);
  const { problems } = await refused.json();
  expect(problems).toEqual([{ part: 'ledger', message: expect.stringContaining('read-only') }]);
  expect(JSON.stringify(problems)).not.toContain('secret');
  broken = false;
  commits = 0;
  expect(await Promise.all([status(), status(), status(), status()])).toEqual([200, 200, 200, 200]);
  expect(commits).toBe(1);
  await relay.close();
  expect(await ledger.heads()).toEqual([]);
});

test('every response has the security headers', async () => {
  const { url } = await startTestRelay();
  for (const path of ['/', '/livez', '/nothing', '/api/devices']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('serves its name, health and API descriptions', async () => {
  const relay = await startTestRelay();
  const text = async (path: string) => (await fetch(relay.url + path)).text();
  expect(await text('/')).toContain('drawbridge pair');
  expect(await text('/livez')).toContain('ok');
  expect(await text('/healthz')).toContain('ok');
  expect(await text('/readyz')).toContain('ready');
  expect(JSON.parse(await text('/openapi.json'))).toHaveProperty('openapi');
  expect(JSON.parse(await text('/asyncapi.json'))).toHaveProperty('asyncapi');
});

test('the metrics contain connections, frames and commits, and no session, site or person', async () => {
  const relay = await startTestRelay();
  const peer = await relay.connect('person');
  await peer.settled();
  const { identity } = await pairBrowser(relay.devices, ['owner']);
  const metadata = { display_name: 'canary-agent', workspace_name: 'canary-folder' };
  const session = { session_id: 'canary-session', proxy_device_id: 'canary-proxy', metadata, at: 1 };
  await relay.ledger.commit([{ do: 'create_session', ...session }]);
  await fetch(`${relay.url}/canary-path`, { headers: { authorization: 'Bearer canary-token' } });
  const text = await (await fetch(`${relay.url}/metrics`)).text();
  expect(text).toContain('drawbridge_connections{port="chat",role="person"} 1\n');
  expect(text).toMatch(/drawbridge_frames_total\{direction="in"\} 2\n/);
  expect(text).toMatch(/drawbridge_commit_seconds_count [1-9]/);
  expect(text).toMatch(/drawbridge_commit_seconds_bucket\{le="\+Inf"\} [1-9]/);
  expect(text).toMatch(/drawbridge_delivery_seconds_count 0/);
  expect(text).toMatch(/drawbridge_memory_bytes\{kind="resident"\} [1-9]/);
  expect(text).toMatch(/drawbridge_disk_free_bytes [1-9]/);
  expect(text).toMatch(/drawbridge_commits_pending \d/);
  expect(text).toMatch(/drawbridge_event_loop_p99_seconds \d/);
  for (const name of ['canary', peer.device?.device_id, identity.device_id]) expect(text).not.toContain(name);
  // Names of labels whose values come from fixed lists.
  const labels = [...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label);
  expect([...new Set(labels)].toSorted()).toEqual([
    'direction',
    'kind',
    'le',
    'name',
    'outcome',
    'port',
    'reason',
    'role',
    'state',
  ]);
});

test('each scraper reads the same event-loop delay', async () => {
  const metrics = createMetrics();
  onTestFinished(metrics.close);
  const delay = () => Number(/^drawbridge_event_loop_p99_seconds (\S+)/m.exec(metrics.text())?.[1]);
  await vi.waitFor(() => {
    const end = performance.now() + 150;
    while (performance.now() < end);
    expect(delay()).toBeGreaterThan(0.1);
  });
  expect(delay()).toBeGreaterThan(0.1);
});

test('counts sends that are queued and in flight, and their outcomes', async () => {
  const relay = await startTestRelay();
  const pending = async (state: string) =>
    new RegExp(`^drawbridge_sends_pending{state="${state}"} (\\d+)$`, 'm').exec(
      await (await fetch(`${relay.url}/metrics`)).text(),
    )?.[1];
  const proxy = await relay.connect('proxy');
  proxy.send(listOf(sessionObject('s')));
  await proxy.settled();
  const person = await relay.connect('person');
  for (const [id, outcome] of [
    ['m1', deliveredOf('s', 'm1')],
    ['m2', failedOf('s', 'm2')],
  ] as const) {
    person.send(sendOf('s', id));
    await proxy.next('send_message');
    expect(await pending('in_flight')).toBe('1');
    proxy.send(outcome);
    await person.next(id === 'm1' ? 'message_delivered' : 'message_failed');
    expect(await pending('in_flight')).toBe('0');
  }
  await proxy.close();
  await expect
    .poll(async () => {
      person.send(sendOf('s', 'm3'));
      return await pending('queued');
    })
    .toBe('1');
  const text = await (await fetch(`${relay.url}/metrics`)).text();
  expect(text).toContain('drawbridge_accepts_total 3\n');
  for (const outcome of ['delivered', 'failed'])
    expect(text).toContain(`drawbridge_outcomes_total{outcome="${outcome}"} 1\n`);
});

test('the metrics are for programs of this machine and bearer tokens, and for no browser without one', async () => {
  const relay = await startTestRelay();
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${relay.url}/metrics`, { headers })).status;
  expect(await status({})).toBe(200);
  expect(await status({ cookie: 'drawbridge=x' })).toBe(401);
  expect(await status({ origin: relay.url })).toBe(401);
  expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(401);
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(401);
  // Like a Prometheus elsewhere in docs/self-host.md: a guest of no session.
  const { token } = await relay.mint('person', ['session:metrics']);
  const authorization = `Bearer ${token}`;
  expect(await status({ 'x-forwarded-for': '192.0.2.7', authorization })).toBe(200);
  const sessions = await fetch(`${relay.url}/api/sessions`, { headers: { authorization } });
  expect(await sessions.json()).toEqual({ sessions: [] });
  expect((await fetch(`${relay.url}/api/runtimes`, { headers: { authorization } })).status).toBe(403);
});

test.each([true, false])(
  'behind a proxy, known (%s) or not, the figures need a person',
  async (trustedProxy) => {
    const relay = await startTestRelay({ trustedProxy });
    const { token } = await relay.mint('person');
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${relay.url}/metrics`, { headers: { 'x-forwarded-for': '192.0.2.7', ...headers } }))
        .status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  },
);

test('the web app gets every path that no other route has', async () => {
  const relay = await startTestRelay({ web: (request) => new Response(new URL(request.url).pathname) });
  expect(await (await fetch(`${relay.url}/sessions/one`)).text()).toBe('/sessions/one');
  expect(await (await fetch(`${relay.url}/healthz`)).json()).toEqual({ status: 'ok' });
});

test.each(['application/json', 'text/html', '*/*'])(
  '[INT-300] an unknown API path is 404 with JSON, although there is a web app (Accept: %s)',
  async (accept) => {
    const relay = await startTestRelay({
      web: () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    });
    const { token } = await relay.mint('person');
    const headers = { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (const path of [
      '/api/nowhere/resolve?url=shop.example',
      '/api/v9/user/preferences',
      '/api/session/s1/no/such',
      '/api',
    ]) {
      const answer = await fetch(`${relay.url}${path}`, { headers });
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/json');
      expect(await answer.json()).toEqual({
        error: { code: 'not_found', message: expect.any(String) },
        message: expect.any(String),
      });
    }
    expect(await (await fetch(`${relay.url}/apiary`)).text()).toBe('<!doctype html>');
  },
);

test('a configured page reads the answers with a token', async () => {
  const origin = 'https://panel.example';
  const relay = await startTestRelay({ origins: [origin] });
  const { token } = await relay.mint('person');
  const asked = await fetch(`${relay.url}/api/me`, { method: 'OPTIONS', headers: { origin } });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-headers')).toContain('authorization');
  const methods = asked.headers.get('access-control-allow-methods')?.split(', ');
  expect(methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
  const answer = await fetch(`${relay.url}/api/me`, {
    headers: { origin, authorization: `Bearer ${token}` },
  });
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(await answer.json()).toMatchObject({ roles: ['person'] });
});

test('[CHT-259] a stopping relay sends a retry time, disconnects its peers, and accepts no others', async () => {
  const relay = await startTestRelay();
  const peer = await relay.connect('person', { features: ['reconnect_hint'] });
  const closing = relay.close();
  await peer.next('reconnect_hint');
  await peer.closed;
  await closing;
  await expect(fetch(`${relay.url}/healthz`)).rejects.toThrow();
  await expect(relay.ledger.heads()).rejects.toThrow(/closed/);
});
