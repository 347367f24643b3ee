import { randomUUID } from 'node:crypto';
import { createRulePlanner, type StepAnswer } from '@drawbridge/brain';
import { createFakeClock } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { CLICK, FINISH, type Script, startInteract } from '../../test/interact/interact-harness.ts';
import {
  EXTENSION_ORIGIN,
  extensionOf,
  type PublicExtension,
  pairingCode,
} from '../../test/interact/public-extension.ts';
import { askAuth, nextEvent } from '../../test/pusher/pusher-harness.ts';
import { startTestRelay, type TestRelay } from '../../test/server/test-relay.ts';

const PAGE = {
  url: 'https://shop.test/cart',
  domMode: 'semantic',
  interactiveTree: [{ i: '7', r: 'btn', n: 'Pay', xy: [10, 10] }],
  viewport: { width: 1280, height: 800 },
  pageTitle: 'Cart',
  screenshot: null,
};

async function signedIn(relay: TestRelay): Promise<PublicExtension> {
  const extension = await extensionOf(relay);
  const { status } = await extension.signIn('ada@example.org', await pairingCode(relay));
  expect(status).toBe(200);
  return extension;
}

const withScript = async (script: Script, options = {}) => (await startInteract(script, options)).relay;

test('[INT-306] [INT-307] [INT-308] [INT-309] [INT-310] the public extension signs in, subscribes and completes a task', async () => {
  const planner = createRulePlanner();
  const relay = await startTestRelay({ brain: () => planner });
  const extension = await extensionOf(relay);
  const { send } = extension;
  const login = await extension.signIn('ada@example.org', await pairingCode(relay));
  const user = { id: expect.any(String), email: 'ada@example.org', name: 'ada@example.org' };
  const account = { user, tenantId: 'drawbridge', tenantName: 'Drawbridge' };
  expect([login.status, login.body]).toEqual([
    200,
    { accessToken: expect.any(String), expiresAt: expect.any(String), ...account },
  ]);
  expect((await send('GET', '/api/knowledge/resolve?url=shop.test')).body).toEqual({
    allowed: true,
    domain: 'shop.test',
    hasOrgKnowledge: false,
    context: [],
    citations: [],
  });
  expect((await send('GET', '/api/v1/auth/session')).body).toEqual(account);
  const listPath = '/api/session?status=active&includeArchived=false&limit=50';
  expect((await send('GET', listPath)).body).toEqual({
    success: true,
    data: { sessions: [], pagination: { total: 0, limit: 50, offset: 0, hasMore: false } },
  });
  expect((await send('GET', '/api/v1/user/preferences')).body).toEqual({ preferences: { theme: 'system' } });
  expect((await send('POST', '/api/v1/user/preferences', { theme: 'dark' })).status).toBe(200);
  expect((await send('GET', '/api/v1/user/preferences')).body).toEqual({ preferences: { theme: 'dark' } });

  const sessionId = randomUUID();
  const init = { sessionId, url: '', tabId: 41 };
  expect((await send('POST', '/api/session/init', init)).body).toEqual({
    success: true,
    data: { sessionId, created: true },
  });
  expect((await send('POST', '/api/session/init', init)).body.data.created).toBe(false);
  const messagesPath = `/api/session/${sessionId}/messages?limit=50`;
  expect((await send('GET', messagesPath)).body).toMatchObject({ messages: [], sessionExists: true });
  const channel = await extension.subscribe(sessionId);
  const pushed = nextEvent(channel, 'new_message');

  const query = 'Click the "Pay" button';
  const turn = { ...PAGE, query, tabId: 41, sessionId };
  const first = await send('POST', '/api/agent/interact', turn);
  expect(first.body).toMatchObject({
    success: true,
    action: 'click(7)',
    status: 'executing',
    plan: { currentStepIndex: 0 },
    data: { action: 'click(7)', sessionId },
  });
  const { taskId } = first.body;
  expect((await send('GET', listPath)).body.data.sessions).toMatchObject([
    { sessionId, status: 'active', url: PAGE.url, metadata: { initialQuery: query } },
  ]);
  const ended = nextEvent(channel, 'interact_response');
  const second = await send('POST', '/api/agent/interact', {
    ...turn,
    taskId,
    url: 'https://shop.test/paid',
    interactiveTree: [{ i: '9', r: 'link', n: 'Receipt' }],
    lastActionStatus: 'success',
    lastActionResult: { success: true },
    domChanges: { addedCount: 3, removedCount: 1, dropdownDetected: false, stabilizationTime: 300 },
    clientObservations: { didDomMutate: true, didUrlChange: true },
  });
  expect(second.body).toMatchObject({ action: 'finish()', status: 'completed', taskId });
  expect(await ended).toMatchObject({ sessionId, taskId });
  const { messages, total } = (await send('GET', messagesPath)).body;
  expect(messages).toHaveLength(total);
  expect(await pushed).toMatchObject({ type: 'new_message', sessionId, message: messages[0] });

  expect((await send('PATCH', `/api/session/${sessionId}`, { title: 'Lamps' })).status).toBe(200);
  expect((await send('POST', '/api/session', { sessionId })).body.data.status).toBe('archived');
  expect((await send('GET', listPath)).body.data.sessions).toEqual([]);
  expect(await send('POST', '/api/session/init', init)).toMatchObject({
    status: 409,
    body: { code: 'SESSION_ARCHIVED' },
  });
  expect((await send('POST', '/api/v1/auth/logout')).status).toBe(204);
  expect((await send('GET', '/api/v1/auth/session')).status).toBe(401);
});

