import { randomUUID } from 'node:crypto';
import { type PairedBrowser, pairBrowser } from '@drawbridge/relay/test/devices/paired-browser';
import { startTestRelay, type TestRelay, upgradeStatus } from '@drawbridge/relay/test/server/test-relay';
import { expect, test } from 'vitest';

interface Sent {
  readonly proof?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request as the web app does, except for the test's changes. */
async function ask(relay: TestRelay, browser: PairedBrowser, route: string, sent: Sent = {}) {
  const [method = 'GET', path = '/'] = route.split(' ');
  const { proof = browser.proof(method, path), body, headers } = sent;
  const response = await fetch(relay.url + path, {
    method,
    headers: {
      origin: relay.url,
      'drawbridge-proof': proof,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the test is about
  const answer: any = await response.json().catch(() => undefined);
  return { status: response.status, body: answer };
}

const LIMITS = { failures_per_minute: 1_000_000 };

test('[27.2] a captured proof is refused again, for another path, method, device, time, and after revocation', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const other = await pairBrowser(relay.devices, ['owner']);
  const status = async (route: string, proof: string, by = browser) =>
    (await ask(relay, by, route, { proof })).status;

  const used = browser.proof('GET', '/api/me');
  expect(await status('GET /api/me', used)).toBe(200);
  expect(await status('GET /api/me', used)).toBe(401);
  expect(await status('GET /api/devices', browser.proof('GET', '/api/me'))).toBe(401);
  expect(await status('GET /api/me?all=1', browser.proof('GET', '/api/me'))).toBe(401);
  expect(await status('POST /api/halt', browser.proof('GET', '/api/halt'))).toBe(401);
  for (const [signer, { name }] of [
    [browser, other],
    [other, browser],
  ] as const) {
    expect(await status('GET /api/me', signer.proof('GET', '/api/me', { name }))).toBe(401);
  }
  for (const at of [Date.now() - 61_000, Date.now() + 61_000, 0, Number.NaN]) {
    expect(await status('GET /api/me', browser.proof('GET', '/api/me', { at })), String(at)).toBe(401);
  }
  // The same id under another signature counts as the same proof.
  const id = randomUUID();
  expect(await status('GET /api/me', browser.proof('GET', '/api/me', { id }))).toBe(200);
  expect(await status('GET /api/me', browser.proof('GET', '/api/me', { id }))).toBe(401);
  for (const broken of ['', '.', 'x.y', `${browser.proof('GET', '/api/me')}x`, 'a'.repeat(9_000)]) {
    expect(await status('GET /api/me', broken), broken.slice(0, 9)).toBe(401);
  }
  await relay.devices.revoke(browser.identity.device_id, 'machine');
  expect(await status('GET /api/me', browser.proof('GET', '/api/me'))).toBe(401);
});

test('[27.2] a socket needs a proof for its own path, once', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const headers = { origin: relay.url };
  const open = (proof: string) =>
    upgradeStatus(relay.url, '/ws/chat', { headers }, ['drawbridge', `proof.${proof}`]);
  const proof = browser.proof('GET', '/ws/chat');
  expect(await open(proof)).toBe(101);
  expect(await open(proof)).toBe(401);
  expect(await open(browser.proof('GET', '/ws/agent'))).toBe(401);
  expect(await upgradeStatus(relay.url, '/ws/agent', { headers }, ['drawbridge'])).toBe(401);
});

test('[27.2] a proof that an earlier process has accepted is refused after a restart', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const proof = browser.proof('GET', '/api/me');
  expect((await ask(relay, browser, 'GET /api/me', { proof })).status).toBe(200);
  const again = await relay.restart();
  expect((await ask(again, browser, 'GET /api/me', { proof })).status).toBe(401);
  expect((await ask(again, browser, 'GET /api/me')).status).toBe(200);
});

const GIVING: readonly (readonly [string, unknown])[] = [
  ['POST /api/pair/invite', { roles: ['owner'] }],
  ['POST /api/pair/invite', { roles: ['person'] }],
  ['POST /api/devices', { roles: ['agent'] }],
  ['POST /api/task-clients', { label: 'Mine' }],
];

test('[27.2] cookie and proof alone give nobody access; halting and answering need no more than them', async () => {
  const relay = await startTestRelay({ limits: LIMITS, taskClients: true });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const other = await pairBrowser(relay.devices, ['owner']);
  const before = (await relay.devices.list()).length;
  for (const [route, body] of GIVING) {
    const needed = await ask(relay, browser, route, { body });
    expect(needed, route).toMatchObject({ status: 403, body: { error: { code: 'confirmation_needed' } } });
    const { id } = needed.body.error.confirmation;
    const headers = { 'drawbridge-confirmation': id };
    const retry = (more = body) => ask(relay, browser, route, { body: more, headers });
    expect((await retry()).status, 'not confirmed yet').toBe(403);
    const own = await ask(relay, browser, `POST /api/confirmations/${id}`, { body: { verdict: 'confirm' } });
    expect(own.status, 'the browser that waits cannot confirm').toBe(403);
    const confirmed = await ask(relay, other, `POST /api/confirmations/${id}`, {
      body: { verdict: 'confirm' },
    });
    expect(confirmed.status).toBe(204);
    const changed = await retry({ ...Object(body), label: 'Another' });
    expect(changed.status, 'another request than the one that was confirmed').toBe(403);
    const stolen = await ask(relay, other, route, { body, headers });
    expect(stolen.status, 'another device').toBe(403);
    expect((await retry()).status, route).toBe(201);
    expect((await retry()).status, 'once').toBe(403);
  }
  // A token for an agent and an address for a task extension.
  expect(await relay.devices.list()).toHaveLength(before + 2);
  expect((await ask(relay, browser, 'POST /api/halt', { body: {} })).status).toBe(200);
});

test('[27.2] approving a device by its code is confirmed elsewhere too; a person cannot confirm', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const person = await pairBrowser(relay.devices, ['person']);
  const code = relay.devices.codes.open('Tablet', '192.0.2.1');
  const body = { code: code.code, roles: ['person'] };
  const needed = await ask(relay, browser, 'POST /api/pair/approve', { body });
  expect(needed.body.error.confirmation).toMatchObject({
    act: 'approve',
    label: 'Tablet',
    roles: ['person'],
  });
  const path = `POST /api/confirmations/${needed.body.error.confirmation.id}`;
  expect((await ask(relay, person, path, { body: { verdict: 'confirm' } })).status).toBe(403);
  expect(await relay.devices.codes.collect(code.id, code.poll_secret)).toBeUndefined();
  expect((await ask(relay, browser, path, { body: { verdict: 'refuse' } })).status).toBe(204);
  expect((await ask(relay, person, 'GET /api/confirmations')).status).toBe(403);
});

