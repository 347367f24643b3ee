import { describe, expect, test } from 'vitest';
import { fresh, marked, NOW, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import {
  AT,
  closeOf,
  configOf,
  contentOf,
  historyOf,
  interruptOf,
  listOf,
  promptOf,
  sendOf,
  sessionObject,
  statusOf,
} from '../../test/contract/frames.ts';
import { type Peer, sessionOf } from '../../test/contract/peer.ts';

const harness = useRelay();

const shownTo = async (peer: Peer, session_id: string) =>
  (await peer.next('session_snapshot')).sessions.find((each) => each.session_id === session_id);

describe('sessions', () => {
  test('[CHT-117] a session whose proxy is away stays listed as disconnected', async () => {
    const { session_id, person, proxy } = await harness.session();
    await proxy.cut();
    await person.next('session_down', { session_id });
    expect(await shownTo(await harness.connect('person'), session_id)).toMatchObject({
      status: 'disconnected',
    });
  });

  test('[CHT-117] [CHT-130] a session stays disconnected after a restart, and its sequences continue without a gap', async () => {
    const { session_id, person, proxy } = await harness.session();
    proxy.send(contentOf(session_id, 'Before.'));
    const before = await person.next('message_event', { session_id });
    await harness.restart();
    const again = await harness.connect('person');
    expect(await shownTo(again, session_id)).toMatchObject({ status: 'disconnected', agent_type: 'codex' });
    const back = await harness.comeBack({ session_id, person, proxy });
    back.send(contentOf(session_id, 'After.'));
    await again.next('message_event', { session_id });
    again.send(historyOf(session_id, { after_sequence: before.sequence }));
    const { events, last_sequence } = await again.next('history_delta');
    expect(events.map(({ type }) => type)).toEqual(['session_down', 'session_up', 'message_event']);
    expect(events.map(({ sequence }) => sequence)).toEqual([
      before.sequence + 1,
      before.sequence + 2,
      last_sequence,
    ]);
  });

  test('[CHT-118] a new session makes session_up', async () => {
    const { session_id, person } = await harness.session({ session: { display_name: 'Codex' } });
    expect(person.about(session_id)).toMatchObject([
      { type: 'session_up', sequence: 1, session: sessionObject(session_id, { display_name: 'Codex' }) },
    ]);
  });

  test('[CHT-118] [CHT-119] a session that was away makes session_up', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    await proxy.cut();
    expect(await person.next('session_down')).toMatchObject({ session_id, reason: 'proxy_disconnected' });
    await harness.comeBack(openSession);
    await person.next('session_up', { session: { session_id } });
    expect(typesAbout(person, session_id)).toEqual(['session_up', 'session_down', 'session_up']);
  });

  test('[CHT-119] every session of a proxy goes down with it', async () => {
    const ids = [fresh('session'), fresh('session')];
    const person = await harness.connect('person');
    const proxy = await harness.connect('proxy');
    proxy.send(listOf(...ids.map((session_id) => sessionObject(session_id))));
    await proxy.settled();
    await proxy.cut();
    for (const session_id of ids) await person.next('session_down', { session_id });
  });

  test('[CHT-120] a session that the next list omits makes session_down', async () => {
    const { session_id, person, proxy } = await harness.session();
    const other = fresh('session');
    proxy.send(listOf(sessionObject(other)));
    expect(await person.next('session_down')).toMatchObject({ session_id, reason: 'target_closed' });
    await person.next('session_up', { session: { session_id: other } });
  });

  test('[CHT-121] a change of health or activity makes session_status with the new values', async () => {
    const { session_id, person, proxy } = await harness.session();
    const activity = { kind: 'running_command', label: 'npm test', updated_at: AT };
    proxy.send(statusOf(session_id, { status: 'degraded', activity }));
    expect(await person.next('session_status')).toMatchObject({ session_id, status: 'degraded', activity });
    expect(await shownTo(await harness.connect('person'), session_id)).toMatchObject({
      status: 'degraded',
      activity,
    });
  });

  test('[CHT-121] a status that changes nothing makes no event', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    proxy.send(statusOf(session_id, { status: 'healthy' }));
    await proxy.settled();
    await marked(openSession);
    expect(typesAbout(person, session_id)).toEqual(['session_up']);
  });

  test.each([
    ['its metadata', { workspace_name: 'bridge' }, ['session_up']],
    ['only its health', { status: 'degraded' }, ['session_status']],
    ['only its activity', { activity: { kind: 'idle' } }, ['session_status']],
    ['nothing', {}, []],
  ])('[CHT-122] a list that changes %s', async (_, more, made) => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    proxy.send(listOf(sessionObject(session_id, more)));
    await proxy.settled();
    await marked(openSession);
    expect(typesAbout(person, session_id)).toEqual(['session_up', ...made]);
  });

  test('[CHT-125] target_id neither separates nor joins sessions', async () => {
    const [one, two] = [fresh('session'), fresh('session')];
    const person = await harness.connect('person');
    const proxy = await harness.connect('proxy');
    const targets = (a: string, b: string) =>
      listOf(sessionObject(one, { target_id: a }), sessionObject(two, { target_id: b }));
    proxy.send(targets('same', 'same'));
    await person.next('session_up', { session: { session_id: one } });
    await person.next('session_up', { session: { session_id: two } });
    proxy.send(targets('x', 'same'));
    await person.next('session_up', { session: { session_id: one, target_id: 'x' } });
    const { sessions } = await (await harness.connect('person')).next('session_snapshot');
    const targetOf = (id: string) => sessions.find(({ session_id }) => session_id === id)?.target_id;
    expect([targetOf(one), targetOf(two)]).toEqual(['x', 'same']);
  });

  test('[CHT-126] forwards a session’s data and when it was last seen', async () => {
    const session = {
      display_name: 'Codex',
      window_title: 'bridge',
      workspace_name: 'bridge',
      workspace_path: '/home/ada/bridge',
      last_seen_at: AT,
    };
    const { session_id, person } = await harness.session({ session });
    expect(person.about(session_id)).toMatchObject([{ session }]);
    expect(await shownTo(await harness.connect('person'), session_id)).toMatchObject(session);
  });

  test('[CHT-126] adds last_seen_at where the proxy does not', async () => {
    const { session_id, person, proxy } = await harness.session();
    await proxy.cut();
    await person.next('session_down', { session_id });
    const shown = await shownTo(await harness.connect('person'), session_id);
    expect(Date.parse(shown?.last_seen_at ?? '')).toBeGreaterThanOrEqual(NOW);
  });

  test('[CHT-127] another proxy cannot take a session over', async () => {
    const openSession = await harness.session();
    const { session_id, person } = openSession;
    const other = await harness.connect('proxy');
    other.send(listOf(sessionObject(session_id, { display_name: 'Mine' })));
    expect(await other.next('connection_error')).toMatchObject({ code: 'unauthorized', session_id });
    await marked(openSession);
    expect(typesAbout(person, session_id)).toEqual(['session_up']);
  });

  test.each([
    ['proxy_status', (id: string) => statusOf(id, { status: 'degraded' })],
    ['proxy_message', (id: string) => contentOf(id, 'Pay up.')],
    [
      'proxy_send_result',
      (id: string) => ({
        type: 'proxy_send_result',
        session_id: id,
        client_message_id: 'c',
        result: 'delivered',
      }),
    ],
    ['session_closed', (id: string) => ({ type: 'session_closed', session_id: id })],
    ['permission_prompt', (id: string) => promptOf(id, 'p')],
    ['agent_config', (id: string) => configOf(id, 'm')],
    [
      'agent_control_result',
      (id: string) => ({
        type: 'agent_control_result',
        session_id: id,
        request_id: 'r',
        command: 'agent_interrupt',
        result: 'ok',
      }),
    ],
  ])(
    '[CHT-127] [CHT-128] %s of a session of another proxy, or of none, changes nothing',
    async (_, frameFor) => {
      const openSession = await harness.session();
      const { session_id, person } = openSession;
      const other = await harness.connect('proxy');
      other.send(frameFor(session_id));
      expect(await other.next('connection_error')).toMatchObject({ code: 'unauthorized', session_id });
      other.send(frameFor('nobody'));
      expect(await other.next('connection_error')).toMatchObject({
        code: 'session_unknown',
        session_id: 'nobody',
      });
      await marked(openSession);
      expect(typesAbout(person, session_id)).toEqual(['session_up']);
    },
  );
});

