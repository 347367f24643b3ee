import { join } from 'node:path';
import { openSqliteLedger } from '@drawbridge/ledger';
import { expect, onTestFinished, test } from 'vitest';
import {
  appendMessages,
  call,
  leave,
  startProxy,
} from '../../../test/server/sessions-api/sessions-api-harness.ts';
import { startTestRelay, type TestDevice, temporaryFolder } from '../../../test/server/test-relay.ts';

test('lists every session, closed ones too, with its status', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one', 'two');
  proxy.send({ type: 'session_closed', session_id: 'two' });
  await screen.next('session_closed');
  const away = await startProxy(relay, 'three');
  await leave(away, screen);
  const { body, headers } = await call(relay, await relay.mint('person'), 'GET /api/sessions');
  expect(body.sessions).toMatchObject([
    { session_id: 'three', name: 'Agent three', status: 'disconnected', closed_at: null },
    { session_id: 'two', status: 'closed', head: 2, events: 2, closed_at: expect.any(Number) },
    { session_id: 'one', status: 'connected', head: 1, created_at: expect.any(Number) },
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('an export has a header, each event in order, and a last line that vouches for them', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one/ü"x');
  await appendMessages(proxy, screen, 'one/ü"x', 'first', 'second');
  const path = `GET /api/sessions/${encodeURIComponent('one/ü"x')}/export`;
  const { status, text, headers } = await call(relay, await relay.mint('owner'), path);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toBe('attachment; filename="one___x.jsonl"');
  const [head, ...rest] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = rest.pop();
  expect(head).toMatchObject({
    session: { session_id: 'one/ü"x', metadata: { agent_type: 'codex' } },
    epoch: relay.ledger.epoch,
    exported_at: expect.any(Number),
  });
  expect(rest.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'session_up'],
    [2, 'message_event'],
    [3, 'message_event'],
  ]);
  expect(rest[1].prev_hash).toBe(rest[0].hash);
  expect(last).toEqual({ events: 3, hash: rest[2].hash });
});

test('[INT-277] an export masks text that looks like a secret, and marks the event', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one');
  await appendMessages(
    proxy,
    screen,
    'one',
    'Your verification code is 482913',
    'Order 482913 is on its way',
  );
  const { text } = await call(relay, await relay.mint('owner'), 'GET /api/sessions/one/export');
  const [, , code, order] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(JSON.stringify(code)).toContain('Your verification code is •••');
  expect(JSON.stringify(code)).not.toContain('482913');
  expect(code).toMatchObject({ masked: true });
  expect(JSON.stringify(order)).toContain('Order 482913');
  expect(order).not.toHaveProperty('masked');
});

test('an export of more events than a page holds has them all', async () => {
  const relay = await startTestRelay();
  const at = 1;
  await relay.ledger.commit([
    { do: 'create_session', session_id: 'long', proxy_device_id: 'p', metadata: {}, at },
    ...Array.from({ length: 1_201 }, (_, index) => ({
      do: 'append_event' as const,
      session_id: 'long',
      event_id: `e${index}`,
      type: 'session_status',
      payload: { status: 'healthy' },
      at,
    })),
  ]);
  const { text } = await call(relay, await relay.mint('owner'), 'GET /api/sessions/long/export');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(1, -1).map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 1_201 }, (_, index) => index + 1),
  );
  expect(lines.at(-1)).toMatchObject({ events: 1_201 });
});

test('an export that cannot be read to its end breaks off, and never looks complete', async () => {
  const data = await temporaryFolder();
  const ledger = await openSqliteLedger({ path: join(data, 'ledger.db') });
  onTestFinished(ledger.close);
  const at = 1;
  await ledger.commit([
    { do: 'create_session', session_id: 'one', proxy_device_id: 'p', metadata: {}, at },
    { do: 'append_event', session_id: 'one', event_id: 'e1', type: 'session_status', payload: {}, at },
  ]);
  const relay = await startTestRelay({ data, ledger: { ...ledger, eventsAfter: async () => undefined } });
  await expect(call(relay, await relay.mint('owner'), 'GET /api/sessions/one/export')).rejects.toThrow();
});

