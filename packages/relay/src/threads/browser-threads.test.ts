import { connectWebSocket } from '@drawbridge/link';
import { expect, test } from 'vitest';
import { startTestRelay, type TestRelay, upgradeStatus } from '../../test/server/test-relay.ts';
import { http, lendTab, mcp, NEVER, question, step, URL_OF_TAB } from '../../test/threads/thread-harness.ts';

/** A launch with the browser, as far as the proxy's acknowledgement. */
interface LaunchOrder {
  readonly browser?: boolean;
  readonly name?: string;
  readonly origins?: readonly string[];
}

async function launched(relay: TestRelay, { browser = true, name = 'opencode', origins }: LaunchOrder = {}) {
  const person = await relay.connect('owner', { features: ['prompt_answered'] });
  const proxy = await relay.connect('proxy', { machine_label: name });
  const request_id = `launch_${name}`;
  person.send({
    ...{ type: 'launch_session', request_id, agent_type: name, machine_label: name, browser },
    ...(origins && { browser_origins: origins }),
  });
  await proxy.next('launch_session');
  const session_id = `sess_${name}`;
  const path = `/api/sessions/${session_id}/browser`;
  const { device } = proxy;
  if (device === undefined) throw new Error('A proxy has a device.');
  proxy.send({ type: 'session_launch_ack', request_id, session_id, agent_type: name });
  await person.next('session_launch_ack');
  const lent = await http(relay, device, 'POST', path);
  return { person, proxy, session_id, path, lent, token: String(lent.body?.token) };
}

/** Status of its upgrade at `/ws/agent`. */
const connectAgent = (relay: TestRelay, token: string) =>
  upgradeStatus(relay.url, '/ws/agent', { headers: { authorization: `Bearer ${token}` } });

test('[CHT-329] a launch with the browser gives the proxy a token for that session alone', async () => {
  const relay = await startTestRelay();
  const { lent, path, proxy } = await launched(relay);
  expect(lent).toMatchObject({ status: 201, body: { token: expect.any(String) } });
  const other = await relay.mint('proxy');
  expect((await http(relay, other, 'POST', path, {})).status).toBe(404);
  const without = await launched(relay, { browser: false, name: 'codex' });
  expect(without.lent).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('not lent') } },
  });
  expect((await http(relay, await relay.mint('agent'), 'POST', path, {})).status).toBe(403);
  // The agent is started again: it gets another token, and the last one ends.
  const again = await http(relay, proxy.device ?? '', 'POST', path, {});
  expect(again.status).toBe(201);
  await expect.poll(() => connectAgent(relay, String(lent.body.token))).toBe(401);
  expect(await connectAgent(relay, again.body.token)).toBe(101);
});

test('[CHT-329] a launch that fails leaves no token, and none is minted before the session is open', async () => {
  const relay = await startTestRelay();
  lendTab(relay);
  const person = await relay.connect('owner');
  const proxy = await relay.connect('proxy', { machine_label: 'studio' });
  const request_id = 'launch_fails';
  person.send({ type: 'launch_session', request_id, agent_type: 'codex', browser: true });
  await proxy.next('launch_session');
  const ask = () => http(relay, proxy.device ?? '', 'POST', '/api/sessions/sess_fails/browser');
  expect((await ask()).status).toBe(404);
  const reason = 'It opened no session.';
  proxy.send({ type: 'session_launch_failed', request_id, error_code: 'agent_not_open', reason });
  await person.next('session_launch_failed');
  expect((await ask()).status).toBe(404);
  expect((await relay.devices.list()).filter(({ scopes }) => scopes.length > 0)).toEqual([]);
});