test('[INT-306] [INT-305] a code works once, whole links work too, and a wrong password is a 401 with a text', async () => {
  const relay = await startTestRelay();
  const extension = await extensionOf(relay);
  const code = await pairingCode(relay);
  const both = await Promise.all([
    extension.signIn('ada@example.org', `${relay.url}/#pair=${code} `),
    extension.signIn('eve@example.org', code),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  const used = await (await extensionOf(relay)).signIn('eve@example.org', code);
  expect(used).toMatchObject({
    status: 401,
    body: { message: expect.stringContaining('has been used'), error: { code: 'unauthorized' } },
  });
});

test('[INT-306] wrong codes are paced together with those of pairing', async () => {
  const relay = await startTestRelay({ clock: createFakeClock() });
  const extension = await extensionOf(relay);
  const code = await pairingCode(relay);
  const guess = async () => (await extension.signIn('eve@example.org', 'x'.repeat(43))).status;
  const guesses: number[] = [];
  for (let count = 0; count < 11; count += 1) guesses.push(await guess());
  expect(guesses).toEqual([...Array(10).fill(401), 429]);
  const limited = await extension.signIn('ada@example.org', code);
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
  const paired = await fetch(`${relay.url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: code, as: 'token' }),
  });
  expect(paired.status).toBe(429);
});

test.each([
  [['owner'], []],
  [['agent'], []],
  [['proxy'], []],
  [['person', 'owner'], []],
  [['person'], ['session:one']],
])('[INT-306] a link for %j with scopes %j signs no client in, and stays unused', async (roles, scopes) => {
  const relay = await startTestRelay();
  const code = await pairingCode(relay, roles, scopes);
  const refused = await (await extensionOf(relay)).signIn('ada@example.org', code);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  const paired = await fetch(`${relay.url}/api/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: code, as: 'token' }),
  });
  expect((await paired.json()).roles).toEqual(expect.arrayContaining(roles));
});

test('[INT-306] pages of other origins and forms can not sign in', async () => {
  const relay = await startTestRelay();
  const code = await pairingCode(relay);
  const body = JSON.stringify({ email: 'eve@example.org', password: code });
  const post = (headers: Record<string, string>) =>
    fetch(`${relay.url}/api/v1/auth/login`, { method: 'POST', headers, body });
  const json = { 'content-type': 'application/json' };
  for (const origin of ['https://evil.example', 'null', 'chrome-extension://a.evil.example']) {
    const answer = await post({ ...json, origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    const preflight = await fetch(`${relay.url}/api/v1/auth/login`, {
      method: 'OPTIONS',
      headers: { origin },
    });
    expect(preflight.status).toBe(403);
  }
  expect((await post({ 'content-type': 'text/plain', origin: EXTENSION_ORIGIN })).status).toBe(415);
  expect((await (await extensionOf(relay)).signIn('ada@example.org', code)).status).toBe(200);
});

test('[INT-307] the first of two devices keeps the session, and the other may not listen to it', async () => {
  const relay = await startTestRelay();
  const [ada, eve] = [await signedIn(relay), await relay.mint('runtime')];
  const sessionId = randomUUID();
  await ada.send('POST', '/api/session/init', { sessionId });
  const asEve = await fetch(`${relay.url}/api/session/init`, {
    method: 'POST',
    headers: { authorization: `Bearer ${eve.token}` },
    body: JSON.stringify({ sessionId }),
  });
  expect([asEve.status, (await asEve.json()).code]).toEqual([403, 'UNAUTHORIZED']);
  const form = { socket_id: '1.1', channel_name: `private-session-${sessionId}` };
  expect((await askAuth(relay, eve, form)).status).toBe(403);
  for (const body of [{}, { sessionId: '../x' }, { sessionId: 7 }, { sessionId: 'abc-123' }]) {
    expect(await ada.send('POST', '/api/session/init', body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', path: 'sessionId', message: expect.stringContaining('sessionId') },
    });
  }
  const badUrl = { sessionId, url: 'not a url' };
  expect((await ada.send('POST', '/api/session/init', badUrl)).body.path).toBe('url');
});

test('[INT-71] an extension without a token is told so in an answer that it can read', async () => {
  const relay = await startTestRelay();
  const asked = (path: string, origin: string, method = 'GET') =>
    fetch(`${relay.url}${path}`, { method, headers: { origin, 'content-type': 'application/json' } });
  for (const [path, method] of [
    ['/api/v1/auth/session', 'GET'],
    ['/api/session/init', 'POST'],
    ['/api/nothing', 'GET'],
  ] as const) {
    const answer = await asked(path, EXTENSION_ORIGIN, method);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
      401,
      EXTENSION_ORIGIN,
    ]);
    expect(await answer.json()).toEqual({
      error: { code: 'unauthorized', message: expect.stringContaining('token') },
      message: expect.stringContaining('token'),
    });
  }
  const page = await asked('/api/v1/auth/session', 'https://evil.example');
  expect([page.status, page.headers.get('access-control-allow-origin'), await page.text()]).toEqual([
    403,
    null,
    '',
  ]);
});

