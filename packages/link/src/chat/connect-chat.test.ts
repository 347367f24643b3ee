import { createGate } from '@drawbridge/testbed';
import { expect, test } from 'vitest';
import { setUpChat } from '../../test/chat/chat-bench.ts';
import { AT } from '../../test/chat/model-relay.ts';

test('[CHT-100] [CHT-258] sends hello first, with its identity and supported features', async () => {
  const { connect, settle, relay, offered } = setUpChat();
  const { link } = connect({
    token: 'secret',
    client_version: '1.2.3',
    client_id: 'tab-1',
    machine_label: 'ada-laptop',
    features: ['queue'],
  });
  await settle();
  expect(relay.received[0]).toEqual({
    type: 'connection_hello',
    protocol_version: 1,
    peer_role: 'browser',
    client_name: 'test',
    client_version: '1.2.3',
    client_id: 'tab-1',
    machine_label: 'ada-laptop',
    features: ['queue', 'lagging', 'reconnect_hint'],
  });
  expect(offered).toEqual([['drawbridge', 'bearer.secret']]);
  expect(link.state).toEqual({ kind: 'open', connection_id: 'conn_1', epoch: 'epoch_1' });
});

test('[CHT-111] sends heartbeats at the interval of the ack', async () => {
  const { connect, settle, pass, relay } = setUpChat({ heartbeat_interval_ms: 4_000 });
  const { link } = connect();
  await settle();
  await pass(41_000);
  expect(relay.received.filter(({ type }) => type === 'heartbeat')).toHaveLength(10);
  expect(link.state.kind).toBe('open');
});

test('survives an interval beyond any timer', async () => {
  for (const heartbeat_interval_ms of [0, 2 ** 40]) {
    const { connect, settle, pass, relay } = setUpChat({ heartbeat_interval_ms });
    connect();
    await settle();
    await pass(1_000);
    expect(relay.received.filter(({ type }) => type === 'heartbeat').length).toBeLessThanOrEqual(20);
  }
});

test('leaves a silent relay after its timeout and resumes on the next connection', async () => {
  const { connect, settle, pass, pairs, fake } = setUpChat({ heartbeat_timeout_ms: 20_000 });
  const { link, heard } = connect();
  await settle();
  pairs[0]?.dropNext('b', 1_000);
  await pass(19_000);
  fake.jump(3_600_000);
  expect(link.state.kind).toBe('open');
  await pass(12_000);
  expect(heard.states).toContainEqual(
    expect.objectContaining({
      kind: 'waiting',
      error: expect.objectContaining({ evidence: { reason: 'peer_silent' } }),
    }),
  );
  expect(link.state.kind).toBe('open');
  expect(pairs).toHaveLength(2);
});

test('retries an unanswered connection with growing waits', async () => {
  const { connect, settle, pass, dials, fake } = setUpChat();
  dials.answered = false;
  const { heard } = connect();
  await settle();
  const started = fake.now();
  await pass(60_000);
  const waits = heard.states.flatMap((state) => (state.kind === 'waiting' ? [state.until - started] : []));
  expect(waits.slice(0, 4)).toEqual([10_500, 21_500, 33_500, 47_500]);
});

test('waits briefly again after it was open', async () => {
  const { connect, settle, pass, dials, pairs, fake } = setUpChat();
  dials.opens = false;
  const { link } = connect();
  await settle();
  await pass(3_000);
  dials.opens = true;
  await pass(3_000);
  expect(link.state.kind).toBe('open');
  pairs.at(-1)?.cut();
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', until: fake.now() + 500 });
});

test('retries at once on wake, with the shortest backoff', async () => {
  const { connect, settle, pass, dials, pairs, fake } = setUpChat();
  dials.opens = false;
  let wake = () => {};
  const { link, heard } = connect({
    onWakeUp: (listener) => {
      wake = listener;
      return () => {};
    },
  });
  await settle();
  await pass(4_000);
  expect(link.state.kind).toBe('waiting');
  const tries = pairs.length;
  wake();
  await settle();
  expect(pairs).toHaveLength(tries + 1);
  expect(heard.states.at(-1)).toMatchObject({ kind: 'waiting', until: fake.now() + 500 });
  dials.opens = true;
  link.wake();
  await settle();
  expect(link.state.kind).toBe('open');
});