test('[CHT-362] a person lends again after a take-back, and a guest cannot; the agent’s next request gets a token', async () => {
  const relay = await startTestRelay();
  lendTab(relay);
  const proxy = await relay.connect('proxy', { machine_label: 'studio' });
  const session_id = 'sess_again';
  const owner = await relay.connect('owner');
  const session = { session_id, agent_type: 'codex', display_name: 'codex', status: 'healthy' };
  proxy.send({ type: 'proxy_session_snapshot', sessions: [session] });
  await owner.next('session_up');
  const path = `/api/sessions/${session_id}/browser`;
  const guest = await relay.connect('person', {}, { scopes: [`session:${session_id}`] });
  const put = (device: Parameters<typeof http>[1] = '', body = {}) => http(relay, device, 'PUT', path, body);
  expect((await put(guest.device)).status).toBe(403);
  expect((await put(owner.device)).status).toBe(204);
  const ask = () => http(relay, proxy.device ?? '', 'POST', path);
  const first = await ask();
  expect(first.status).toBe(201);
  expect((await http(relay, owner.device ?? '', 'DELETE', path)).status).toBeLessThan(300);
  expect((await ask()).status).toBe(403);
  expect((await http(relay, owner.device ?? '', 'GET', path)).body).toMatchObject({
    lent: false,
    taken: true,
  });
  expect((await put(owner.device)).status).toBe(204);
  const second = await ask();
  expect(second.status).toBe(201);
  expect(second.body.token).not.toBe(first.body.token);
});

test('[CHT-361] a guest of the session cannot lend the browser, and nobody is asked while no tab is lent', async () => {
  const relay = await startTestRelay();
  const proxy = await relay.connect('proxy', { machine_label: 'studio' });
  const session_id = 'sess_guest';
  const seen = await relay.connect('owner');
  const session = { session_id, agent_type: 'codex', display_name: 'codex', status: 'healthy' };
  proxy.send({ type: 'proxy_session_snapshot', sessions: [session] });
  await seen.next('session_up');
  const ask = () => http(relay, proxy.device ?? '', 'POST', `/api/sessions/${session_id}/browser`);
  expect(await ask()).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('No tab is lent.') } },
  });
  lendTab(relay);
  const asking = ask();
  const { prompt_id } = await seen.next('permission_prompt');
  const guest = await relay.connect('person', {}, { scopes: [`session:${session_id}`] });
  const answer = { type: 'permission_response', session_id, prompt_id, choice_id: 'lend' };
  guest.send({ ...answer, request_id: 'guest' });
  expect(await guest.next('agent_control_result')).toMatchObject({
    ...{ result: 'failed', error: { code: 'unauthorized' } },
  });
  seen.send({ ...answer, request_id: 'owner' });
  expect((await asking).status).toBe(201);
  // CHT-334: a guest is told that it is lent, and no tab.
  const browser = (device = guest.device) =>
    http(relay, device ?? '', 'GET', `/api/sessions/${session_id}/browser`);
  expect((await browser()).body).toEqual({ lent: true, tabs: [], tab: null });
  expect((await browser(seen.device)).body.tabs).toHaveLength(1);
});

test('[CHT-331] the browser calls of a launched agent are events of its session, in order', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const { person, proxy, session_id, token } = await launched(relay);
  const message = (content: string) => ({
    role: 'assistant',
    content,
    created_at: new Date().toISOString(),
    message_id: content,
  });
  proxy.send({ type: 'proxy_message', session_id, message: message('I will look.') });
  await step(person, (content) => content === 'I will look.');
  const looking = mcp(relay, token, 'read');
  const look = await tab.next();
  tab.answer(look, { text: 'A lamp.', nodes: [{ i: 'b7', r: 'button', n: 'Add to cart' }] });
  expect((await looking).text).toContain('A lamp.');
  await step(person, (content) => content === 'Looked at the page on shop.example.');
  const pressing = mcp(relay, token, 'act', { steps: [{ do: 'click', id: 'b7' }] });
  tab.answer(await tab.next(), { effect: {} });
  await pressing;
  const pressed = await step(person, (content) => content.startsWith('Pressed'));
  expect(pressed).toMatchObject({
    session_id,
    role: 'system',
    content: 'Pressed “Add to cart” on shop.example.',
    metadata: {
      details: { kind: 'step', status: 'ok', subject: 'Add to cart', before: { url: URL_OF_TAB } },
    },
  });
  person.send({ type: 'history_request', session_id });
  const { messages } = await person.next('history_snapshot');
  expect(messages.map(({ content }) => content)).toEqual([
    'I will look.',
    'Looked at the page on shop.example.',
    'Pressed “Add to cart” on shop.example.',
  ]);
  const exported = await fetch(`${relay.url}/api/sessions/${session_id}/export`, {
    headers: { authorization: `Bearer ${person.device?.token}` },
  });
  expect(await exported.text()).toContain('Pressed “Add to cart” on shop.example.');
});