test('[27.2] after ten minutes the first passkey is confirmed elsewhere too', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const browser = await pairBrowser(relay.devices, ['owner']);
  const at = async () => {
    const headers = { host: `localhost:${relay.port}`, origin: `http://localhost:${relay.port}` };
    return statusAtName(relay, browser, headers);
  };
  expect(await at()).toBe(201);
  const record = await relay.ledger.device(browser.identity.device_id);
  if (record === undefined) throw new Error('the browser is unknown');
  const created_at = record.created_at - 10 * 60_000;
  await relay.ledger.commit([{ do: 'put_device', device: { ...record, created_at } }]);
  expect(await at()).toBe(403);
});

/** Passkeys need a host name: the browser has opened the relay as localhost. */
async function statusAtName(relay: TestRelay, browser: PairedBrowser, headers: Record<string, string>) {
  const path = '/api/passkeys/options';
  const response = await fetch(`http://localhost:${relay.port}${path}`, {
    method: 'POST',
    headers: {
      'drawbridge-proof': browser.proof('POST', path),
      'content-type': 'application/json',
      origin: headers['origin'] ?? '',
    },
    body: '{}',
  });
  return response.status;
}

test('[27.2] the cookie of an earlier version gives no access, and its value is no longer a token', async () => {
  const relay = await startTestRelay({ limits: LIMITS });
  const { token } = await relay.mint('owner');
  const cookie = `drawbridge=${token}`;
  const old = await fetch(`${relay.url}/api/me`, { method: 'GET', headers: { cookie, origin: relay.url } });
  expect(old.status).toBe(401);
  expect(await old.json()).toMatchObject({ error: { code: 'pair_again' } });
  const stolen = await fetch(`${relay.url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(stolen.status).toBe(401);
});