test('detects a connection that died during sleep on wake', async () => {
  const { connect, settle, pass, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  link.wake();
  await settle();
  await pass(6_000);
  expect(pairs).toHaveLength(1);
  pairs[0]?.dropNext('b', 100);
  link.wake();
  await settle();
  await pass(6_000);
  expect(pairs).toHaveLength(2);
  expect(link.state.kind).toBe('open');
});

test('detects a connection that only receives', async () => {
  const { connect, settle, pass, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.dropNext('a', 100);
  link.wake();
  await settle();
  pairs[0]?.b.send(JSON.stringify({ type: 'session_snapshot', protocol_version: 1, sessions: [] }));
  await pass(6_000);
  expect(pairs).toHaveLength(2);
  expect(link.state.kind).toBe('open');
});

test('[CHT-258] waits for a reconnect_hint', async () => {
  const { connect, settle, pass, relay, pairs, fake } = setUpChat();
  const { link } = connect();
  await settle();
  relay.broadcast({ type: 'reconnect_hint', protocol_version: 1, after_ms: 7_000 });
  await settle();
  pairs[0]?.b.close(1001, 'stopping');
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', until: fake.now() + 7_500 });
  await pass(7_500);
  expect(link.state.kind).toBe('open');
  pairs[1]?.cut();
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', until: fake.now() + 500 });
});

test.each([1000, 1001, 1006, 1011, 4408, 4429])('reconnects after close code %i', async (code) => {
  const { connect, settle, pass, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.b.close(code, '');
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', error: { code: 'transport_failed' } });
  await pass(500);
  expect(link.state.kind).toBe('open');
});

test('reconnects late after 4409, so that two clients of one id do not loop', async () => {
  const { connect, settle, pairs, fake } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.b.close(4409, 'taken over');
  await settle();
  expect(link.state).toMatchObject({ kind: 'waiting', until: fake.now() + 8_000 });
});

test.each([4401, 4403])('stops at close code %i', async (code) => {
  const { connect, settle, pass, pairs } = setUpChat();
  const { link } = connect();
  await settle();
  pairs[0]?.b.close(code, '');
  await settle();
  await pass(60_000);
  expect(link.state).toMatchObject({
    kind: 'closed',
    reason: 'refused',
    error: { code: 'transport_failed' },
  });
  expect(pairs).toHaveLength(1);
});

test.each([
  ['unauthorized', 'refused'],
  ['protocol_version_unsupported', 'failed'],
  ['invalid_message', 'failed'],
])('a hello that is answered with %s ends the link as %s', async (code, reason) => {
  const { connect, settle, pass, pairs, dials } = setUpChat();
  dials.answered = false;
  const { link } = connect();
  await settle();
  pairs[0]?.b.send(
    JSON.stringify({ type: 'connection_error', protocol_version: 1, code, message: 'Not like this.' }),
  );
  await settle();
  await pass(60_000);
  expect(link.state).toMatchObject({ kind: 'closed', reason, error: { message: 'Not like this.' } });
  expect(pairs).toHaveLength(1);
});

test('detects a hidden 401 by a request after some attempts', async () => {
  const { connect, settle, pass, dials, pairs } = setUpChat();
  dials.opens = false;
  let asked = 0;
  const statuses = [200, Number.NaN, 401];
  const { link } = connect({
    checkCredential: async () => {
      asked += 1;
      const status = statuses.shift();
      if (Number.isNaN(status)) throw new TypeError('fetch failed');
      return status ?? 500;
    },
  });
  await settle();
  await pass(60_000);
  expect(link.state).toMatchObject({
    kind: 'closed',
    reason: 'refused',
    error: { evidence: { reason: 'credential_refused', status: 401 } },
  });
  expect(asked).toBe(3);
  expect(pairs).toHaveLength(5);
});

test('ignores a refusal that arrives after the link is open again', async () => {
  const { connect, settle, pass, dials } = setUpChat();
  dials.opens = false;
  const late = createGate();
  const { link } = connect({ checkCredential: () => late.passed().then(() => 401) });
  await settle();
  await pass(4_000);
  await late.reached;
  dials.opens = true;
  link.wake();
  await settle();
  late.open();
  await settle();
  expect(link.state.kind).toBe('open');
});

test('reports an invalid chat frame and continues', async () => {
  const { connect, settle, pairs, relay } = setUpChat();
  const { link, heard } = connect();
  await settle();
  for (const text of ['{', '{"type":"session_list","protocol_version":1}', '{"type":"nothing"}']) {
    pairs[0]?.b.send(text);
  }
  relay.appendMessage('s', 'hello');
  await settle();
  expect(heard.problems.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused']);
  expect(heard.events).toHaveLength(1);
  expect(link.state.kind).toBe('open');
});

test('ignores a frame before the ack', async () => {
  const { connect, settle, pairs, dials } = setUpChat();
  dials.answered = false;
  const { heard } = connect();
  await settle();
  pairs[0]?.b.send(JSON.stringify({ type: 'session_snapshot', protocol_version: 1, sessions: [] }));
  await settle();
  expect(heard.frames).toEqual([]);
  expect(heard.problems).toMatchObject([{ kind: 'refused', error: { code: 'invalid_message' } }]);
});

test('refuses to send when not open, too large, not read or closed', async () => {
  const { connect, settle, dials, relay } = setUpChat();
  const { link } = connect({ peer_role: 'proxy' });
  const status = (label: string) =>
    ({ type: 'proxy_status', session_id: 's', activity: { kind: 'idle', label } }) as const;
  const reason = (value: string) =>
    expect.objectContaining({ evidence: expect.objectContaining({ reason: value }) });
  expect(() => link.send(status('early'))).toThrow(reason('not_open'));
  await settle();
  link.send(status('now'));
  const message = { role: 'assistant', content: 'x'.repeat(1_048_576), created_at: AT };
  expect(() => link.send({ type: 'proxy_message', session_id: 's', message })).toThrow(
    reason('frame_too_large'),
  );
  dials.bufferedAmount = 2_000_000;
  expect(() => link.send(status('much'))).toThrow(reason('backpressure'));
  dials.bufferedAmount = 0;
  await settle();
  expect(relay.received.slice(1)).toEqual([{ protocol_version: 1, ...status('now') }]);
  link.close();
  expect(() => link.send(status('late'))).toThrow(reason('closed_here'));
});

test('closes once for all and releases everything', async () => {
  const { connect, settle, fake, pairs } = setUpChat();
  const { link, heard } = connect();
  await settle();
  const asked = link.request({ type: 'agent_interrupt', session_id: 's' });
  link.close();
  link.close();
  await expect(asked).rejects.toMatchObject({ code: 'transport_failed' });
  await settle();
  expect(heard.states.filter(({ kind }) => kind === 'closed')).toHaveLength(1);
  expect(fake.pending()).toBe(0);
  expect(pairs[0]?.a.readyState).toBe(3);
  await expect(link.request({ type: 'agent_interrupt', session_id: 's' })).rejects.toThrow('closed here');
  expect(() => link.sendMessage({ session_id: 's', content: 'x' })).toThrow('closed here');
});

test.each(['state', 'ack', 'resumed', 'event', 'pending'])(
  'a listener may close the link on %s',
  async (when) => {
    const { connect, settle, relay, fake, pairs } = setUpChat({ deltaEvents: 2 });
    for (let n = 0; n < 6; n++) relay.appendMessage('a', `${n}`);
    const sessions = ['a', 'b'].map((session_id) => ({ session_id, last_sequence: 0 }));
    const { link, heard } = connect({ resume: { epoch: 'epoch_1', sessions } });
    link.onState(({ kind }) => when === 'state' && kind === 'open' && link.close());
    link.onFrame(() => when === 'ack' && link.close());
    link.onResumed(() => when === 'resumed' && link.close());
    link.onEvent(() => when === 'event' && link.close());
    link.onPending((pending) => when === 'pending' && pending.length === 0 && link.close());
    if (when === 'pending') link.sendMessage({ session_id: 'b', content: 'x' });
    await settle();
    expect(link.state).toMatchObject({ kind: 'closed', reason: 'closed_here' });
    expect(heard.states.at(-1)?.kind).toBe('closed');
    if (when === 'event') expect(heard.events).toHaveLength(1);
    expect(fake.pending()).toBe(0);
    expect(pairs).toHaveLength(1);
  },
);
