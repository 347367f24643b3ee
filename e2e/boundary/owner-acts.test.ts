import { readFileSync } from 'node:fs';
import { CONFIRMED_ACTS } from '@drawbridge/relay/acts';
import { SENDERS } from '@drawbridge/relay/commands';
import { passkeysWrite } from '@drawbridge/relay/passkey';
import { type PairedBrowser, pairBrowser } from '@drawbridge/relay/test/devices/paired-browser';
import { startTestRelay, type TestRelay } from '@drawbridge/relay/test/server/test-relay';
import { expect, test } from 'vitest';

const CONFIRMED: ReadonlySet<string> = new Set(Object.values(CONFIRMED_ACTS).map(({ route }) => route));

/** Routes for callers without a credential, or signed with the secret of the Pusher app. */
const OPEN: ReadonlySet<string> = new Set([
  'POST /api/pair',
  'POST /api/pair/code',
  'POST /api/passkeys/signin',
  'POST /api/passkeys/signin/options',
  'POST /api/v1/auth/login',
  'POST /apps/:appId/batch_events',
  'POST /apps/:appId/events',
  'POST /apps/:appId/users/:user/terminate_connections',
]);

/** Changing routes for which the proof is enough. A new route must be in one of the three lists. */
const PROOF_ALONE: Readonly<Record<string, readonly string[]>> = {
  'takes away, narrows or stops': [
    'DELETE /api/devices/:device_id',
    'DELETE /api/grants/:runtime_id',
    'DELETE /api/grants/:runtime_id/:grant_id',
    'DELETE /api/push/subscription',
    'DELETE /api/sessions/:session_id',
    'DELETE /api/sessions/:session_id/browser',
    'DELETE /api/settings/model',
    'DELETE /api/tasks/:task_id',
    'DELETE /api/webhooks/:id',
    'POST /api/halt',
    'POST /api/signout',
    'POST /api/v1/auth/logout',
    'PUT /api/settings',
  ],
  'names or labels': ['PATCH /api/devices/:device_id', 'PATCH /api/session/:sessionId'],
  'is itself the confirmation, of another device or by a passkey': [
    'POST /api/confirmations/:id',
    'POST /api/confirmations/:id/passkey',
    'POST /api/confirmations/:id/passkey/options',
    'POST /api/passkeys',
  ],
  'steers agents and tasks': [
    'POST /api/agent/interact',
    'POST /api/scheduled-sends',
    'POST /api/sessions/:session_id/browser/handback',
    'POST /api/sessions/:session_id/browser/takeover',
    'PUT /api/sessions/:session_id/browser',
    'DELETE /api/scheduled-sends/:id',
    'POST /api/session',
    'POST /api/session/:sessionId/task/:taskId/resume',
    'POST /api/session/init',
    'POST /api/demo',
    'POST /api/files',
    'POST /api/knowledge/upload-to-s3',
    'POST /api/runtimes/:runtime_id/check',
    'POST /api/runtimes/:runtime_id/handback',
    'POST /api/runtimes/:runtime_id/takeover',
    'POST /api/tasks',
    'POST /api/tasks/:task_id/answer',
    'POST /api/tasks/:task_id/handback',
    'POST /api/tasks/:task_id/pause',
    'POST /api/tasks/:task_id/resume',
    'POST /api/tasks/:task_id/retry',
    'POST /api/tasks/:task_id/takeover',
    'POST /bridge/agent/items',
    'POST /bridge/runtime/items',
  ],
  'is for a proxy, about a launch that a person made': ['POST /api/sessions/:session_id/browser'],
  'is about the browser that asks': [
    'POST /api/push/test',
    'POST /api/pusher/auth',
    'POST /api/webhooks/:id/test',
    'PUT /api/push/settings',
    'PUT /api/push/subscription',
    'PUT /api/push/visible',
    'POST /api/v1/user/preferences',
  ],
};

/** After these the caller is nobody. */
const ENDS_THE_DEVICE: ReadonlySet<string> = new Set(['POST /api/signout', 'POST /api/v1/auth/logout']);

const KEY = 'k'.repeat(22);
const PASSKEY = {
  ...{ id: KEY, label: 'Mine', rp_id: 'localhost', created_at: 1, by: 'dev_x' },
  ...{ public_key: KEY, counter: 0, transports: [] },
};

let relay: TestRelay;
let browser: PairedBrowser;
/** Items that the one lent tab has received. */
let delivered: string[];
async function open(): Promise<void> {
  relay = await startTestRelay({ limits: { failures_per_minute: 1_000_000 }, taskClients: true });
  browser = await pairBrowser(relay.devices, ['owner']);
  await relay.ledger.commit([passkeysWrite([PASSKEY])]);
  delivered = [];
  const tab = relay.bridge.connectRuntime({ send: ({ type }) => void delivered.push(type) });
  const features = ['grants', 'grants_renewed'];
  tab.receive({ type: 'runtime_ready', runtime_id: KEY, url: 'https://shop.example/', features });
}

/** Bodies that are valid up to the confirmation. */
const bodyOf = (route: string): unknown => {
  if (route === 'POST /api/webhooks') return { url: 'https://hooks.example/x' };
  if (route === 'POST /api/pair/approve')
    return { code: relay.devices.codes.open('Tablet', '192.0.2.1').code };
  if (route === 'PUT /api/settings/model') {
    return { provider: 'compatible', model: 'm', base_url: 'https://models.example/v1' };
  }
  return { roles: ['owner'], label: 'Mine' };
};

