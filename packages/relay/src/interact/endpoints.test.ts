import { expect, test } from 'vitest';
import { CLICK, FIRST, startInteract } from '../../test/interact/interact-harness.ts';

const PATHS = [
  ['POST', '/api/agent/interact'],
  ['GET', '/api/session/latest'],
  ['GET', '/api/session/by-domain/google.com'],
  ['GET', '/api/session/one/messages'],
  ['PATCH', '/api/session/one'],
] as const;

test('[INT-70] [INT-40] without a valid credential every call gets 401, learns nothing and stores nothing', async () => {
  const { call, relay, brain } = await startInteract();
  await call({ ...FIRST, sessionId: 'one' });
  for (const [method, path] of PATHS) {
    for (const authorization of [undefined, 'Bearer wrong']) {
      const body = method === 'GET' ? null : JSON.stringify({ ...FIRST, title: 'x' });
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(`${relay.url}${path}`, { method, headers, body });
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toEqual({
        success: false,
        code: 'unauthorized',
        message: expect.stringContaining('paired device'),
      });
    }
  }
  expect(brain.inputs).toHaveLength(1);
  expect(await relay.ledger.tabSession('one')).toMatchObject({ is_renamed: false });
});

test('[INT-334] [INT-40] the routes of the newer document refuse with its codes, and the contract’s with theirs', async () => {
  const { call, relay, device, ask } = await startInteract();
  const { sessionId, taskId } = (await call(FIRST)).body.data;
  const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) });
  const task = `/api/session/${sessionId}/task/${taskId}`;
  const form = { method: 'POST', body: new FormData() };
  const answers = [
    await ask('/api/session?limit=0', {}),
    await ask('/api/session', post({ sessionId: 'none' })),
    await ask('/api/session/init', post({ sessionId: '../x' })),
    await ask(`${task}/resume`, post({ resolutionMethod: 'auto_retry' })),
    await ask(`${task}/resume`, post({ resolutionMethod: 'provide_in_chat' })),
    await ask(`/api/session/${sessionId}/task/none/resume`, post({ resolutionMethod: 'provide_in_chat' })),
    await ask(`${task}/report?format=doc`, {}),
    await ask(`/api/session/${sessionId}/task/none/report`, {}),
    await ask('/api/knowledge/upload-to-s3', form),
    await ask(`${task}/report`, {}, await relay.mint('proxy')),
    await ask('/api/session/latest', {}, await relay.mint('runtime')),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'VALIDATION_ERROR'],
    [404, 'SESSION_NOT_FOUND'],
    [400, 'VALIDATION_ERROR'],
    [400, 'VALIDATION_ERROR'],
    [400, 'INVALID_TASK_STATE'],
    [404, 'TASK_NOT_FOUND'],
    [400, 'VALIDATION_ERROR'],
    [404, 'TASK_NOT_FOUND'],
    [400, 'VALIDATION_ERROR'],
    [403, 'UNAUTHORIZED'],
    [404, 'session_not_found'],
  ]);
  for (const { body } of answers.slice(0, -1))
    expect(body).toMatchObject({ success: false, error: body.message });
  const wrong = await fetch(`${relay.url}/api/session/init`, {
    method: 'POST',
    headers: { authorization: `Bearer ${device.token}x` },
  });
  expect([wrong.status, (await wrong.json()).code]).toEqual([401, 'UNAUTHORIZED']);
});