test('a deleted session is gone for everybody, accepts no send, and stays gone after a restart', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one');
  await leave(proxy, screen);
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(204);
  expect(await screen.next('session_closed')).toMatchObject({ session_id: 'one', reason: 'user_requested' });
  screen.send({
    type: 'send_message',
    session_id: 'one',
    client_message_id: 'm1',
    content: 'hello',
    created_at: '2026-01-01T00:00:00.000Z',
  });
  expect(await screen.next('connection_error')).toMatchObject({ code: 'session_unknown' });
  const shown = await (await relay.connect('person')).next('session_snapshot');
  expect(shown.sessions).toEqual([]);
  expect((await call(relay, owner, 'GET /api/sessions')).body).toEqual({ sessions: [] });
  expect((await call(relay, owner, 'GET /api/sessions/one/export')).status).toBe(404);
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(404);
  const audit = await relay.ledger.auditBefore(Number.MAX_SAFE_INTEGER, 10);
  expect(audit.filter(({ action }) => action === 'session_deleted')).toMatchObject([
    { subject: 'one', device_id: owner.device_id, detail: { name: 'Agent one', events: 2 } },
  ]);
  const again = await relay.restart();
  expect((await call(again, owner, 'GET /api/sessions')).body).toEqual({ sessions: [] });
});

test('[CHT-202] a send that waits for a deleted session gets an outcome', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  const sender = await relay.connect('person');
  await leave(await startProxy(relay, 'one', 'two'), screen, 2);
  const send = (session_id: string, client_message_id: string) =>
    sender.send({
      type: 'send_message',
      ...{ session_id, client_message_id, content: 'hello', created_at: '2026-01-01T00:00:00.000Z' },
    });
  send('one', 'm1');
  send('one', 'm2');
  send('two', 'm3');
  for (let count = 0; count < 3; count += 1) await sender.next('message_accepted');
  const owner = await relay.mint('owner');
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(204);
  for (const client_message_id of ['m1', 'm2']) {
    const failed = { session_id: 'one', client_message_id, error: { code: 'session_not_connected' } };
    expect(await sender.next('message_failed')).toMatchObject(failed);
    expect(await screen.next('message_failed')).toMatchObject(failed);
  }
  await sender.next('session_closed');
  await sender.settled();
  expect(sender.frames.filter(({ type }) => type === 'message_failed')).toHaveLength(2);
  expect(await relay.ledger.message('two', 'm3')).toMatchObject({ state: 'accepted' });
});

test('[CHT-202] withdraws a prompt of a deleted session, and asks it nowhere again', async () => {
  const relay = await startTestRelay();
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one');
  const prompt = { session_id: 'one', prompt_id: 'p1', prompt_text: 'Run it?' };
  const choices = [{ choice_id: 'yes', label: 'Yes', is_default: false }];
  proxy.send({ type: 'permission_prompt', ...prompt, choices });
  await screen.next('permission_prompt');
  await leave(proxy, screen);
  expect((await call(relay, await relay.mint('owner'), 'DELETE /api/sessions/one')).status).toBe(204);
  expect(await screen.next('permission_prompt_expired')).toMatchObject({
    session_id: 'one',
    prompt_id: 'p1',
  });
  await screen.next('session_closed');
  const { frames } = await relay.connect('person');
  expect(frames.find(({ type }) => type === 'connection_ack')).toMatchObject({ open_prompts: [] });
  expect(await relay.ledger.openPrompts()).toEqual([]);
});

test('[CHT-93] an export ends when the device that reads it is revoked', async () => {
  const relay = await startTestRelay();
  const at = 1;
  const payload = { text: 'x'.repeat(50_000) };
  await relay.ledger.commit([
    { do: 'create_session', session_id: 'long', proxy_device_id: 'p', metadata: {}, at },
    ...Array.from({ length: 1_000 }, (_, index) => ({
      do: 'append_event' as const,
      session_id: 'long',
      event_id: `e${index}`,
      ...{ type: 'session_status', payload, at },
    })),
  ]);
  const reading = async ({ token }: TestDevice) => {
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await fetch(`${relay.url}/api/sessions/long/export`, { headers });
    const reader = body?.getReader();
    await reader?.read();
    const rest = async (): Promise<void> => {
      while ((await reader?.read())?.done === false);
    };
    return rest;
  };
  const revoked = await relay.mint('person');
  const restOfRevoked = await reading(revoked);
  const restOfOther = await reading(await relay.mint('person'));
  await relay.devices.revoke(revoked.device_id, 'machine');
  await expect(restOfRevoked()).rejects.toThrow();
  await restOfOther();
});

test('[CHT-93] a device that revokes itself gets its answer', async () => {
  const relay = await startTestRelay();
  const person = await relay.mint('person');
  expect((await call(relay, person, 'POST /api/signout')).status).toBe(204);
  expect((await call(relay, person, 'GET /api/me')).status).toBe(401);
});

