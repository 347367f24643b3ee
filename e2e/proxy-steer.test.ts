import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteLedger } from '@drawbridge/ledger';
import { openStateFile, type ProxyEvent } from '@drawbridge/proxy';
import { temporaryFolder } from '@drawbridge/relay/test/server/test-relay';
import { startFaultProxy } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { activity, command, launch, message, send, startProxy, startProxyHarness } from './proxy-harness.ts';

test('[CHT-205] [CHT-206] [CHT-212] [CHT-252] [CHT-265] an agent is launched remotely, and every client learns what it is', async () => {
  const { person, relay, folder } = await startProxyHarness();
  const other = await relay.connect('person');
  await mkdir(join(folder, 'shop'));
  const wish = { workspace_path: join(folder, 'shop'), window_title: 'The shop' };
  const session_id = await launch(person, wish);
  const { session } = await other.next('session_up');
  expect(session).toMatchObject({
    session_id,
    agent_type: 'unknown',
    agent_name: 'scripted',
    display_name: 'The shop',
    workspace_name: 'shop',
    workspace_path: wish.workspace_path,
    machine_label: 'studio',
    status: 'healthy',
    activity: { kind: 'idle' },
  });
  expect(await other.next('agent_config')).toMatchObject({
    session_id,
    model_id: 'small',
    available_models: ['small', 'large'],
    permission_mode: 'ask',
    capabilities: { interrupt: true, set_model: true, permission_dialogs: true },
  });
});

test('[CHT-208] [CHT-209] a launch that cannot succeed fails at once, with the reason', async () => {
  const { person } = await startProxyHarness();
  person.send({ type: 'launch_session', request_id: 'a', agent_type: 'missing' });
  expect(await person.next('session_launch_failed')).toMatchObject({
    request_id: 'a',
    error_code: 'agent_not_open',
    reason: expect.stringContaining('no-such-program-here is not installed here'),
  });
  person.send({ type: 'launch_session', request_id: 'b', agent_type: 'cobol' });
  expect(await person.next('session_launch_failed')).toMatchObject({
    request_id: 'b',
    error_code: 'launch_not_supported',
    reason: 'This proxy starts no "cobol". It starts: scripted, missing.',
  });
});

test('[CHT-207] an agent that does not complete its handshake in time is given up', async () => {
  const { person } = await startProxyHarness({ agent: { fault: 'silent' }, launchMs: 400 });
  person.send({ type: 'launch_session', request_id: 'a', agent_type: 'scripted' });
  expect(await person.next('session_launch_failed')).toMatchObject({ error_code: 'launch_timeout' });
});

test('[CHT-308] [CHT-210] [CHT-211] a folder that is not shared is refused, and never replaced', async () => {
  const { person, folder } = await startProxyHarness();
  for (const workspace_path of ['/', `${folder}/../..`, '$(touch /tmp/x)', `${folder}; ls`]) {
    person.send({
      type: 'launch_session',
      request_id: workspace_path,
      agent_type: 'scripted',
      workspace_path,
    });
    expect(await person.next('session_launch_failed')).toMatchObject({
      request_id: workspace_path,
      error_code: 'launch_not_supported',
      reason: `${workspace_path} is not shared by this proxy. Shared folders: ${folder}.`,
    });
  }
});

test('[CHT-148] [CHT-165] [CHT-123] a send is delivered, answered in a stream, and appears in the transcript once', async () => {
  const { person, agent } = await startProxyHarness();
  const session_id = await launch(person);
  const client_message_id = send(person, session_id, 'echo; think hm; say one two; diff; plan; usage');
  expect(await person.next('message_delivered')).toMatchObject({ client_message_id });
  await message(person, (content) => content.includes('tokens of the window'));
  person.send({ type: 'history_request', session_id });
  const { messages } = await person.next('history_snapshot');
  expect(messages.map(({ role, content, metadata }) => [role, content, metadata?.['details']])).toEqual([
    ['user', 'echo; think hm; say one two; diff; plan; usage', undefined],
    ['assistant', 'hm', { kind: 'thought' }],
    ['assistant', 'one two', undefined],
    ['assistant', expect.stringContaining('Edit notes.txt'), expect.objectContaining({ kind: 'tool_call' })],
    ['assistant', expect.stringContaining('[>] do'), expect.objectContaining({ kind: 'plan' })],
    ['system', expect.any(String), { kind: 'usage', used: 1_200, size: 200_000 }],
  ]);
  expect(agent.taken()).toHaveLength(1);
});