describe('session visibility', () => {
  test('[CHT-132] owners and people with access see it, and no one else', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    const scoped = async (scope: string) =>
      harness.connect(await harness.device('person', { scopes: [`session:${scope}`] }));
    const within = [
      await harness.connect('owner'),
      await harness.connect('person'),
      await scoped(session_id),
      openSession.person,
    ];
    const without = [
      await scoped('other'),
      await harness.connect('stranger'),
      await harness.connect('proxy'),
    ];
    proxy.send(contentOf(session_id, 'Hello.'));
    for (const peer of within) await peer.next('message_event', { session_id });
    for (const peer of [...without, proxy]) {
      await peer.settled();
      expect(peer.about(session_id)).toEqual([]);
    }
  });

  test('[CHT-92] a scope that names no session grants none', async () => {
    const { session_id } = await harness.session();
    const device = await harness.device('person', { scopes: [`sessions:${session_id}`] });
    expect(await shownTo(await harness.connect(device), session_id)).toBeUndefined();
  });

  test('[CHT-92] a session that a person may not see does not exist for them', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    const device = await harness.device('person', { scopes: ['session:other'] });
    const person = await harness.connect(device, {
      resume: { sessions: [{ session_id, last_sequence: 0 }] },
    });
    expect(await shownTo(person, session_id)).toBeUndefined();
    expect(await person.next('connection_error')).toMatchObject({ code: 'session_unknown', session_id });
    const [ack] = person.all('connection_ack');
    expect(ack?.resumed).toEqual([]);
    proxy.send(promptOf(session_id, 'p1'));
    proxy.send(configOf(session_id, 'm1'));
    await openSession.person.next('agent_config', { session_id });
    const again = await harness.connect(device);
    expect(again.all('connection_ack')).toMatchObject([{ open_prompts: [], session_configs: {} }]);
    await person.settled();
    expect(person.all('permission_prompt')).toEqual([]);
  });

  test.each([
    ['send_message', (id: string) => sendOf(id, 'c1')],
    ['history_request', (id: string) => historyOf(id)],
    ['close_session', (id: string) => closeOf(id, 'r1')],
    [
      'cancel_message',
      (id: string) => ({ type: 'cancel_message', session_id: id, request_id: 'r1', client_message_id: 'c1' }),
    ],
  ])('[CHT-92] %s for it is answered as for an unknown session', async (_, frameFor) => {
    const openSession = await harness.session();
    const { session_id, proxy, person: watching } = openSession;
    const device = await harness.device('person', { scopes: ['session:other'] });
    const person = await harness.connect(device, { features: ['queue'] });
    const answers = [];
    for (const id of [session_id, 'nobody']) {
      person.send(frameFor(id));
      const { message, code, ...rest } = await person.next('connection_error');
      answers.push({ message, code, keys: Object.keys(rest) });
      expect(rest.session_id).toBe(id);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.code).toBe('session_unknown');
    await marked(openSession);
    expect(typesAbout(watching, session_id)).toEqual(['session_up']);
    expect(typesAbout(proxy, session_id)).toEqual([]);
  });

  test('[CHT-92] a command for it is answered as for an unknown session', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    const device = await harness.device('person', { scopes: ['session:other'] });
    const person = await harness.connect(device);
    for (const [index, id] of [session_id, 'nobody'].entries()) {
      person.send(interruptOf(id, fresh('r')));
      const { error } = await person.next('agent_control_result');
      expect(error, String(index)).toMatchObject({ code: 'session_unknown' });
    }
    await marked(openSession);
    expect(typesAbout(proxy, session_id)).toEqual([]);
  });
});