test('[INT-311] [INT-312] limit and since give a part of the list, and times never run backwards', async () => {
  const clock = createFakeClock();
  let turn = 0;
  const plan = (at: number) => ({
    steps: ['Open', 'Pay'].map((description, index) => ({
      id: `step_${index}`,
      index,
      description,
      status: index < at ? ('completed' as const) : ('active' as const),
      toolType: 'DOM' as const,
    })),
    currentStepIndex: at,
  });
  const relay = await withScript(() => ({ ...CLICK, plan: plan(turn++ % 2) }), { clock });
  const { send } = await signedIn(relay);
  const sessionId = randomUUID();
  let taskId: string | undefined;
  for (let count = 0; count < 3; count += 1) {
    const last = count === 0 ? {} : { taskId, lastActionStatus: 'success' };
    const { body } = await send('POST', '/api/agent/interact', { ...PAGE, query: 'Pay', sessionId, ...last });
    taskId = body.taskId;
    clock.advance(1_000);
  }
  const path = `/api/session/${sessionId}/messages`;
  const { messages, total } = (await send('GET', path)).body;
  const times = messages.map(({ timestamp }: { timestamp: string }) => timestamp);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBeGreaterThan(1);
  expect(messages.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)).toEqual(
    messages.map((_: unknown, index: number) => index),
  );
  expect((await send('GET', `${path}?limit=2`)).body).toMatchObject({ messages: messages.slice(-2), total });
  const since = await send('GET', `${path}?limit=50&since=${encodeURIComponent(times.at(-1))}`);
  expect(since.body.messages).toEqual(
    messages.filter(({ timestamp }: { timestamp: string }) => timestamp >= times.at(-1)),
  );
  for (const wrong of ['limit=0', 'limit=201', 'limit=x', 'since=yesterday']) {
    expect((await send('GET', `${path}?${wrong}`)).status).toBe(400);
  }
});

test('[INT-313] a plan is a message with its steps in metadata, and says when the steps are others', async () => {
  const step = (description: string, status: 'active' | 'completed' = 'active') => [
    { id: 'step_0', index: 0, description, status, toolType: 'DOM' as const },
  ];
  const plans = [step('Open'), step('Open'), step('Search'), step('Search', 'completed')];
  const relay = await withScript(() => ({
    ...CLICK,
    plan: { steps: plans.shift() ?? [], currentStepIndex: 0 },
  }));
  const { send } = await signedIn(relay);
  const call = { ...PAGE, query: 'Pay', sessionId: randomUUID() };
  const { taskId } = (await send('POST', '/api/agent/interact', call)).body;
  const planOf = async () => {
    const { messages } = (await send('GET', `/api/session/${call.sessionId}/messages`)).body;
    return messages.find(({ role }: { role: string }) => role === 'system');
  };
  expect(await planOf()).toMatchObject({
    content: expect.stringContaining('1. Open'),
    metadata: {
      messageType: 'plan_preview',
      taskId,
      plan: {
        steps: [{ index: 0, description: 'Open', status: 'active' }],
        totalSteps: 1,
        currentStepIndex: 0,
      },
    },
  });
  await send('POST', '/api/agent/interact', { ...call, taskId, lastActionStatus: 'success' });
  expect((await planOf()).metadata.messageType).toBe('plan_preview');
  await send('POST', '/api/agent/interact', { ...call, taskId, lastActionStatus: 'success' });
  expect((await planOf()).metadata).toMatchObject({
    messageType: 'plan_update',
    plan: { steps: [{ description: 'Search' }] },
  });
  await send('POST', '/api/agent/interact', { ...call, taskId, lastActionStatus: 'success' });
  expect((await planOf()).metadata.messageType).toBe('plan_update');
});

