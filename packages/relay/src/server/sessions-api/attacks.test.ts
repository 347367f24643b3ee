import { expect, test } from 'vitest';
import { type PairedBrowser, pairBrowser } from '../../../test/devices/paired-browser.ts';
import { call, leave, startProxy } from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay, type TestDevice } from '../../../test/server/test-relay.ts';

const ROUTES = [
  'GET /api/sessions',
  'GET /api/sessions/one/export',
  'DELETE /api/sessions/one',
  'GET /api/settings',
  'PUT /api/settings',
  'GET /api/audit',
  'POST /api/halt',
];

const bodyOf = (route: string) => (route.startsWith('PUT') ? { body: { retention_days: 1 } } : {});

test('only people manage sessions and halt: no agent, runtime or proxy, and nobody without a credential', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one'), screen);
  const strangers: [TestDevice, number][] = [
    [await relay.mint('agent'), 403],
    [await relay.mint('runtime'), 403],
    [await relay.mint('proxy'), 403],
    [{ device_id: '', role: 'owner', token: 'x'.repeat(43) }, 401],
  ];
  for (const route of ROUTES) {
    for (const [device, status] of strangers) {
      expect((await call(relay, device, route, bodyOf(route))).status, `${device.role} ${route}`).toBe(
        status,
      );
    }
  }
  expect(await relay.ledger.session('one')).toBeDefined();
});

test('[CHT-92] a guest sees and exports only its own session, and deletes, changes or halts nothing', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one', 'two'), screen, 2);
  const guest = await relay.mint('person', ['session:one']);
  const { sessions } = (await call(relay, guest, 'GET /api/sessions')).body;
  expect(sessions).toMatchObject([{ session_id: 'one' }]);
  const statusOf = async (route: string) => (await call(relay, guest, route, bodyOf(route))).status;
  expect(await statusOf('GET /api/sessions/one/export')).toBe(200);
  expect(await statusOf('GET /api/sessions/two/export')).toBe(404);
  expect(await statusOf('GET /api/sessions/none/export')).toBe(404);
  expect(await statusOf('DELETE /api/sessions/one')).toBe(403);
  expect(await statusOf('DELETE /api/sessions/two')).toBe(404);
  for (const route of ['PUT /api/settings', 'GET /api/audit', 'POST /api/halt']) {
    expect(await statusOf(route), route).toBe(403);
  }
  expect(await relay.ledger.heads()).toHaveLength(2);
});

test('a person cannot change the retention, which deletes for everybody', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  const put = await call(relay, person, 'PUT /api/settings', { body: { retention_days: 1 } });
  expect(put).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  expect((await call(relay, person, 'GET /api/settings')).body).toEqual({ retention_days: null });
});

test('[CHT-92] an unknown scope grants nothing', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one'), screen);
  const odd = await relay.mint('person', ['project:all']);
  expect((await call(relay, odd, 'GET /api/sessions')).body).toEqual({ sessions: [] });
  expect((await call(relay, odd, 'GET /api/sessions/one/export')).status).toBe(404);
  for (const route of ['POST /api/halt', 'POST /mcp', 'POST /bridge/agent/items']) {
    expect((await call(relay, odd, route)).status, route).toBe(403);
  }
});

test('a person reads the audit entries of their device, and none of others', async () => {
  const relay = await startTestRelay();
  const [person, owner] = [await relay.mint('person'), await relay.mint('owner')];
  const { device_id: theirs } = (await call(relay, person, 'GET /api/me')).body;
  const { device_id: owners } = (await call(relay, owner, 'GET /api/me')).body;
  const entry = { at: 1, action: 'halted' as const, subject: 'it', detail: {} };
  await relay.ledger.commit([
    { do: 'audit', entry: { ...entry, device_id: theirs } },
    { do: 'audit', entry: { ...entry, device_id: owners } },
  ]);
  const read = async (query: string) => (await call(relay, person, `GET /api/audit?${query}`)).body.audit;
  expect(await read('action=halted')).toEqual([expect.objectContaining({ device_id: theirs })]);
  expect(await read(`action=halted&device=${owners}`)).toEqual([
    expect.objectContaining({ device_id: theirs }),
  ]);
});

const shownBy = ({ proof }: PairedBrowser, route: string): Record<string, string> => {
  const [method = '', path = ''] = route.split(' ');
  return { 'drawbridge-proof': proof(method, path) };
};

test('[CHT-89] a proof deletes, changes and halts from our own Origin, and from no other', async () => {
  const relay = await startTestRelay({ origins: ['chrome-extension://ours'] });
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  await leave(await startProxy(relay, 'one'), screen);
  const browser = await pairBrowser(relay.devices, ['owner']);
  const changing = ROUTES.filter((route) => !route.startsWith('GET'));
  const from = async (route: string, headers: Record<string, string>) =>
    (
      await call(relay, owner, route, {
        ...bodyOf(route),
        headers: { ...shownBy(browser, route), ...headers },
      })
    ).status;
  for (const route of changing) {
    expect(await from(route, { origin: 'https://evil.test' }), route).toBe(403);
    expect(await from(route, { origin: 'null' }), route).toBe(403);
    expect(await from(route, { origin: 'chrome-extension://ours' }), route).toBe(401);
    expect(await from(route, {}), route).toBe(401);
    expect(await from(route, { 'sec-fetch-site': 'same-origin' }), route).toBe(401);
  }
  expect(await relay.ledger.session('one')).toBeDefined();
  expect((await call(relay, owner, 'GET /api/settings')).body).toEqual({ retention_days: null });
  for (const route of changing) {
    expect([200, 204], route).toContain(await from(route, { origin: relay.url }));
  }
});