test('[INT-71] a bearer token works from any Origin, preflight included; a cookie only from our own', async () => {
  const { relay, device } = await startInteract();
  for (const origin of ['chrome-extension://abcdef', 'https://other.example']) {
    for (const [method, path] of PATHS) {
      const asked = await fetch(`${relay.url}${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': method },
      });
      expect([path, asked.status]).toEqual([path, 204]);
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked.headers.get('access-control-allow-headers')).toContain('idempotency-key');
      expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const headers = { origin, authorization: `Bearer ${device.token}` };
    const body = JSON.stringify(FIRST);
    const answer = await fetch(`${relay.url}/api/agent/interact`, { method: 'POST', headers, body });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const cookie = { origin, cookie: `drawbridge=${device.token}` };
    const refused = await fetch(`${relay.url}/api/session/latest`, { headers: cookie });
    // An extension is told that it shows no token; a page learns nothing.
    expect(refused.status).toBe(origin.startsWith('chrome-extension:') ? 401 : 403);
  }
  const other = await fetch(`${relay.url}/api/devices`, {
    method: 'OPTIONS',
    headers: { origin: 'https://other.example' },
  });
  expect(other.status).toBe(403);
});

test('[INT-288] persons, owners and runtimes call; guests, proxies and agents do not', async () => {
  const { relay, ask } = await startInteract();
  const post = { method: 'POST', body: JSON.stringify(FIRST) };
  for (const [role, scopes, status] of [
    ['person', [], 200],
    ['owner', [], 200],
    ['runtime', [], 200],
    ['proxy', [], 403],
    ['agent', [], 403],
    ['person', ['session:one'], 403],
    ['runtime', ['session:one'], 403],
  ] as const) {
    const device = await relay.mint(role, scopes);
    const answer = await ask('/api/agent/interact', post, device);
    expect([role, scopes, answer.status]).toEqual([role, scopes, status]);
    expect(answer.body.success).toBe(status === 200);
  }
});

test("[INT-73] [INT-291] another device's session or task looks like a missing one, and nothing is written to it", async () => {
  const { call, relay, ask, get } = await startInteract();
  const { taskId, sessionId } = (await call(FIRST)).body.data;
  const other = await relay.mint('runtime');
  const as = (body: object) =>
    ask('/api/agent/interact', { method: 'POST', body: JSON.stringify({ ...FIRST, ...body }) }, other);
  const [theirs, none] = [await as({ taskId }), await as({ taskId: 'nowhere' })];
  expect([theirs.status, theirs.body]).toEqual([404, none.body]);
  expect(await as({ sessionId })).toMatchObject({
    status: 404,
    body: { code: 'session_not_found', path: 'sessionId' },
  });
  const messages = await get(`/api/session/${sessionId}/messages`, other);
  const nowhere = await get('/api/session/nowhere/messages', other);
  expect({ ...messages.body, sessionId: 'nowhere' }).toEqual(nowhere.body);
  const rename = (id: string) =>
    ask(`/api/session/${id}`, { method: 'PATCH', body: '{"title":"mine"}' }, other);
  expect((await rename(sessionId)).body).toEqual((await rename('nowhere')).body);
  expect((await get('/api/session/latest', other)).status).toBe(404);
  expect((await get('/api/session/by-domain/google.com', other)).body).toEqual({ session: null });
  // An agent's own session belongs to no tab.
  const proxy = await relay.connect('proxy');
  proxy.send({
    type: 'proxy_session_snapshot',
    sessions: [{ session_id: 'codex', agent_type: 'codex', status: 'healthy' }],
  });
  await proxy.settled();
  const person = await relay.mint('person');
  for (const device of [other, person]) {
    const post = { method: 'POST', body: JSON.stringify({ ...FIRST, sessionId: 'codex' }) };
    expect(await ask('/api/agent/interact', post, device)).toMatchObject({
      status: 404,
      body: { code: 'session_not_found' },
    });
  }
  expect((await get('/api/session/codex/messages', person)).body.sessionExists).toBe(false);
  expect((await get(`/api/session/${sessionId}/messages`, person)).body.sessionExists).toBe(true);
  expect(await relay.ledger.tasksBefore(null, 9)).toHaveLength(1);
  expect((await get(`/api/session/${sessionId}/messages`)).body.total).toBe(2);
});

test("[INT-73] no caller can join another device's pending call, whatever key is sent", async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { call, relay, ask } = await startInteract(async ({ memory }) => {
    if (memory === undefined) return CLICK;
    asked.resolve();
    await answered.promise;
    return CLICK;
  });
  const { taskId } = (await call(FIRST)).body.data;
  const key = { 'idempotency-key': 'second' };
  const own = call({ ...FIRST, taskId }, key);
  await asked.promise;
  const other = await relay.mint('runtime');
  const post = { method: 'POST', headers: key, body: JSON.stringify({ ...FIRST, taskId }) };
  const theirs = await ask('/api/agent/interact', post, other);
  expect(theirs).toMatchObject({ status: 404, body: { code: 'task_not_found' } });
  answered.resolve();
  expect((await own).status).toBe(200);
});

test('[INT-26] [INT-72] a body over the limit gets 413, one nested too deep 400, before its fields are read', async () => {
  const { call, relay } = await startInteract();
  const long = JSON.stringify({ ...FIRST, x: 'y'.repeat(4_194_304) });
  expect(await call(long)).toMatchObject({ status: 413, body: { success: false, code: 'body_too_large' } });
  const huge = `${long}${' '.repeat(9_000_000)}`;
  expect(await call(huge)).toMatchObject({ status: 413, body: { success: false, code: 'body_too_large' } });
  expect(await call(`${'['.repeat(65)}${']'.repeat(65)}`)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
  expect(await relay.ledger.tasksBefore(null, 9)).toEqual([]);
});

test('[INT-289] too many calls of one device within a minute get 429; other devices are not affected', async () => {
  const { call, relay, ask } = await startInteract(() => CLICK, { limits: { interact_calls_per_minute: 3 } });
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await call(FIRST)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  const other = await relay.mint('person');
  const post = { method: 'POST', body: JSON.stringify(FIRST) };
  expect((await ask('/api/agent/interact', post, other)).status).toBe(200);
});

test('[INT-289] a long page with a secret field counts as several calls, a long picture does not', async () => {
  const { call } = await startInteract(() => CLICK, { limits: { interact_calls_per_minute: 8 } });
  const picture = { ...FIRST, screenshot: 'A'.repeat(100_000), dom: '<input type=password value=abcd>' };
  expect((await call(picture)).status).toBe(200);
  const page = { ...FIRST, dom: `<input type=password value=abcd>${' '.repeat(100_000)}` };
  expect((await call(page)).status).toBe(200);
  expect((await call(FIRST)).status).toBe(429);
});
