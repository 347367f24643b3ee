import { expect, test } from 'vitest';
import { OURS, setUpApp } from '../../test/devices/app-harness.ts';
import { TODAY } from '../../test/devices/devices-harness.ts';
import { named, newSigner } from '../../test/devices/paired-browser.ts';
import { TIME_HEADER } from './proof.ts';

test('identifies a caller by bearer token, by proof, and not at all', async () => {
  const { call, add, addBrowser } = await setUpApp();
  const { identity, token } = await add('person');
  expect(await call('GET /api/me', { token })).toMatchObject({ status: 200, body: identity });
  const browser = await addBrowser('person');
  const byProof = await call('GET /api/me', { browser });
  expect(byProof).toMatchObject({ status: 200, body: browser.identity });
  expect(byProof.headers.get('cache-control')).toBe('no-store');
  const nobody = await call('GET /api/me');
  expect(nobody).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  expect(nobody.body.error.message).toContain('drawbridge pair');
});

test('a revoked browser is asked to pair again on every request', async () => {
  const { call, addBrowser, devices } = await setUpApp();
  const browser = await addBrowser('person');
  await devices.revoke(browser.identity.device_id, 'machine');
  for (let asked = 0; asked < 20; asked += 1) {
    const answer = await call('GET /api/me', { browser });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'pair_again' } } });
  }
});

test('a link gives a browser that sends its key a name, and no cookie', async () => {
  const { call, devices, clock } = await setUpApp();
  const token = devices.owner?.token ?? '';
  const invite = await call('POST /api/pair/invite', { token, body: { roles: ['person'], label: 'Phone' } });
  expect(invite).toMatchObject({ status: 201, body: { expires_at: TODAY + 600_000 } });
  expect(invite.body.pair_path).toBe(`/#pair=${invite.body.secret}`);
  const signer = newSigner(clock.now);
  const claim = { secret: invite.body.secret, label: 'My phone', key: signer.key };
  const keyless = await call('POST /api/pair', { body: { secret: claim.secret }, origin: OURS });
  expect(keyless).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  const paired = await call('POST /api/pair', { body: claim, origin: OURS });
  expect(paired).toMatchObject({ status: 200, body: { label: 'My phone', roles: ['person'] } });
  expect(paired.headers.get('set-cookie')).toBeNull();
  const { browser_name } = paired.body;
  expect(browser_name).toMatch(/^dbn_[\w-]{43}$/);
  expect((await call('GET /api/me', { token: browser_name })).status).toBe(401);
  const browser = named(signer, browser_name, paired.body);
  expect(await call('GET /api/me', { browser })).toMatchObject({ body: { label: 'My phone' } });
  // CHT-347
  expect((await call('POST /api/pair', { body: claim, origin: OURS })).body).toEqual(paired.body);
  const other = { ...claim, key: newSigner(clock.now).key };
  expect(await call('POST /api/pair', { body: other, origin: OURS })).toMatchObject({
    status: 404,
    body: { error: { code: 'pairing_not_found' } },
  });
});

test('a link gives a program a token', async () => {
  const { call, devices } = await setUpApp();
  const { secret } = await devices.invitations.create({
    ...{ roles: ['runtime', 'person'], scopes: [], label: 'Extension', by: 'machine' },
  });
  const paired = await call('POST /api/pair', {
    body: { secret, as: 'token' },
    origin: 'chrome-extension://abc',
  });
  expect(paired).toMatchObject({ status: 200, body: { label: 'Extension', roles: ['person', 'runtime'] } });
  expect(paired.headers.get('set-cookie')).toBeNull();
  expect((await call('GET /api/me', { token: paired.body.token })).status).toBe(200);
});

test('six digits: shown on one device, typed on another, collected once', async () => {
  const { call, add } = await setUpApp();
  const { token } = await add('person');
  const opened = await call('POST /api/pair/code', { body: { label: 'Tablet' } });
  expect(opened.status).toBe(201);
  const { id, code, poll_secret } = opened.body;
  const poll = (query: string) =>
    call(`GET /api/pair/code/${id}${query}`, { headers: { authorization: `Pairing ${poll_secret}` } });
  expect(await poll('')).toMatchObject({ status: 202, body: { state: 'waiting' } });
  const waiting = poll('?wait=25&as=token');
  const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
  expect(await call('POST /api/pair/approve', { token, body: { code: typed } })).toMatchObject({
    status: 200,
    body: { label: 'Tablet', roles: ['person'] },
  });
  const { body } = await waiting;
  expect(body).toMatchObject({ label: 'Tablet', roles: ['person'], token: expect.any(String) });
  expect((await call('GET /api/me', { token: body.token })).body).toMatchObject({
    device_id: body.device_id,
  });
  expect((await poll('')).status).toBe(404);
});

