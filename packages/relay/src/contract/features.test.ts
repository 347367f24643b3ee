import { CHAT_FEATURES } from '@drawbridge/protocol';
import { describe, expect, test } from 'vitest';
import { fresh, marked, type SessionFixture, useRelay } from '../../test/contract/contract-harness.ts';
import {
  answerOf,
  closeOf,
  contentOf,
  deliveredOf,
  failedOf,
  historyOf,
  interruptOf,
  launchOf,
  promptOf,
  resultOf,
  sendOf,
} from '../../test/contract/frames.ts';
import type { Loose, Peer } from '../../test/contract/peer.ts';

const harness = useRelay();

const ALL = { features: Object.keys(CHAT_FEATURES) };
const FEATURE_FRAMES: readonly string[] = Object.values(CHAT_FEATURES).flat();

/** A session with two watchers: one has every feature, the other none. */
async function watched() {
  const openSession = await harness.session({ proxy: ALL });
  return { ...openSession, plain: openSession.person, rich: await harness.connect('person', ALL) };
}

/** The same, with the proxy away and a queued send. */
async function waiting() {
  const openSession = await watched();
  const { session_id, plain, rich, proxy } = openSession;
  await proxy.cut();
  await rich.next('session_down', { session_id });
  plain.send(sendOf(session_id, 'c1'));
  await rich.next('message_event');
  await plain.next('message_event');
  return openSession;
}

const ask = ({ session_id, proxy }: SessionFixture) =>
  proxy.send({ type: 'agent_question', session_id, question_id: 'q1', text: 'Which branch?' });

/** Answers the prompt, up to the proxy's confirmation. */
async function answered() {
  const openSession = await watched();
  const { session_id, proxy, rich } = openSession;
  proxy.send(promptOf(session_id, 'p1'));
  await rich.next('permission_prompt');
  rich.send(answerOf(session_id, 'p1', { request_id: fresh('answer') }));
  const { request_id } = await proxy.next('permission_response');
  proxy.send(resultOf(session_id, request_id));
  await rich.next('agent_control_result');
  return openSession;
}

describe('frames beyond the protocol', () => {
  test('[CHT-258] a peer that lists no feature gets none of them', async () => {
    const openSession = await answered();
    const { plain, session_id } = openSession;
    ask(openSession);
    await marked(openSession);
    const waited = await waiting();
    const edit = { type: 'edit_message', request_id: 'r1', client_message_id: 'c1', content: 'other words' };
    waited.rich.send({ ...edit, session_id: waited.session_id });
    await waited.rich.next('message_edited');
    waited.rich.send({ ...edit, type: 'cancel_message', session_id: waited.session_id });
    await waited.rich.next('message_cancelled');
    for (const id of [session_id, waited.session_id]) {
      plain.send(historyOf(id, { after_sequence: 0 }));
      await plain.next('history_delta', { session_id: id });
    }
    const seen = [...plain.frames, ...waited.plain.frames].flatMap((frame) =>
      frame.type === 'history_delta' ? frame.events.map(({ type }) => String(type)) : [String(frame.type)],
    );
    expect(seen.filter((type) => FEATURE_FRAMES.includes(type))).toEqual([]);
  });

  test('[CHT-258] a proxy without questions gets no agent_answer', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    const rich = await harness.connect('person', ALL);
    rich.send({ type: 'agent_answer', session_id, request_id: 'r1', question_id: 'q1', answer: 'cancel' });
    expect(await rich.next('agent_control_result')).toMatchObject({ request_id: 'r1', result: 'failed' });
    await marked(openSession);
    expect(proxy.all('agent_answer')).toEqual([]);
  });

  test('[CHT-284] a proxy without modes gets no agent_set_mode', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    const rich = await harness.connect('person', ALL);
    rich.send({ type: 'agent_set_mode', session_id, request_id: 'r1', mode_id: 'plan' });
    expect(await rich.next('agent_control_result')).toMatchObject({
      request_id: 'r1',
      command: 'agent_set_mode',
      result: 'failed',
      error_code: 'control_not_supported',
    });
    await marked(openSession);
    expect(proxy.all('agent_set_mode')).toEqual([]);
  });

  test('[CHT-289] warns two proxies of one name that list label_alarm', async () => {
    const machine_label = fresh('machine');
    const hello = { machine_label, features: ['label_alarm'] };
    const deaf = await harness.connect('proxy', { machine_label });
    const first = await harness.connect('proxy', hello);
    const alarm = { code: 'machine_label_taken', message: expect.stringContaining(machine_label) };
    expect(await first.next('connection_error')).toMatchObject(alarm);
    const second = await harness.connect('proxy', hello);
    for (const each of [first, second]) expect(await each.next('connection_error')).toMatchObject(alarm);
    await harness.connect('proxy', { ...hello, machine_label: fresh('machine') });
    for (const each of [deaf, first, second]) await each.settled();
    expect([deaf, first, second].map((each) => each.all('connection_error').length)).toEqual([0, 2, 1]);
  });

  test('[CHT-258] [CHT-348] a question reaches peers with the feature, and its answer the proxy, with who answered', async () => {
    const openSession = await watched();
    const { session_id, proxy, rich } = openSession;
    ask(openSession);
    await rich.next('agent_question');
    const request_id = fresh('answer');
    rich.send({
      type: 'agent_answer',
      session_id,
      request_id,
      question_id: 'q1',
      answer: 'accept',
      values: { branch: 'main' },
      answered_by: 'Somebody',
    });
    expect(await proxy.next('agent_answer')).toMatchObject({
      ...{ request_id, values: { branch: 'main' } },
      answered_by: expect.not.stringMatching(/^Somebody$/),
    });
  });

  test('[CHT-258] an edit changes the forwarded text', async () => {
    const openSession = await waiting();
    const { session_id, rich } = openSession;
    rich.send({
      type: 'edit_message',
      session_id,
      request_id: 'r1',
      client_message_id: 'c1',
      content: 'other words',
    });
    expect(await rich.next('message_edited')).toMatchObject({
      client_message_id: 'c1',
      content: 'other words',
    });
    const back = await harness.comeBack(openSession);
    expect(await back.next('send_message')).toMatchObject({ content: 'other words' });
  });
});

