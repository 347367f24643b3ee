import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeep } from '@drawbridge/testbed';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type Answer, type Call, OURS, setUpApp } from '../../test/devices/app-harness.ts';
import { newSigner } from '../../test/devices/paired-browser.ts';
import { createAuthMiddleware } from './auth-middleware.ts';
import { devicesApp } from './devices-app.ts';
import { createFailureLimiter } from './failure-limiter.ts';
import { PROOF_HEADER } from './proof.ts';

const GUESSES = isDeep ? 10_000 : 1_000;
const EVIL = 'https://evil.test';

const guess = (at: number): string => at.toString(36).padStart(43, 'A');
/** Fields that a limiter must ignore. */
const bogus = (at: number): object => ({
  ...{
    label: `n${at}`,
    address: `10.0.0.${at}`,
    device_id: `dev_${at}`,
    nonce: at,
    'x-forwarded-for': `${at}`,
  },
});

/** Sequential and concurrent: a limiter that checks before an await lets the second request pass. */
const ways = {
  'one by one': async (calls: readonly (() => Promise<Answer>)[]) => {
    const answers: Answer[] = [];
    for (const call of calls) answers.push(await call());
    return answers;
  },
  'at once': (calls: readonly (() => Promise<Answer>)[]) => Promise.all(calls.map((call) => call())),
};

const countOf = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))].map((status) => [
      status,
      answers.filter((each) => each.status === status).length,
    ]),
  );

test.each(Object.entries(ways))(
  '[CHT-96] thousands of guessed tokens, %s, count as ten failures, and the right one gets in',
  async (_, run) => {
    const { call, devices } = await setUpApp();
    const token = devices.owner?.token ?? '';
    const answers = await run(
      Array.from(
        { length: GUESSES },
        (_, at) => () =>
          call(`GET /api/me?nonce=${at}`, {
            token: `dbr_${guess(at)}`,
            headers: { 'x-forwarded-for': `10.0.0.${at}`, 'x-device-id': `dev_${at}` },
          }),
      ),
    );
    expect(countOf(answers)).toEqual({ 401: 10, 429: GUESSES - 10 });
    const wrong = await call('GET /api/me', { token: `dbr_${guess(0)}` });
    expect(wrong).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    expect(wrong.headers.get('retry-after')).toBe('60');
    expect((await call('GET /api/me', { token })).status).toBe(200);
  },
);

test.each(Object.entries(ways))(
  'checks ten of thousands of guessed links, %s, and then not even the right one',
  async (_, run) => {
    const { call, devices } = await setUpApp();
    const { secret } = await devices.invitations.create({
      ...{ roles: ['owner'], scopes: [], label: 'Phone', by: 'machine' },
    });
    const claim = (body: object) => () => call('POST /api/pair', { body: { ...body, as: 'token' } });
    const answers = await run([
      ...Array.from({ length: GUESSES }, (_, at) => claim({ ...bogus(at), secret: guess(at) })),
      claim({ secret }),
    ]);
    expect(countOf(answers)).toEqual({ 404: 10, 429: GUESSES - 9 });
    expect(await devices.list()).toHaveLength(1);
  },
);

test.each(Object.entries(ways))(
  'checks five of thousands of guessed codes, %s, then not even the right one; others still approve it',
  async (_, run) => {
    const { call, add, devices } = await setUpApp();
    const { token } = await add('person');
    const { body } = await call('POST /api/pair/code', { body: {} });
    const codes = Array.from({ length: GUESSES }, (_, at) =>
      String((Number(body.code) + at + 1) % 1_000_000).padStart(6, '0'),
    );
    const answers = await run(
      codes.map((code, at) => () => call('POST /api/pair/approve', { token, body: { ...bogus(at), code } })),
    );
    expect(countOf(answers)).toEqual({ 404: 5, 429: GUESSES - 5 });
    const approve = (by: string, address: string) =>
      call('POST /api/pair/approve', { token: by, address, body: { code: body.code } });
    expect((await approve(token, '192.0.2.1')).status).toBe(429);
    expect((await approve(devices.owner?.token ?? '', '192.0.2.1')).status).toBe(200);
  },
);