test('a browser that waits for an approval gets a name', async () => {
  const { call, devices } = await setUpApp();
  const { body } = await call('POST /api/pair/code', { body: { key: newSigner().key }, origin: OURS });
  await call('POST /api/pair/approve', {
    token: devices.owner?.token ?? '',
    body: { code: body.code, roles: ['proxy'] },
  });
  const authorization = `Pairing ${body.poll_secret}`;
  const paired = await call(`GET /api/pair/code/${body.id}`, { headers: { authorization } });
  expect(paired.body.browser_name).toMatch(/^dbn_/);
  expect(paired).toMatchObject({ status: 200, body: { label: 'New device', roles: ['proxy'] } });
});

test('a guest lets nobody in, so nobody outlives its invitation', async () => {
  const { call, devices } = await setUpApp();
  const guest = await devices.mint({
    ...{ roles: ['person'], scopes: ['session:a'], label: 'Guest', by: 'machine' },
  });
  const { body } = await call('POST /api/pair/code', { body: { key: newSigner().key } });
  const approve = (more: object) =>
    call('POST /api/pair/approve', { token: guest.token, body: { code: body.code, ...more } });
  for (const more of [{}, { scopes: [] }, { scopes: ['session:a'] }])
    expect((await approve(more)).status).toBe(403);
  const authorization = `Pairing ${body.poll_secret}`;
  expect((await call(`GET /api/pair/code/${body.id}`, { headers: { authorization } })).status).toBe(202);
});

test('an owner mints, lists, renames and revokes', async () => {
  const { call, devices } = await setUpApp();
  const token = devices.owner?.token ?? '';
  const minted = await call('POST /api/devices', { token, body: { roles: ['runtime', 'person'] } });
  expect(minted).toMatchObject({ status: 201, body: { label: 'person and runtime', scopes: [] } });
  const { device_id } = minted.body;
  const renamed = await call(`PATCH /api/devices/${device_id}`, { token, body: { label: 'Chrome' } });
  expect(renamed).toMatchObject({ status: 200, body: { device_id, label: 'Chrome' } });
  const { body } = await call('GET /api/devices', { token });
  expect(body.devices).toHaveLength(2);
  expect(body.devices).toContainEqual({
    ...{ device_id, label: 'Chrome', roles: ['person', 'runtime'], scopes: [] },
    ...{ created_at: TODAY, last_seen_at: null, revoked_at: null, by: devices.owner?.device_id },
  });
  expect((await call(`DELETE /api/devices/${device_id}`, { token })).status).toBe(204);
  expect((await call('GET /api/me', { token: minted.body.token })).status).toBe(401);
  expect((await call(`DELETE /api/devices/${device_id}`, { token })).status).toBe(404);
  const last = await call(`DELETE /api/devices/${devices.owner?.device_id}`, { token });
  expect(last).toMatchObject({ status: 409, body: { error: { code: 'last_owner' } } });
});

test('people see all devices; guests and machines see themselves', async () => {
  const { call, add, devices } = await setUpApp();
  const guest = await devices.mint({
    ...{ roles: ['person'], scopes: ['session:a'], label: 'Guest', by: 'machine' },
  });
  const seen = async (token: string) => (await call('GET /api/devices', { token })).body.devices.length;
  expect(await seen((await add('proxy')).token)).toBe(1);
  expect(await seen(guest.token)).toBe(1);
  expect(await seen((await add('person')).token)).toBe(4);
});

test('signing out revokes the device', async () => {
  const { call, addBrowser } = await setUpApp();
  const browser = await addBrowser('person');
  expect((await call('POST /api/signout', { browser })).status).toBe(204);
  expect((await call('GET /api/me', { browser })).status).toBe(401);
});

test("a device with a wrong clock learns the relay's time and is then accepted", async () => {
  const { call, addBrowser, clock } = await setUpApp();
  const browser = await addBrowser('person');
  const late = {
    ...browser,
    proof: (method: string, path: string) => browser.proof(method, path, { at: 1 }),
  };
  const stale = await call('GET /api/me', { browser: late });
  expect(stale).toMatchObject({ status: 401, body: { error: { code: 'proof_stale' } } });
  expect(Number(stale.headers.get(TIME_HEADER))).toBe(clock.now());
  expect((await call('GET /api/me', { browser })).status).toBe(200);
});