test('[CHT-332] two agents on one browser are each asked about in their own session, by name', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const one = await launched(relay);
  const two = await launched(relay, { name: 'codex' });
  const { person } = two;
  const pressing = [one, two].map(async ({ token }) =>
    mcp(relay, token, 'act', { steps: [{ do: 'click', id: 'b1' }] }),
  );
  const calls = [await tab.next(), await tab.next()];
  const answers = calls.map((call) => relay.asker.ask(question(call, 'Place the order.'), NEVER));
  const prompts = [await person.next('permission_prompt'), await person.next('permission_prompt')];
  expect(
    new Set(
      prompts.map(
        ({ session_id, prompt_text }) => `${session_id} ${/Asked by: (.*)/.exec(prompt_text)?.[1]}`,
      ),
    ),
  ).toEqual(new Set([`${one.session_id} opencode`, `${two.session_id} codex`]));
  for (const { session_id, prompt_id } of prompts) {
    const choice_id = session_id === one.session_id ? 'once' : 'deny';
    person.send({ type: 'permission_response', request_id: session_id, session_id, prompt_id, choice_id });
  }
  for (const [index, answer] of answers.entries()) {
    const call = calls[index];
    if (call === undefined) throw new Error('Two calls were made.');
    if ((await answer).decision === 'once') tab.answer(call, { effect: {} });
    else tab.fail(call, 'permission_denied', 'The person said no.');
  }
  await Promise.all(pressing);
  const done = [
    await step(person, (content) => content.includes(' by a owner.')),
    await step(person, (content) => content.includes(' by a owner.')),
  ];
  expect(new Map(done.map(({ session_id, content }) => [session_id, content]))).toEqual(
    new Map([
      [one.session_id, 'Pressed element b1 on shop.example. Allowed by a owner.'],
      [two.session_id, 'Not done: Presses element b1 on shop.example. Denied by a owner.'],
    ]),
  );
});

test.each([
  [
    'the session is closed',
    async ({ proxy, session_id, person }: Awaited<ReturnType<typeof launched>>) => {
      proxy.send({ type: 'session_closed', session_id, reason: 'user_requested' });
      await person.next('session_closed');
    },
  ],
  [
    'the browser is taken back',
    async ({ person, path }: Awaited<ReturnType<typeof launched>>, relay: TestRelay) => {
      expect((await http(relay, person.device ?? '', 'GET', path)).body).toEqual({
        ...{ lent: true, tab: 'tab_1' },
        tabs: [expect.objectContaining({ runtime_id: 'tab_1', url: URL_OF_TAB, title: 'Lamps' })],
      });
      expect((await http(relay, person.device ?? '', 'DELETE', path)).status).toBe(204);
      expect((await http(relay, person.device ?? '', 'GET', path)).body).toEqual({
        ...{ lent: false, taken: true },
      });
    },
  ],
  [
    'everything is stopped',
    async ({ person }: Awaited<ReturnType<typeof launched>>, relay: TestRelay) => {
      expect((await http(relay, person.device ?? '', 'POST', '/api/halt')).status).toBe(200);
    },
  ],
  [
    'the proxy is revoked',
    async ({ person, proxy }: Awaited<ReturnType<typeof launched>>, relay: TestRelay) => {
      expect(
        (await http(relay, person.device ?? '', 'DELETE', `/api/devices/${proxy.device?.device_id}`)).status,
      ).toBe(204);
    },
  ],
])('[CHT-330] the token ends when %s', async (_, end) => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const harness = await launched(relay);
  const { token } = harness;
  const pending = mcp(relay, token, 'read').catch(() => undefined);
  await tab.next();
  await end(harness, relay);
  await pending;
  // Refused at once; the credential itself ends with the next commit.
  const { status, text } = await mcp(relay, token, 'read');
  expect(status === 401 || text.includes('The browser was taken back')).toBe(true);
  await expect.poll(async () => (await mcp(relay, token, 'read')).status).toBe(401);
  expect(await connectAgent(relay, token)).toBe(401);
});