test('code guessing is limited across addresses, also when collecting', async () => {
  const { call, add } = await setUpApp();
  const { token } = await add('person');
  const { body } = await call('POST /api/pair/code', { body: {} });
  const collect = (secret: string, address: string) =>
    call(`GET /api/pair/code/${body.id}`, { address, headers: { authorization: `Pairing ${secret}` } });
  const guesses = Array.from({ length: 50 }, (_, at) => collect(guess(at), `192.0.2.${at}`));
  expect(countOf(await Promise.all(guesses))).toEqual({ 404: 10, 429: 40 });
  const approvals = Array.from({ length: 50 }, (_, at) => {
    const code = String((Number(body.code) + at + 1) % 1_000_000).padStart(6, '0');
    return call('POST /api/pair/approve', { token, body: { code }, address: `198.51.100.${at}` });
  });
  expect(countOf(await Promise.all(approvals))).toEqual({ 404: 5, 429: 45 });
});

test('limits guesses of many approvers at one address to ten a minute', async () => {
  const { call, add } = await setUpApp();
  const { body } = await call('POST /api/pair/code', { body: {} });
  const approvers = await Promise.all(Array.from({ length: 20 }, () => add('person')));
  const guesses = approvers.map(({ token }, at) => {
    const code = String((Number(body.code) + at + 1) % 1_000_000).padStart(6, '0');
    return call('POST /api/pair/approve', { token, body: { code } });
  });
  expect(countOf(await Promise.all(guesses))).toEqual({ 404: 10, 429: 10 });
});

test('strangers who guess links do not block an owner at the same address from approving', async () => {
  const { call, devices } = await setUpApp();
  const { body } = await call('POST /api/pair/code', { body: {} });
  for (let at = 0; at < 20; at += 1)
    await call('POST /api/pair', { body: { secret: guess(at), as: 'token' } });
  const token = devices.owner?.token ?? '';
  const approved = await call('POST /api/pair/approve', { token, body: { code: body.code } });
  expect(approved.status).toBe(200);
});

test('limits how many codes anybody can request', async () => {
  const { call } = await setUpApp();
  const open = () => call('POST /api/pair/code', { body: {} });
  const answers = await Promise.all(Array.from({ length: 100 }, open));
  expect(countOf(answers)).toEqual({ 201: 5, 429: 95 });
  expect(answers.filter(({ body }) => body.error?.code === 'rate_limited')).toHaveLength(90);
  expect((await call('POST /api/pair/code', { body: {}, address: '192.0.2.1' })).status).toBe(201);
});

const CHANGES: readonly (readonly [string, unknown])[] = [
  ['POST /api/pair/invite', { roles: ['owner'] }],
  ['POST /api/pair/approve', { code: '123456', roles: ['owner'] }],
  ['POST /api/devices', { roles: ['owner'] }],
  ['PATCH /api/devices/OWN', { label: 'Hacked' }],
  ['DELETE /api/devices/OWN', undefined],
  ['POST /api/signout', undefined],
];