test('the cookie of an earlier version asks to pair again, ends its token, and pairing keeps its device', async () => {
  const { call, add, devices, clock } = await setUpApp();
  const { identity, token } = await add('owner');
  const old = await call('GET /api/me', { cookie: token });
  expect(old).toMatchObject({ status: 401, body: { error: { code: 'pair_again' } } });
  expect(old.body.error.message).toContain('Pair this browser again');
  // Other servers of that host have received the token.
  expect((await call('GET /api/me', { token })).status).toBe(401);
  const order = { roles: ['owner'], scopes: [], label: 'Desk', by: 'machine' } as const;
  const { secret } = await devices.invitations.create(order);
  const signer = newSigner(clock.now);
  const paired = await call('POST /api/pair', { cookie: token, body: { secret, key: signer.key } });
  expect(paired).toMatchObject({ status: 200, body: { device_id: identity.device_id } });
  expect(paired.headers.get('set-cookie')).toContain('__Host-drawbridge=; Max-Age=0');
  const browser = named(signer, paired.body.browser_name, paired.body);
  expect((await call('GET /api/me', { browser })).body).toMatchObject({ device_id: identity.device_id });
  expect((await call('GET /api/me', { token })).status).toBe(401);
});

test('pairing keeps no device of a program whose token another server put in the cookie', async () => {
  const { call, add, devices } = await setUpApp();
  const { identity, token } = await add('agent');
  const order = { roles: ['owner'], scopes: [], label: 'Desk', by: 'machine' } as const;
  const { secret } = await devices.invitations.create(order);
  const body = { secret, key: newSigner().key };
  const paired = await call('POST /api/pair', { cookie: token, body });
  expect(paired.status).toBe(200);
  expect(paired.body.device_id).not.toBe(identity.device_id);
  expect((await call('GET /api/me', { token })).status).toBe(200);
});

const WRONG: readonly (readonly [string, unknown, number])[] = [
  ['POST /api/pair', '{', 400],
  ['POST /api/pair', '[]', 400],
  ['POST /api/pair', '{"__proto__":{"secret":"x"}}', 400],
  ['POST /api/pair', { secret: 7 }, 400],
  ['POST /api/pair', { secret: 'x', as: 'gift' }, 400],
  ['POST /api/pair', { secret: 'x', label: 7 }, 400],
  ['POST /api/pair/approve', { code: '12345' }, 400],
  ['POST /api/pair/approve', { code: '123456', roles: 'person' }, 400],
  ['POST /api/devices', { roles: [] }, 400],
  ['POST /api/devices', { roles: ['person', 'person'] }, 400],
  ['POST /api/devices', { roles: ['stranger'] }, 400],
  ['POST /api/devices', { roles: ['person'], scopes: ['a b'] }, 400],
  ...['sesion:a', 'session:', 'Session:a', ' session:a', 'sessions:a', 'a', '*'].flatMap(
    (scope) =>
      [
        ['POST /api/devices', { roles: ['person'], scopes: ['session:a', scope] }, 400],
        ['POST /api/pair/invite', { roles: ['person'], scopes: [scope] }, 400],
        ['POST /api/pair/approve', { code: '123456', scopes: [scope] }, 400],
      ] as const,
  ),
  ['POST /api/devices', { roles: ['owner'], scopes: ['session:a'] }, 400],
  ['PATCH /api/devices/dev_0', { label: ' \u202e ' }, 400],
  ['PATCH /api/devices/dev_0', { label: 'Nobody' }, 404],
  ['POST /api/pair', 'x'.repeat(20_000), 400],
  ['POST /api/pair', 'x'.repeat(70_000), 400],
];

test('refuses invalid input and says why', async () => {
  const { call, devices } = await setUpApp();
  const token = devices.owner?.token ?? '';
  for (const [route, body, status] of WRONG) {
    const answer = await call(route, { token, body });
    expect([route, body, answer.status]).toEqual([route, body, status]);
    expect(answer.body.error.message).toMatch(/\.$/);
  }
});

test('a label is one line of visible characters, with a maximum length', async () => {
  const { call, devices } = await setUpApp();
  const token = devices.owner?.token ?? '';
  const label = `  Ann\u2028’s \u202ephone\u0000 \ud800👩‍💻${'x'.repeat(200)}`;
  const { body } = await call('POST /api/devices', { token, body: { roles: ['person'], label } });
  expect(body.label).toMatch(/^Ann’s phone 👩‍💻x+$/u);
  expect([...body.label].length).toBeLessThanOrEqual(80);
});

test('reports a ledger error, and answers without its details', async () => {
  let isFull = false;
  const { call, devices, faults } = await setUpApp((ledger) => ({
    ...ledger,
    commit: (writes) => (isFull ? Promise.reject(new Error('disk /secret is full')) : ledger.commit(writes)),
  }));
  isFull = true;
  const answer = await call('POST /api/devices', {
    token: devices.owner?.token ?? '',
    body: { roles: ['person'] },
  });
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
  expect(answer.text).not.toContain('secret');
  expect(faults).toMatchObject([{ message: 'disk /secret is full' }]);
});