test('[CHT-334] the token of a session gives no task, which would work in any lent tab', async () => {
  const relay = await startTestRelay();
  lendTab(relay);
  const { token } = await launched(relay);
  expect((await http(relay, token, 'POST', '/api/tasks')).status).toBe(403);
  expect((await http(relay, token, 'GET', '/api/tasks')).status).toBe(403);
});

test('[CHT-333] a stop of the agent cancels its browser calls and no others, and holds after a restart', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const { person, session_id, token } = await launched(relay);
  const other = await relay.mint('agent');
  const pressing = mcp(relay, token, 'act', { steps: [{ do: 'click', id: 'b1' }] });
  await tab.next();
  const reading = mcp(relay, other.token, 'read');
  const kept = await tab.next();
  person.send({ type: 'agent_interrupt', request_id: 'stop', session_id });
  expect((await pressing).text).toContain('A person stopped the agent.');
  // The tab has the press, and nobody knows whether it was done.
  expect(await step(person, (content) => content.includes('may have been done'))).toMatchObject({
    ...{ session_id, metadata: { details: { status: 'unknown' } } },
  });
  tab.answer(kept, { text: 'Still here.' });
  expect((await reading).text).toContain('Still here.');
  // An agent that ignores the stop does nothing more until a person writes.
  expect((await mcp(relay, token, 'read')).text).toContain('until their next message');
  await expect.poll(() => relay.ledger.setting(`agent_stopped:${session_id}`)).toBe(true);
  const next = await relay.restart();
  const second = lendTab(next);
  expect((await mcp(next, token, 'read')).text).toContain('until their next message');
  const later = await next.connect('owner');
  later.send({
    type: 'send_message',
    session_id,
    client_message_id: 'm-1',
    created_at: new Date().toISOString(),
    content: 'Go on.',
  });
  await step(later, (content) => content === 'Go on.');
  const again = mcp(next, token, 'read');
  second.answer(await second.next(), { text: 'Here again.' });
  expect((await again).text).toContain('Here again.');
});

test.each([
  ['before its first browser call', async () => {}],
  [
    'whose proxy confirms stops',
    async ({ proxy, person, session_id }: Awaited<ReturnType<typeof launched>>) => {
      const capabilities = { interrupt: true, interrupt_method: 'native_stop' };
      proxy.send({ type: 'agent_config', session_id, model_id: 'm1', capabilities });
      await person.next('agent_config');
    },
  ],
])(
  '[CHT-344] a stop of an agent %s holds until a person writes, not a message scheduled before',
  async (_, prepare) => {
    const relay = await startTestRelay();
    const tab = lendTab(relay);
    const harness = await launched(relay);
    const { person, proxy, session_id, token } = harness;
    await prepare(harness);
    const later = { session_id, content: 'Then pay.', trigger_kind: 'idle' };
    expect((await http(relay, person.device ?? '', 'POST', '/api/scheduled-sends', later)).status).toBe(201);
    person.send({ type: 'agent_interrupt', request_id: 'stop', session_id });
    await proxy.next('agent_interrupt');
    expect((await mcp(relay, token, 'read')).text).toContain('until their next message');
    // The stop itself makes the agent idle.
    proxy.send({ type: 'proxy_status', session_id, status: 'healthy', activity: { kind: 'idle' } });
    await step(person, (content) => content === 'Then pay.');
    expect((await mcp(relay, token, 'read')).text).toContain('until their next message');
    const created_at = new Date().toISOString();
    person.send({ type: 'send_message', session_id, client_message_id: 'go', content: 'Go on.', created_at });
    await step(person, (content) => content === 'Go on.');
    const looking = mcp(relay, token, 'read');
    tab.answer(await tab.next(), { text: 'A lamp.' });
    expect((await looking).text).toContain('A lamp.');
  },
);