describe('events', () => {
  test('[CHT-129] [CHT-130] sequences count up by one, and are the same for everyone', async () => {
    const openSession = await harness.session();
    const { session_id, proxy, person } = openSession;
    const other = await harness.connect('owner');
    for (const text of ['one', 'two', 'three']) {
      proxy.send(contentOf(session_id, text));
      person.send(sendOf(session_id, text));
    }
    await other.next('message_accepted', { client_message_id: 'three' });
    await other.next('message_event', { message: { content: 'three' } });
    await marked(openSession);
    await other.settled();
    const numbered = (peer: Peer) =>
      peer
        .about(session_id)
        .flatMap((frame) => ('sequence' in frame ? [[frame.sequence, frame.event_id]] : []));
    const seen = numbered(person);
    expect(seen.map(([sequence]) => sequence)).toEqual(seen.map((_, index) => index + 1));
    expect(new Set(seen.map(([, event_id]) => event_id)).size).toBe(seen.length);
    expect(numbered(other)).toEqual(seen.slice(1));
  });

  test('[CHT-131] every broadcast is numbered, and no answer to one peer is', async () => {
    const openSession = await harness.session({
      person: { features: ['queue', 'prompt_answered', 'questions'] },
    });
    const { session_id, proxy, person } = openSession;
    const other = await harness.connect('person');
    proxy.send(configOf(session_id, 'm1'));
    proxy.send(promptOf(session_id, 'p1', { timeout_ms: 5_000 }));
    await person.next('permission_prompt');
    harness.clock.advance(5_000);
    await person.next('permission_prompt_expired');
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    person.send(historyOf(session_id));
    await person.next('history_snapshot');
    person.send(historyOf('nobody'));
    await person.next('connection_error');
    person.send({ type: 'agent_config_request', session_id });
    await person.next('agent_config');
    person.send(interruptOf('nobody', fresh('r')));
    await person.next('agent_control_result');
    await marked(openSession);
    proxy.send({ type: 'session_closed', session_id });
    await person.next('session_closed');
    await other.next('session_closed');
    const seen = (peer: Peer) => peer.frames.filter((frame) => 'sequence' in frame && frame.event_id);
    const broadcast = seen(other).filter((frame) => sessionOf(frame) === session_id);
    expect(broadcast.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'agent_config',
        'permission_prompt',
        'permission_prompt_expired',
        'message_accepted',
        'session_closed',
      ]),
    );
    const numberedForOther = new Set(other.texts);
    const alone = person.frames.filter(
      (frame, index) => !numberedForOther.has(person.texts[index] ?? '') && frame.type !== 'session_up',
    );
    expect(alone.filter((frame) => 'sequence' in frame).map(({ type }) => type)).toEqual([]);
    expect(other.about(session_id).filter((frame) => !('sequence' in frame))).toEqual([]);
  });

  test('[CHT-131] a repeated message_accepted has its original number', async () => {
    const { session_id, person } = await harness.session();
    person.send(sendOf(session_id, 'c1'));
    const { event_id, sequence } = await person.next('message_accepted');
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('message_accepted')).toMatchObject({ event_id, sequence });
  });
});