describe('events for peers without their feature', () => {
  type Watched = Awaited<ReturnType<typeof watched>>;

  const expectTwins = async (
    { plain, rich, session_id }: Watched,
    own: Loose & { readonly type: string },
    other: Loose & { readonly type: string },
  ) => {
    const find = ({ frames }: Peer, { type }: { readonly type: string }) =>
      frames.findLast((each) => each.type === type);
    const seen = find(rich, own);
    expect(seen).toMatchObject(own);
    const { event_id, sequence } = seen !== undefined && 'sequence' in seen ? seen : {};
    expect(sequence).toEqual(expect.any(Number));
    await plain.settled();
    expect(find(plain, other)).toMatchObject({ ...other, event_id, sequence });
    for (const [peer, event] of [
      [plain, other],
      [rich, own],
    ] as const) {
      peer.send(historyOf(session_id, { after_sequence: (sequence ?? 0) - 1 }));
      expect((await peer.next('history_delta')).events[0]).toMatchObject({ ...event, event_id, sequence });
    }
  };

  test('[CHT-272] message_cancelled becomes a message_failed', async () => {
    const openSession = await waiting();
    const { session_id, rich } = openSession;
    rich.send({ type: 'cancel_message', session_id, request_id: 'r1', client_message_id: 'c1' });
    await rich.next('message_cancelled');
    await expectTwins(
      openSession,
      { type: 'message_cancelled', client_message_id: 'c1' },
      { type: 'message_failed', client_message_id: 'c1', error: { code: 'cancelled' } },
    );
  });

  test('[CHT-272] message_edited becomes a message_event', async () => {
    const openSession = await waiting();
    const { session_id, rich } = openSession;
    const edit = { session_id, client_message_id: 'c1', content: 'other words' };
    rich.send({ type: 'edit_message', request_id: 'r1', ...edit });
    await rich.next('message_edited');
    await expectTwins(
      openSession,
      { type: 'message_edited', ...edit },
      { type: 'message_event', message: { message_id: 'c1', role: 'user', content: 'other words' } },
    );
  });

  test('[CHT-272] permission_prompt_answered becomes a permission_prompt_expired', async () => {
    const openSession = await answered();
    await expectTwins(
      openSession,
      { type: 'permission_prompt_answered', prompt_id: 'p1', choice_id: 'yes', answered_by: 'a person' },
      { type: 'permission_prompt_expired', prompt_id: 'p1', applied_choice: 'yes' },
    );
  });

  test('[CHT-272] agent_question becomes a session_status that waits for a person', async () => {
    const openSession = await watched();
    ask(openSession);
    await openSession.rich.next('agent_question');
    await expectTwins(
      openSession,
      { type: 'agent_question', question_id: 'q1', text: 'Which branch?' },
      { type: 'session_status', activity: { kind: 'waiting_for_user' } },
    );
  });
});