test('[CHT-363] the audit has the steps of an agent and who lent and took back, in people’s words, and no looks', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const { person, proxy, token, path } = await launched(relay);
  const owner = person.device ?? '';
  const looking = mcp(relay, token, 'read');
  tab.answer(await tab.next(), { text: '', nodes: [{ i: 'b7', r: 'button', n: 'Add to cart' }] });
  await looking;
  const press = { steps: [{ do: 'click', id: 'b7' }] };
  const pressing = mcp(relay, token, 'act', press);
  tab.answer(await tab.next(), { effect: {} });
  await pressing;
  const failing = mcp(relay, token, 'act', press);
  tab.fail(await tab.next(), 'target_not_found', 'The element is gone.');
  await failing;
  expect((await http(relay, owner, 'DELETE', path)).status).toBe(204);
  expect((await http(relay, owner, 'PUT', path, { origins: ['https://shop.example'] })).status).toBe(204);
  const again = await http(relay, proxy.device ?? '', 'POST', path);
  const seen = async () => {
    const { body } = await http(relay, owner, 'GET', '/api/audit?limit=100');
    const entries: readonly { action: string; detail: Record<string, string> }[] = body.audit;
    return entries
      .filter(({ action }) => action.startsWith('browser_'))
      .map(({ action, detail }) =>
        [action, detail['agent'], detail['step'] ?? detail['site'] ?? '', detail['problem'] ?? ''].join(': '),
      )
      .toSorted();
  };
  expect(again.status).toBe(201);
  await expect
    .poll(seen)
    .toEqual([
      'browser_lent: opencode: https://shop.example: ',
      'browser_step: opencode: Pressed “Add to cart”: ',
      'browser_step: opencode: Presses “Add to cart”: The element is gone.',
      'browser_taken_back: opencode: : ',
    ]);
});

test('[CHT-331] a step names its element as the tab of the call does, not as another tab', async () => {
  const relay = await startTestRelay();
  const tabs = [lendTab(relay), lendTab(relay, 'tab_2')] as const;
  const { person, token } = await launched(relay);
  for (const [index, tab] of tabs.entries()) {
    const looking = mcp(relay, token, 'read', { tab: tab.runtime_id });
    tab.answer(await tab.next(), { text: '', nodes: [{ i: 'b7', r: 'button', n: `Button ${index + 1}` }] });
    await looking;
  }
  const [first] = tabs;
  const press = { steps: [{ do: 'click', id: 'b7' }], tab: first.runtime_id };
  const pressing = mcp(relay, token, 'act', press);
  const call = await first.next();
  tabs[1].close();
  void relay.asker.ask(question(call, 'Press it.'), NEVER).catch(() => undefined);
  await person.next('permission_prompt');
  first.answer(call, { effect: {} });
  await pressing;
  const { content } = await step(person, (words) => words.startsWith('Pressed'));
  expect(content).toBe('Pressed “Button 1” on shop.example.');
  const again = mcp(relay, token, 'act', press);
  const next = await first.next();
  void relay.asker.ask(question(next, 'Press it.'), NEVER).catch(() => undefined);
  expect((await person.next('permission_prompt')).prompt_text).toContain('Pressed “Button 1”');
  first.answer(next, { effect: {} });
  await again;
});