test('a proof from another origin, or from none, changes nothing on any route', async () => {
  const { app, devices, call, addBrowser } = await setUpApp();
  const browser = await addBrowser('owner');
  const { identity } = browser;
  const before = await devices.list();
  for (const [route, body] of CHANGES) {
    const path = route.replace('OWN', identity.device_id);
    for (const origin of [EVIL, 'null', 'http://relay.test', `${OURS}.evil.test`, `${OURS}:8443`]) {
      expect([route, (await call(path, { body, browser, origin })).status]).toEqual([route, 401]);
    }
    const [method = '', url = ''] = path.split(' ');
    const bare = await app.request(`${OURS}${url}`, {
      method,
      headers: {
        [PROOF_HEADER]: browser.proof(method, url),
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect([route, bare.status]).toEqual([route, 401]);
  }
  expect(await devices.list()).toEqual(before);
});

test('a server that accepts proofs from anywhere still changes nothing for another origin', async () => {
  const { devices, add, clock } = await setUpApp();
  const { identity } = await add('owner');
  const ways = { devices, addressOf: () => 'here', trustedProxy: true, limiter: createFailureLimiter(clock) };
  const auth = createAuthMiddleware({
    ...ways,
    identify: async () => identity,
    isByBearer: () => false,
    isOwnOrigin: () => false,
    now: clock.now,
  });
  const careless = devicesApp({ ...ways, auth, onError: () => {} });
  for (const authorization of [undefined, 'Basic eDp4', 'Pairing x']) {
    const response = await careless.request('/api/signout', {
      method: 'POST',
      headers: { ...(authorization !== undefined && { authorization }) },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'wrong_origin' } });
  }
  expect((await devices.list()).every(({ revoked_at }) => revoked_at === null)).toBe(true);
});

test('a page of another origin cannot pair as a browser, nor send JSON from a form', async () => {
  const { call, devices } = await setUpApp();
  const { secret } = await devices.invitations.create({
    ...{ roles: ['person'], scopes: [], label: 'Phone', by: 'machine' },
  });
  const page = await call('POST /api/pair', { body: { secret }, origin: EVIL });
  expect(page).toMatchObject({ status: 403, body: { error: { code: 'wrong_origin' } } });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain;application/json', '']) {
    const form = { body: JSON.stringify({ secret, as: 'token' }), headers: { 'content-type': type } };
    expect((await call('POST /api/pair', form)).status).toBe(415);
  }
  const { key } = newSigner();
  expect((await call('POST /api/pair', { body: { secret, key }, origin: OURS })).status).toBe(200);
});

test('only owners get devices by every route; a person gets only what a person may', async () => {
  const { call, add, devices } = await setUpApp();
  const { body: shown } = await call('POST /api/pair/code', { body: {} });
  for (const role of ['person', 'proxy', 'runtime', 'agent'] as const) {
    const { token } = await add(role);
    const before = await devices.list();
    for (const roles of [['owner'], ['person', 'owner'], ['agent'], ['person']]) {
      const calls: readonly (readonly [string, Call])[] = [
        ['POST /api/devices', { token, body: { roles, label: 'Mine', by: 'machine' } }],
        ['POST /api/pair/invite', { token, body: { roles, by: 'machine' } }],
        ['POST /api/pair/approve', { token, body: { code: shown.code, roles, by: 'machine' } }],
      ];
      for (const [route, asked] of calls) {
        const mayThis = role === 'person' && route.endsWith('approve') && roles.join() === 'person';
        if (!mayThis)
          expect([route, role, roles, (await call(route, asked)).status]).toEqual([route, role, roles, 403]);
      }
    }
    expect(await devices.list()).toEqual(before);
  }
});

test('other routes of the relay are not affected', async () => {
  const { app } = await setUpApp();
  const relay = new Hono();
  relay.route('/', app);
  relay.post('/api/files', async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)));
  const body = 'x'.repeat(200_000);
  const response = await relay.request('/api/files', { method: 'POST', body });
  expect(await response.text()).toBe('200000');
  expect(response.headers.get('cache-control')).toBeNull();
});

test('no token, secret or code appears in the ledger, its journal, an error or the device list', async () => {
  const { call, folder, devices, add, ledger } = await setUpApp();
  const owner = devices.owner?.token ?? '';
  const { token } = await add('person');
  const invite = (await call('POST /api/pair/invite', { token: owner, body: { roles: ['person'] } })).body;
  const open = (await call('POST /api/pair/code', { body: {} })).body;
  await call('POST /api/pair/approve', { token: owner, body: { code: open.code } });
  const authorization = `Pairing ${open.poll_secret}`;
  const collected = (await call(`GET /api/pair/code/${open.id}?as=token`, { headers: { authorization } }))
    .body;
  const paired = (await call('POST /api/pair', { body: { secret: invite.secret, as: 'token' } })).body;
  const answers = [
    await call('GET /api/devices', { token }),
    await call('GET /api/me', { token: `${token}x` }),
    await call('POST /api/pair', { body: { secret: invite.secret } }),
    await call('POST /api/pair', { body: `{"secret":"${invite.secret}"` }),
    await call(`GET /api/pair/code/${open.id}`, { headers: { authorization } }),
    await call('POST /api/devices', { token, body: { roles: [token] } }),
    await call(`DELETE /api/devices/${token}`, { token: owner }),
  ];
  const secrets = [owner, token, invite.secret, open.poll_secret, collected.token, paired.token];
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length >= 43)).toBe(true);
  await ledger.backup(join(folder, 'copy.db'));
  const files = (await readdir(folder)).filter((name) => name !== 'owner.json');
  expect(files).toEqual(expect.arrayContaining(['ledger.db', 'copy.db']));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')));
  for (const text of [...texts, ...answers.map((answer) => answer.text)]) {
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    expect(text.includes('dbr_')).toBe(false);
  }
});