test('[CHT-124] [CHT-126] a session keeps its id over a restart of the proxy, and continues at the next send', async () => {
  const { relay, device, folder, agent, person, close } = await startProxyHarness();
  const session_id = await launch(person, { window_title: 'Long lived' });
  send(person, session_id, 'say one');
  await message(person, (content) => content === 'one');
  await activity(person, 'idle');
  await close();
  expect(await person.next('session_down')).toMatchObject({ session_id });
  const waiting = send(person, session_id, 'say two');
  const { proxy } = await startProxy({ relay, device, folder, agent });
  expect(proxy.sessions()).toMatchObject([{ session_id, display_name: 'Long lived', status: 'healthy' }]);
  expect(await person.next('message_delivered')).toMatchObject({ session_id });
  expect(await person.next('message_delivered')).toMatchObject({ session_id, client_message_id: waiting });
  await message(person, (content) => content === 'two');
  expect(new Set(agent.taken().map(({ session }) => session)).size).toBe(1);
});

test("[CHT-123] an agent's messages during a relay outage arrive once after it", async () => {
  const target = { host: '127.0.0.1', port: 0 };
  await using line = await startFaultProxy({ target, seed: 1 });
  const { person, folder, until } = await startProxyHarness({ via: `127.0.0.1:${line.port}`, target });
  const session_id = await launch(person);
  const file = join(folder, 'go on');
  send(person, session_id, `say before; hold ${file}; plan; say meanwhile; ask permission`);
  await person.next('message_delivered');
  await message(person, (content) => content === 'before');
  line.setFaults({ up: { cutAfterBytes: { min: 0, max: 0 } } });
  line.cut();
  expect(await person.next('session_down')).toMatchObject({ session_id, reason: 'proxy_disconnected' });
  await writeFile(file, '');
  await until(
    ({ event, ...rest }) => 'session' in rest && rest.session.activity?.kind === 'waiting_for_user',
  );
  line.setFaults({});
  await message(person, (content) => content === 'meanwhile');
  const { prompt_id } = await person.next('permission_prompt');
  const answer = { type: 'permission_response', session_id, prompt_id, choice_id: 'yes' };
  expect(await command(person, answer)).toMatchObject({ result: 'ok' });
  await message(person, (content) => content === 'removed by go');
  person.send({ type: 'history_request', session_id });
  const { messages } = await person.next('history_snapshot');
  const words = messages.flatMap(({ role, content, metadata }) =>
    role === 'assistant' && metadata === undefined ? [content] : [],
  );
  expect(words).toEqual(['before', 'meanwhile', 'removed by go']);
});

test('two proxies with one folder: the second does not start; with a copy of it, both raise an alarm and keep running', async () => {
  const { person, relay, device, folder, agent, state, until, events } = await startProxyHarness();
  const session_id = await launch(person);
  const [known] = state.sessions();
  if (known === undefined) throw new Error('It was not remembered.');
  await expect(startProxy({ relay, device, folder, agent })).rejects.toThrow('Another proxy uses');
  const file = join(folder, 'go on');
  send(person, session_id, `hold ${file}; say two; say three`);
  await person.next('message_delivered');
  const copied = openStateFile(join(folder, 'copy.db'), Date.now);
  copied.remember(known);
  copied.close();
  await startProxy({ relay, device, folder, agent }, {}, 'copy.db');
  await writeFile(file, '');
  await until(({ event }) => event === 'alarm');
  expect(events.filter(({ event }) => event === 'alarm')).toEqual([
    { event: 'alarm', message: expect.stringContaining('a second one running as "studio"') },
  ]);
});

test('[CHT-231] [CHT-232] [CHT-233] [CHT-267] a permission is asked once, and granted or denied remotely', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  for (const [choice_id, words] of [
    ['yes', 'removed by go'],
    ['no', 'left alone'],
  ] as const) {
    send(person, session_id, 'ask permission');
    await person.next('message_delivered');
    const { prompt_id, prompt_text, choices, default_choice, detected_at } =
      await person.next('permission_prompt');
    expect(prompt_text).toBe('Remove build\n$ rm -r build');
    expect(default_choice).toBe('no');
    expect(choices).toEqual([
      { choice_id: 'yes', label: 'Allow', is_default: false, effect: 'allow' },
      { choice_id: 'always', label: 'Always allow', is_default: false, effect: 'allow' },
      { choice_id: 'no', label: 'Reject', is_default: true, effect: 'deny' },
    ]);
    await activity(person, 'waiting_for_user');
    const answer = { type: 'permission_response', session_id, prompt_id, choice_id, detected_at };
    expect(await command(person, answer)).toMatchObject({ command: 'permission_response', result: 'ok' });
    await message(person, (content) => content === words);
    await activity(person, 'idle');
  }
  expect(person.frames.filter(({ type }) => type === 'permission_prompt')).toHaveLength(2);
});