test('[CHT-331] after a restart an unfinished step reads unknown, its question is withdrawn, and the token works', async () => {
  const relay = await startTestRelay();
  const tab = lendTab(relay);
  const { session_id, token } = await launched(relay);
  const pressing = mcp(relay, token, 'act', { steps: [{ do: 'click', id: 'b1' }] }).catch(() => undefined);
  const call = await tab.next();
  const person = await relay.connect('owner');
  void relay.asker.ask(question(call, 'Place the order.'), NEVER).catch(() => undefined);
  await person.next('connection_ack');
  const next = await relay.restart();
  await pressing;
  const later = await next.connect('owner');
  expect((await later.next('connection_ack')).open_prompts ?? []).toEqual([]);
  later.send({ type: 'history_request', session_id });
  const { messages } = await later.next('history_snapshot');
  expect(messages.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^(Not done: )?Presses element b1/),
  ]);
  expect(messages[0]?.metadata?.['details']).toMatchObject({ status: expect.not.stringMatching('running') });
  expect(await connectAgent(next, token)).toBe(101);
});

test('[CHT-331] after a restart an unfinished step reads unknown also where the agent has no token', async () => {
  const relay = await startTestRelay();
  const { person, proxy, session_id, path } = await launched(relay);
  const left = {
    ...{ message_id: 'step_call_1', role: 'system', content: 'Presses element b1…' },
    created_at: new Date().toISOString(),
    metadata: {
      details: { kind: 'step', task_id: session_id, index: 0, action: 'click', status: 'running' },
    },
  };
  proxy.send({ type: 'proxy_message', session_id, message: left });
  const choices = [{ choice_id: 'deny', label: 'Deny', is_default: true }];
  const asked = { prompt_id: 'browser_call_1', prompt_text: 'Press it?', choices };
  proxy.send({ type: 'permission_prompt', session_id, ...asked });
  await person.next('permission_prompt');
  // The token ends, and the next one is minted with its next call.
  expect((await http(relay, person.device ?? '', 'PUT', path, {})).status).toBe(204);
  const later = await (await relay.restart()).connect('owner');
  const open = (await later.next('connection_ack')).open_prompts ?? [];
  if (open.length > 0) await later.next('permission_prompt_expired');
  later.send({ type: 'history_request', session_id });
  const { messages } = await later.next('history_snapshot');
  expect(messages).toMatchObject([{ metadata: { details: { status: 'unknown' } } }]);
});

test('[CHT-334] [BRG-188] an agent sees and uses only tabs at the chosen origins', async () => {
  const relay = await startTestRelay();
  const shop = lendTab(relay);
  lendTab(relay, 'tab_2', 'https://bank.example/accounts');
  const origins = ['https://shop.example'];
  const { person, token, path } = await launched(relay, { origins });
  const seen = await http(relay, person.device ?? '', 'GET', path);
  expect(seen.body).toMatchObject({ lent: true, origins, tabs: [{ runtime_id: 'tab_1' }], tab: null });
  const tabs = await mcp(relay, token, 'tabs', { do: 'list' });
  expect(tabs.text).toContain('shop.example');
  expect(tabs.text).not.toContain('bank.example');
  expect((await mcp(relay, token, 'read', { tab: 'tab_2' })).text).toContain('no tab fits');
  const reading = mcp(relay, token, 'read');
  shop.answer(await shop.next(), { text: 'A lamp.' });
  expect((await reading).text).toContain('A lamp.');
  const away = await mcp(relay, token, 'tabs', { do: 'navigate', url: 'https://bank.example/' });
  expect(away.text).toContain('and not https://bank.example');
  // The bridge's own protocol knows the same scope, and a tab that leaves it.
  const agent = connectWebSocket({ url: `${relay.url.replace('http', 'ws')}/ws/agent`, token });
  const items: string[] = [];
  agent.onItem((item) => items.push('runtime_id' in item ? `${item.type} ${item.runtime_id}` : item.type));
  agent.send({ type: 'agent_hello', features: ['agent_hello', 'runtime_gone'] });
  await expect.poll(() => items).toEqual(['runtime_ready tab_1', 'agent_hello']);
  shop.goTo('https://bank.example/login');
  await expect.poll(() => items.at(-1)).toBe('runtime_gone tab_1');
  expect((await mcp(relay, token, 'read')).text).toContain('no tab is lent');
  shop.goTo('https://shop.example/cart');
  await expect.poll(() => items.slice(-2)).toEqual(['runtime_ready tab_1', 'runtime_status tab_1']);
  agent.close();
});