describe('stopping', () => {
  test('[CHT-259] only peers with reconnect_hint get one', async () => {
    const { plain, rich } = await watched();
    await harness.restart();
    await rich.closed;
    await plain.closed;
    expect(rich.all('reconnect_hint')).toHaveLength(1);
    expect(plain.all('reconnect_hint')).toEqual([]);
  });

  test('[CHT-259] loses no accepted send', async () => {
    const openSession = await watched();
    const { session_id, plain, proxy } = openSession;
    await proxy.cut();
    await plain.next('session_down', { session_id });
    const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
    for (const id of ids) plain.send(sendOf(session_id, id));
    await plain.next('message_accepted');
    await harness.restart();
    const accepted = plain.all('message_accepted').map(({ client_message_id }) => client_message_id);
    const back = await harness.comeBack(openSession);
    const forwarded = [];
    for (const _ of accepted) forwarded.push((await back.next('send_message')).client_message_id);
    expect(forwarded.slice(0, accepted.length)).toEqual(accepted);
  });
});

describe('codes', () => {
  const CODES = [
    ...['protocol_version_unsupported', 'invalid_message', 'session_not_connected', 'session_unknown'],
    ...['send_rejected', 'send_injection_failed', 'selector_failure', 'history_not_available'],
    ...['resume_cursor_invalid', 'no_proxy_connected', 'launch_timeout', 'agent_not_open'],
    ...['launch_not_supported', 'unauthorized', 'prompt_not_found', 'agent_not_active'],
    ...[
      'model_not_available',
      'control_not_supported',
      'config_read_failed',
      'delivery_unknown',
      'cancelled',
      'machine_label_taken',
      'mode_not_available',
    ],
  ];

  const codesOf = (peer: Peer) =>
    peer.frames.flatMap((frame) => {
      if (frame.type === 'connection_error') return [frame.code];
      if ('error' in frame && frame.error !== undefined) return [frame.error.code];
      return 'error_code' in frame && frame.error_code !== undefined ? [frame.error_code] : [];
    });

  test('[CHT-255] the same failure has the same code for every command', async () => {
    const person = await harness.connect('person');
    const frames = [
      sendOf('nobody', 'c1'),
      historyOf('nobody'),
      closeOf('nobody', 'r1'),
      interruptOf('nobody', 'r2'),
    ];
    for (const frame of [...frames, ...frames]) person.send(frame);
    await person.settled();
    expect(new Set(codesOf(person))).toEqual(new Set(['session_unknown']));
    expect(codesOf(person)).toHaveLength(8);
  });

  test('[CHT-256] refusals of the relay have known codes', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    const frames: readonly Loose[] = [
      { type: 'make_tea' },
      sendOf('nobody', 'c1'),
      sendOf(session_id, 'c1', { attachments: [{ attachment_id: 'nowhere' }] }),
      historyOf(session_id, { after_sequence: 1_000 }),
      closeOf('nobody', 'r1'),
      launchOf('l1', { machine_label: 'nowhere' }),
      answerOf(session_id, 'p9', { request_id: 'r2' }),
      interruptOf('nobody', 'r3'),
      contentOf(session_id, 'Not mine to say.'),
      { type: 'cancel_message', session_id, request_id: 'r4', client_message_id: 'none' },
    ];
    for (const frame of frames) person.send(frame);
    await marked(openSession);
    person.send(sendOf(session_id, 'c2'));
    await proxy.next('send_message');
    proxy.send(failedOf(session_id, 'c2'));
    await person.next('message_failed');
    person.send(sendOf(session_id, 'c3'));
    await proxy.next('send_message');
    await proxy.cut();
    await person.next('message_failed', { client_message_id: 'c3' });
    person.send({ type: 'heartbeat', protocol_version: 2 });
    await person.closed;
    const codes = codesOf(person);
    expect(codes.length).toBeGreaterThan(frames.length);
    expect(codes.filter((code) => !CODES.includes(code))).toEqual([]);
  });

  test('[CHT-257] forwards another proxy’s own code', async () => {
    const { session_id, person, proxy } = await harness.session();
    person.send(sendOf(session_id, 'c1'));
    await proxy.next('send_message');
    proxy.send(
      failedOf(session_id, 'c1', { error: { code: 'send_button_not_found', message: 'Not there' } }),
    );
    expect((await person.next('message_failed')).error.code).toBe('send_button_not_found');
  });
});

test('[CHT-260] a browser that only sends works', async () => {
  const { session_id, person, proxy } = await harness.session();
  person.send(sendOf(session_id, 'c1'));
  await proxy.next('send_message');
  proxy.send(deliveredOf(session_id, 'c1'));
  await person.next('message_delivered');
});