test('[CHT-224] a permission without an answer is denied at its timeout', async () => {
  const { person } = await startProxyHarness({ promptTimeoutMs: 200 });
  const session_id = await launch(person);
  send(person, session_id, 'ask permission');
  expect(await person.next('permission_prompt_expired')).toMatchObject({ applied_choice: 'no' });
  await message(person, (content) => content === 'left alone');
});

test('[CHT-348] a question reaches the person with its form, the agent gets the answer, and the answer stays', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  send(person, session_id, 'ask question');
  const { question_id, text, form } = await person.next('agent_question');
  expect({ text, form }).toMatchObject({ text: 'Which port?', form: { type: 'object' } });
  const answer = { type: 'agent_answer', session_id, question_id, answer: 'accept', values: { port: 8080 } };
  expect(await command(person, answer)).toMatchObject({ result: 'ok' });
  const answered = await message(person, (content) => content.startsWith('Which port?'));
  expect(answered).toMatchObject({
    role: 'system',
    content: expect.stringMatching(/^Which port\?\nport: 8080\nAnswered by .+\.$/),
  });
  await message(person, (content) => content === 'accept {"port":8080}');
});

test("[CHT-240] [CHT-241] [CHT-268] a remote stop ends the agent's current turn, and only that", async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  expect(await command(person, { type: 'agent_interrupt', session_id })).toMatchObject({
    result: 'failed',
    error_code: 'agent_not_active',
  });
  send(person, session_id, 'slow');
  await activity(person, 'running_command');
  expect(await command(person, { type: 'agent_interrupt', session_id })).toMatchObject({
    command: 'agent_interrupt',
    result: 'ok',
  });
  await activity(person, 'idle');
  await message(person, (content) => content === 'Interrupted.');
});

test('[CHT-243] [CHT-246] [CHT-247] [CHT-254] [CHT-269] the model is read, changed and confirmed', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  await person.next('agent_config');
  expect(await command(person, { type: 'agent_set_model', session_id, model_id: 'large' })).toMatchObject({
    result: 'ok',
  });
  expect(await person.next('agent_config')).toMatchObject({ model_id: 'large' });
  expect(await command(person, { type: 'agent_set_model', session_id, model_id: 'huge' })).toMatchObject({
    error_code: 'model_not_available',
  });
  await person.settled();
  const before = person.frames.length;
  person.send({ type: 'agent_config_request', request_id: 'read', session_id });
  // The relay's cached one first (CHT-244), then the proxy's own, which is an event of the session.
  for (;;) {
    const config = await person.next('agent_config');
    expect(config.model_id).toBe('large');
    if (person.frames.indexOf(config) >= before && config.sequence !== undefined) break;
  }
});

test('[CHT-254] [CHT-282] [CHT-285] the mode is read, changed and confirmed', async () => {
  const { person } = await startProxyHarness();
  const session_id = await launch(person);
  expect(await person.next('agent_config')).toMatchObject({
    mode_id: 'ask',
    available_modes: [
      { mode_id: 'ask', name: 'Ask first' },
      { mode_id: 'plan', name: 'Plan only' },
    ],
    capabilities: { permission_mode_change: true },
  });
  expect(await command(person, { type: 'agent_set_mode', session_id, mode_id: 'plan' })).toMatchObject({
    command: 'agent_set_mode',
    result: 'ok',
  });
  expect(await person.next('agent_config')).toMatchObject({
    mode_id: 'plan',
    permission_mode: 'unknown',
    permission_mode_name: 'Plan only',
  });
  expect(await command(person, { type: 'agent_set_mode', session_id, mode_id: 'yolo' })).toMatchObject({
    error_code: 'mode_not_available',
  });
});