test('a connected session must be closed before it is deleted, and its agent may start it again', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one');
  const refused = await call(relay, owner, 'DELETE /api/sessions/one');
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'session_connected' } } });
  expect(refused.body.error.message).toContain('Close the session first');
  proxy.send({ type: 'session_closed', session_id: 'one' });
  await screen.next('session_closed');
  expect((await call(relay, owner, 'DELETE /api/sessions/one')).status).toBe(204);

  const list = {
    type: 'proxy_session_snapshot',
    sessions: [{ session_id: 'one', agent_type: 'codex', status: 'healthy' }],
  };
  proxy.send(list);
  expect(await proxy.next('connection_error')).toMatchObject({ code: 'session_unknown' });
  proxy.send(list);
  await proxy.settled();
  const { sessions } = (await call(relay, owner, 'GET /api/sessions')).body;
  expect(sessions).toMatchObject([{ session_id: 'one', head: 1, status: 'connected' }]);
});

test('owners read the audit, page by page', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  await relay.mint('agent');
  const first = (await call(relay, owner, 'GET /api/audit?limit=1')).body.audit;
  expect(first).toMatchObject([{ action: 'device_added', detail: { roles: ['agent'] } }]);
  const next = (await call(relay, owner, `GET /api/audit?before=${first[0].number}&limit=1`)).body.audit;
  expect(next).toMatchObject([{ number: first[0].number - 1, detail: { roles: ['owner'] } }]);
  for (const query of ['limit=0', 'limit=x', 'before=-1', 'before=1e9', 'from=soon', 'until=-1']) {
    expect((await call(relay, owner, `GET /api/audit?${query}`)).status, query).toBe(400);
  }
});

test('searches the audit by device, action, subject and time, and says where to continue', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const other = await relay.mint('owner');
  await call(relay, other, 'PUT /api/settings', { body: { retention_days: 7 } });
  await call(relay, owner, 'PUT /api/settings', { body: { retention_days: 9 } });
  const search = async (query: string) => (await call(relay, owner, `GET /api/audit?${query}`)).body;
  const daysOf = ({
    audit,
  }: {
    readonly audit: readonly { readonly detail: { retention_days: number } }[];
  }) => audit.map(({ detail }) => detail.retention_days);

  const changed = await search('action=settings_changed');
  expect(daysOf(changed)).toEqual([9, 7]);
  expect(changed.next).toBeNull();
  expect(daysOf(await search(`action=settings_changed&device=${other.device_id}`))).toEqual([7]);
  expect((await search(`subject=${other.device_id}`)).audit).toMatchObject([{ action: 'device_added' }]);
  const byMachine: readonly { readonly device_id: unknown }[] = (await search('device=machine')).audit;
  expect(byMachine.length).toBeGreaterThan(1);
  expect(byMachine.filter(({ device_id }) => device_id !== null)).toEqual([]);
  const first = await search('action=settings_changed&limit=1');
  expect(daysOf(first)).toEqual([9]);
  expect(daysOf(await search(`action=settings_changed&limit=1&before=${first.next}`))).toEqual([7]);
  const [{ at }] = changed.audit;
  expect((await search(`from=${at + 1}`)).audit).toEqual([]);
  expect((await search(`until=${changed.audit[1].at}&action=settings_changed`)).audit).toEqual([]);
});

test('searches transcripts: people only, a guest in its own sessions, and secrets stay masked', async () => {
  const relay = await startTestRelay();
  const owner = await relay.mint('owner');
  const screen = await relay.connect('person');
  const proxy = await startProxy(relay, 'one', 'two');
  await appendMessages(
    proxy,
    screen,
    'one',
    'Deploy with OPENAI_API_KEY=sk-proj-abcdefghijklmnop, then restart.',
  );
  await appendMessages(proxy, screen, 'two', `${'long '.repeat(100)}restarted twice`);
  const search = (device: TestDevice, q: string) =>
    call(relay, device, `GET /api/search?q=${encodeURIComponent(q)}`);
  const { status, body } = await search(owner, 'Restart');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    is_complete: true,
    hits: [
      {
        session_id: 'two',
        name: 'Agent two',
        role: 'assistant',
        excerpt: expect.stringMatching(/^….*restarted/),
      },
      { session_id: 'one', excerpt: 'Deploy with OPENAI_API_KEY=•••, then restart.' },
    ],
  });
  expect((await search(owner, 'abcdefghijklmnop')).body.hits).toEqual([]);
  expect((await search(owner, 'sk proj')).body.hits).toEqual([]);
  const guest = await relay.mint('person', ['session:one']);
  expect((await search(guest, 'restart')).body.hits).toMatchObject([{ session_id: 'one' }]);
  for (const role of ['agent', 'proxy', 'runtime'] as const)
    expect((await search(await relay.mint(role), 'restart')).status, role).toBe(403);
  for (const q of ['', '--', 'x'.repeat(201)]) expect((await search(owner, q)).status).toBe(400);
});