test('[INT-314] [INT-315] a blocked task resumes with data that reaches one decision and no row', async () => {
  const SECRET = '907314';
  const ask = {
    thought: 'The shop wants a code.',
    status: 'needs_user_input',
    userQuestion: 'Which code?',
    missingInformation: ['code'],
  } satisfies StepAnswer;
  const relay = await withScript(({ said, memory }) => {
    if (memory === undefined) return ask;
    const code = said.find((each) => each === SECRET);
    if (code === undefined) return FINISH;
    return { ...CLICK, thought: `I type ${code}.`, action: `setValue(7, "${code}")` };
  });
  const { send } = await signedIn(relay);
  const call = { ...PAGE, query: 'Sign in', sessionId: randomUUID() };
  const { body } = await send('POST', '/api/agent/interact', call);
  expect(body).toMatchObject({
    status: 'needs_user_input',
    blockerInfo: {
      type: 'mfa_required',
      userMessage: 'Which code?',
      resolutionMethods: ['user_action_on_web', 'provide_in_chat'],
      requiredFields: [{ name: 'code', label: 'code', type: 'code' }],
    },
  });
  const { taskId } = body;
  const path = `/api/session/${call.sessionId}/task/${taskId}/resume`;
  const resolution = { resolutionMethod: 'provide_in_chat', resolutionData: { code: SECRET } };
  for (const wrong of [{}, { resolutionMethod: 'auto_retry' }, { ...resolution, resolutionData: 7 }]) {
    expect((await send('POST', path, wrong)).status).toBe(400);
  }
  const other = await relay.mint('runtime');
  const asOther = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other.token}` },
    body: JSON.stringify(resolution),
  });
  expect(asOther.status).toBe(404);
  expect((await send('POST', path, resolution)).body).toMatchObject({
    success: true,
    taskId,
    status: 'executing',
    data: { taskId, resumedAt: expect.any(String) },
  });
  expect(await send('POST', path, resolution)).toMatchObject({
    status: 400,
    body: { code: 'INVALID_TASK_STATE' },
  });
  const next = await send('POST', '/api/agent/interact', { ...call, taskId });
  expect(next.body.action).toBe(`setValue(7, "${SECRET}")`);
  const { messages } = (await send('GET', `/api/session/${call.sessionId}/messages`)).body;
  expect(JSON.stringify([messages, await relay.ledger.task(taskId)])).not.toContain(SECRET);
  expect(relay.lines.join('\n')).not.toContain(SECRET);
  const last = await send('POST', '/api/agent/interact', { ...call, taskId, lastActionStatus: 'success' });
  expect(last.body.action).toBe('finish()');
});

test('[INT-316] a report is a file of the task that only its device gets', async () => {
  let turn = 0;
  const formula = { ...CLICK, thought: '=HYPERLINK("https://evil.example")' };
  const relay = await withScript(() => (turn++ === 0 ? formula : FINISH));
  const extension = await extensionOf(relay);
  const { accessToken } = (await extension.signIn('ada@example.org', await pairingCode(relay))).body;
  const call = { ...PAGE, query: 'Pay', sessionId: randomUUID() };
  const { taskId } = (await extension.send('POST', '/api/agent/interact', call)).body;
  const last = { ...call, taskId, lastActionStatus: 'success' };
  await extension.send('POST', '/api/agent/interact', last);
  const path = `/api/session/${call.sessionId}/task/${taskId}/report`;
  const json = await extension.send('GET', `${path}?format=json`);
  expect(json.headers.get('content-disposition')).toMatch(
    /^attachment; filename="task-report-[\w-]+\.json"$/,
  );
  expect(json.body).toMatchObject({
    metadata: { taskId, sessionId: call.sessionId, format: 'json' },
    task: { query: 'Pay', status: 'completed', result: 'Done.' },
    actionHistory: [{ stepIndex: 0, action: 'click(42)', status: 'success', thought: formula.thought }],
    summary: { totalSteps: 1, successfulSteps: 1 },
  });
  const read = async (format: string, token: string) =>
    fetch(`${relay.url}${path}?format=${format}`, { headers: { authorization: `Bearer ${token}` } });
  const csv = await read('csv', accessToken);
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect(await csv.text()).toContain(`"1","click(42)","success","'=HYPERLINK(""https://evil.example"")",`);
  expect(await (await read('markdown', accessToken)).text()).toContain('| 1 | click(42) | success |');
  expect((await read('csv', (await relay.mint('runtime')).token)).status).toBe(404);
  expect((await extension.send('GET', `${path}?format=pdf`)).status).toBe(400);
});