test('[CHT-245] reports a configuration that cannot be read', async () => {
  const { relay, device, folder, agent, person, close } = await startProxyHarness();
  const session_id = await launch(person);
  await close();
  await person.next('session_down');
  const broken = { ...agent, command: [process.execPath, '-e', ''] satisfies [string, ...string[]] };
  await startProxy({ relay, device, folder, agent: broken });
  expect(await command(person, { type: 'agent_config_request', session_id })).toMatchObject({
    command: 'agent_config_request',
    result: 'failed',
    error_code: 'config_read_failed',
  });
  send(person, session_id, 'say hello');
  expect(await person.next('message_failed')).toMatchObject({ error: { code: 'send_injection_failed' } });
});

test('[CHT-248] [CHT-253] [CHT-254] [CHT-285] a feature that an agent lacks is not declared, and refused', async () => {
  const { person } = await startProxyHarness({ agent: { fault: 'bare' } });
  const session_id = await launch(person);
  const { model_id, capabilities } = await person.next('agent_config');
  expect({ model_id, capabilities }).toEqual({
    model_id: 'unknown',
    capabilities: { interrupt: true, permission_dialogs: true },
  });
  for (const wish of [
    { type: 'agent_set_model', model_id: 'large' },
    { type: 'agent_set_mode', mode_id: 'plan' },
  ] as const) {
    expect(await command(person, { ...wish, session_id })).toMatchObject({
      error_code: 'control_not_supported',
    });
  }
});

test('[CHT-204] [CHT-266] a closed session disappears for every client, and its process ends', async () => {
  const { person, relay, proxy } = await startProxyHarness();
  const other = await relay.connect('person');
  const session_id = await launch(person);
  const pid = Number(/\d+/.exec(proxy.sessions()[0]?.target_id ?? '')?.[0]);
  expect(process.kill(pid, 0)).toBe(true);
  person.send({ type: 'close_session', request_id: 'close', session_id });
  expect(await other.next('session_closed')).toMatchObject({
    session_id,
    request_id: 'close',
    reason: 'user_requested',
  });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(proxy.sessions()).toEqual([]);
});

test('[CHT-289] [CHT-290] [CHT-291] two machines of one name raise an alarm on both, and people see it', async () => {
  const { person, relay, agent, folder, until } = await startProxyHarness();
  const session_id = await launch(person);
  const device = await relay.mint('proxy');
  const other = await startProxy({ relay, device, agent, folder }, {}, 'other.db');
  const isAlarm = (event: ProxyEvent) =>
    event.event === 'alarm' && event.message.includes('Two machines are called "studio"');
  await Promise.all([until(isAlarm), other.until(isAlarm)]);
  expect((await message(person, (content) => content.includes('Two machines'))).role).toBe('system');
  person.send({
    type: 'launch_session',
    request_id: 'which',
    agent_type: 'scripted',
    machine_label: 'studio',
  });
  expect(await person.next('session_launch_failed')).toMatchObject({
    reason: expect.stringContaining('Two machines are called "studio"'),
  });
  // Neither displaces the other: both keep their connection.
  send(person, session_id, 'say still here');
  await message(person, (content) => content === 'still here');
});

test('an agent that crashes is restarted, and its conversation continues', async () => {
  const { person, agent } = await startProxyHarness();
  const session_id = await launch(person);
  send(person, session_id, 'say one; crash');
  await message(person, (content) => content.includes('ended unexpectedly'));
  await message(person, (content) => content.includes('was restarted'));
  send(person, session_id, 'say two');
  await message(person, (content) => content === 'two');
  expect(agent.taken().map(({ text }) => text)).toEqual(['say one; crash', 'say two']);
});

test('an agent without stored sessions ends its session when it crashes', async () => {
  const { person, agent } = await startProxyHarness({ agent: { home: undefined } });
  const session_id = await launch(person);
  send(person, session_id, 'say one; crash');
  expect(await person.next('session_closed')).toMatchObject({ session_id, reason: 'target_closed' });
  expect(agent.taken()).toHaveLength(1);
});

test('a session that ends with its process is closed when the proxy is', async () => {
  const { person, close, relay, device, folder, agent } = await startProxyHarness({
    agent: { home: undefined },
  });
  const first = await launch(person);
  await close();
  expect(await person.next('session_closed')).toMatchObject({ session_id: first, reason: 'proxy_shutdown' });
  const known = { agent: 'scripted', signature: 'acp:scripted:gone', workspace: folder, title: null };
  const killed = openStateFile(join(folder, 'proxy.db'), Date.now);
  killed.remember({ ...known, session_id: first, lasting: false });
  killed.close();
  const { proxy, state } = await startProxy({ relay, device, folder, agent });
  expect([...proxy.sessions(), ...state.sessions()]).toEqual([]);
});