async function ask(route: string, by?: PairedBrowser, headers: Readonly<Record<string, string>> = {}) {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replaceAll(/:\w+/g, KEY);
  // Passkeys need a host name.
  const origin = `http://localhost:${relay.port}`;
  const response = await fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: {
      origin,
      'content-type': 'application/json',
      ...(by && { 'drawbridge-proof': by.proof(method, path) }),
      ...headers,
    },
    ...(method !== 'GET' && { body: JSON.stringify(bodyOf(route)) }),
  });
  const { error }: { error?: { code: string } } = await response.json().catch(() => ({}));
  return { status: response.status, code: error?.code };
}

test('[27.8] every changing route is open, needs only the proof, or needs a confirmation', async () => {
  await open();
  const known = [...OPEN, ...CONFIRMED, ...Object.values(PROOF_ALONE).flat()];
  const changing = relay.routes.filter((route) => !route.startsWith('GET '));
  const reading = [...CONFIRMED].filter((route) => route.startsWith('GET '));
  expect([...changing, ...reading].toSorted()).toEqual(known.toSorted());
});

test('[27.8] without a proof every changing route is refused', async () => {
  await open();
  for (const route of [...CONFIRMED, ...Object.values(PROOF_ALONE).flat()]) {
    expect([route, (await ask(route)).status]).toEqual([route, 401]);
  }
});

test.each([
  ['alone', {}],
  ['and a header that looks like a token', { authorization: 'Bearer not a token' }],
  ['and an empty token', { authorization: 'Bearer ' }],
  ['and a confirmation that nobody gave', { 'drawbridge-confirmation': '00000000' }],
])('[27.8] a proof %s gives no access, no secret, and sends nothing to a new place', async (_, headers) => {
  await open();
  for (const route of CONFIRMED) {
    expect({ route, ...(await ask(route, browser, headers)) }).toEqual({
      ...{ route, status: 403, code: 'confirmation_needed' },
    });
  }
});

test.each(['owner', 'person'] as const)(
  '[BRG-200] after a halt the proof of one %s gives agents nothing back',
  async (role) => {
    await open();
    const caller = await pairBrowser(relay.devices, [role]);
    const halted = await ask('POST /api/halt', caller);
    expect([halted.status, delivered.at(-1)]).toEqual([200, 'grants_revoked']);
    for (const route of relay.routes) {
      if (!route.startsWith('GET ') && !ENDS_THE_DEVICE.has(route)) await ask(route, caller);
    }
    expect(delivered).not.toContain('grants_renewed');
    expect(await ask('POST /api/grants', caller)).toEqual({ status: 403, code: 'confirmation_needed' });
    const [wanted] = relay.devices.confirmations.list().filter(({ act }) => act === 'give_back');
    if (!wanted) throw new Error('nothing waits for a confirmation');
    await expect(relay.devices.confirmations.answer(wanted.id, caller.identity, 'confirm')).rejects.toThrow();
    await relay.devices.confirmations.answer(wanted.id, browser.identity, 'confirm');
    // The confirmation is for this request alone, and counts once.
    const given = { 'drawbridge-confirmation': wanted.id };
    expect(await ask(`POST /api/grants/${KEY}`, caller, given)).toMatchObject({ status: 403 });
    expect(await ask('POST /api/grants', browser, given)).toMatchObject({ status: 403 });
    expect(delivered).not.toContain('grants_renewed');
    expect(await ask('POST /api/grants', caller, given)).toMatchObject({ status: 200 });
    expect(await ask('POST /api/grants', caller, given)).toMatchObject({ status: 403 });
    expect(delivered.filter((type) => type === 'grants_renewed')).toHaveLength(1);
  },
);

test('[27.8] no route and no frame changes roles', async () => {
  await open();
  const rolesOf = async () => (await relay.devices.list()).map(({ device_id, roles }) => [device_id, roles]);
  const person = await pairBrowser(relay.devices, ['person']);
  const before = await rolesOf();
  for (const route of Object.values(PROOF_ALONE).flat()) {
    if (ENDS_THE_DEVICE.has(route)) continue;
    const { status, code } = await ask(route, person);
    expect([route, status, code]).not.toEqual([route, 401, expect.anything()]);
    expect([route, code]).not.toEqual([route, 'confirmation_needed']);
  }
  expect(await rolesOf()).toEqual(before);
  const fromBrowsers = Object.entries(SENDERS).filter(([, kinds]) => kinds.includes('browser'));
  expect(fromBrowsers.map(([type]) => type).toSorted()).toEqual([
    'agent_answer',
    'agent_config_request',
    'agent_goal_control',
    'agent_interrupt',
    'agent_set_mode',
    'agent_set_model',
    'cancel_message',
    'close_session',
    'edit_message',
    'heartbeat',
    'history_chunk_request',
    'history_request',
    'launch_session',
    'permission_response',
    'send_message',
    'subscribe',
  ]);
});

test('[27.8] the security model lists every action that is confirmed', () => {
  const model = readFileSync(new URL('../../docs/security-model.md', import.meta.url), 'utf8');
  for (const { route, why } of Object.values(CONFIRMED_ACTS))
    expect(model).toContain(`\`${route}\` | ${why} |`);
});