test("[CHT-302] [CHT-303] words that an agent says while the relay's disk is full are delivered when there is room", async () => {
  const ledger = await openSqliteLedger({
    path: join(await temporaryFolder(), 'ledger.db'),
    maxBytes: 1_500_000,
  });
  onTestFinished(ledger.close);
  const { person, relay, folder, events, until, state } = await startProxyHarness({ ledger });
  const filler = await relay.connect('proxy', { features: ['no_launch'] });
  const sessions = [{ session_id: 'large', agent_type: 'codex', status: 'healthy' }];
  filler.send({ type: 'proxy_session_snapshot', sessions });
  await filler.settled();
  const session_id = await launch(person);
  // Larger than the room that a full disk still has.
  const words = 'x'.repeat(100_000);
  send(person, session_id, `hold ${join(folder, 'full')}; say ${words}`);
  await person.next('message_delivered');
  const full = person.next('connection_error');
  let isFull = false;
  void full.then(() => {
    isFull = true;
  });
  while (!isFull) {
    send(person, 'large', 'x'.repeat(50_000));
    await person.settled();
  }
  const seen = events.length;
  await writeFile(join(folder, 'full'), '');
  await until((event) => event.event === 'alarm' && events.indexOf(event) >= seen);
  await ledger.deleteSession('large');
  await message(person, (content) => content === words);
  // The last message of a session stays for a reconnect.
  await expect.poll(() => state.outbox.unconfirmed()).toHaveLength(1);
});

test('files of the person reach the agent', async () => {
  const { person, relay } = await startProxyHarness();
  const session_id = await launch(person);
  const answer = await fetch(`${relay.url}/api/files?name=notes.txt&session_id=${session_id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.device?.token}`, 'content-type': 'text/plain' },
    body: 'buy milk',
  });
  const { file_id } = await answer.json();
  send(person, session_id, 'blocks', [{ attachment_id: file_id, name: 'notes.txt' }]);
  // The link is for a form in the browser, which this agent may ask for.
  await message(person, (content) => content.startsWith('text blocks | resource buy milk | link '));
});

test("agents in separate conversations do not receive each other's messages", async () => {
  const { person, agent } = await startProxyHarness();
  const [one, two] = [await launch(person), await launch(person)];
  send(person, one, 'slow');
  await activity(person, 'running_command');
  const id = send(person, two, 'say hello');
  await message(person, (content) => content === 'hello');
  expect(await command(person, { type: 'agent_interrupt', session_id: one })).toMatchObject({ result: 'ok' });
  expect(new Set(agent.taken().map(({ session }) => session)).size).toBe(2);
  expect(id).not.toBe('');
});

interface Machines {
  readonly machines: readonly { readonly machine_label: string; readonly offer?: object }[];
}

test('[CHT-306] [CHT-307] a person sees the agents and folders of a machine, and whether an agent is signed in', async () => {
  const { person, relay, folder } = await startProxyHarness({ agent: { fault: 'signed_out' } });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/feature/lamps\n');
  const { token } = await relay.mint('person');
  const headers = { authorization: `Bearer ${token}` };
  const offered = async (): Promise<unknown> => {
    const answer = await fetch(`${relay.url}/api/machines`, { headers });
    const { machines }: Machines = await answer.json();
    return machines;
  };
  const scripted = { agent_type: 'scripted', display_name: 'scripted', version: '1.0.0' };
  await expect
    .poll(offered)
    .toMatchObject([{ machine_label: 'studio', offer: { agents: [{ ...scripted, sign_in: 'unknown' }] } }]);
  person.send({ type: 'launch_session', request_id: 'a', agent_type: 'scripted' });
  expect(await person.next('session_launch_failed')).toMatchObject({
    error_code: 'agent_not_open',
    reason: 'scripted is not signed in here.',
  });
  const workspaces = [{ path: folder, branch: 'feature/lamps' }];
  await expect
    .poll(offered)
    .toEqual([
      { machine_label: 'studio', offer: { agents: [{ ...scripted, sign_in: 'needed' }], workspaces } },
    ]);
});
