import { type Ledger, LedgerError } from '@drawbridge/ledger';
import { LIMITS, type Session } from '@drawbridge/protocol';
import { expect, test } from 'vitest';
import {
  createCoreHarness,
  type SentFrame,
  sendOf,
  sessionObject,
  type TestPeer,
} from '../../test/core/core-harness.ts';

const DAY_MS = 86_400_000;
const TOO_LONG = 'x'.repeat(70_000);
const LONG = 'x'.repeat(60_000);

const prompt = (prompt_id: string, prompt_text: string, session_id = 's1'): SentFrame => ({
  type: 'permission_prompt',
  session_id,
  prompt_id,
  prompt_text,
  choices: [{ choice_id: 'no', label: 'No', is_default: true }],
});
const config = (session_id: string, extra: string): SentFrame => ({
  type: 'agent_config',
  session_id,
  model_id: 'm',
  capabilities: { extra },
});

/** The largest session that the wire's limits accept. */
const longSession = (session_id: string) => {
  const text = 'x'.repeat(LIMITS.label.value);
  return sessionObject(session_id, {
    display_name: text,
    window_title: text,
    workspace_name: text,
    workspace_path: text,
    machine_label: text,
    target_signature: text,
  });
};

const expectFramesToFit = ({ frames }: TestPeer): void => {
  for (const frame of frames) expect(JSON.stringify(frame).length).toBeLessThan(LIMITS.frame.value);
};

test('[CHT-275] refuses a prompt, configuration, question or session too large to repeat to every new connection', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy();
  laptop.send(prompt('p1', TOO_LONG));
  laptop.send(config('s1', TOO_LONG));
  laptop.send({ type: 'agent_question', session_id: 's1', question_id: 'q1', text: TOO_LONG });
  const escaped = '\u0001'.repeat(LIMITS.label.value);
  const huge = { display_name: escaped, window_title: escaped, workspace_name: escaped };
  laptop.send({
    type: 'proxy_session_snapshot',
    sessions: [sessionObject('s1'), sessionObject('huge', huge), sessionObject('s2')],
  });
  await laptop.settled();
  expect(laptop.of('connection_error')).toMatchObject([
    { code: 'invalid_message', session_id: 's1', message: expect.stringContaining('65536') },
    { code: 'invalid_message', session_id: 's1', message: expect.stringContaining('65536') },
    { code: 'invalid_message', session_id: 's1', message: expect.stringContaining('65536') },
    { code: 'invalid_message', session_id: 'huge', message: expect.stringContaining('65536') },
  ]);
  const phone = await browser();
  expect(phone.of('connection_ack')).toMatchObject([{ open_prompts: [], session_configs: {} }]);
  const listed = phone.of('session_snapshot').flatMap(({ sessions }) => sessions);
  expect(listed.map(({ session_id }) => session_id)).toEqual(['s1', 's2']);
});

test('[CHT-214] [CHT-251] [CHT-276] sends every prompt and configuration that does not fit in connection_ack after it', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(ids);
  const watcher = await browser('watcher');
  for (const id of ids) {
    laptop.send(prompt(`p-${id}`, LONG, id));
    laptop.send(config(id, LONG));
    await watcher.next('permission_prompt');
    await watcher.next('agent_config');
  }
  const phone = await browser();
  await phone.settled();
  expectFramesToFit(phone);
  const [ack] = phone.of('connection_ack');
  const inAck = ack?.open_prompts?.map(({ prompt_id }) => prompt_id) ?? [];
  const after = phone.of('permission_prompt');
  // The newest prompts go first, because an agent waits for them.
  expect(inAck.at(-1)).toBe('p-s11');
  expect([...after.map(({ prompt_id }) => prompt_id), ...inAck]).toEqual(ids.map((id) => `p-${id}`));
  // Not a second event: the cursor does not move.
  expect(after[0]).not.toHaveProperty('sequence');
  const configured = phone.of('agent_config').map(({ session_id }) => session_id);
  const known = [...Object.keys(ack?.session_configs ?? {}), ...configured];
  expect(configured.length).toBeGreaterThan(0);
  expect(known.toSorted()).toEqual(ids.toSorted());
});

test('[CHT-116] [CHT-276] sends sessions that do not fit in session_snapshot as session_up events, also after a restart', async () => {
  const harness = await createCoreHarness();
  const watcher = await harness.browser('watcher');
  const ids = (device_id: string) => Array.from({ length: 25 }, (_, index) => `${device_id}-${index}`);
  for (const device_id of ['one', 'two']) {
    const machine = await harness.proxy([], device_id);
    machine.send({ type: 'proxy_session_snapshot', sessions: ids(device_id).map(longSession) });
    await machine.settled();
  }
  const all = [...ids('one'), ...ids('two')].toSorted();
  const seenBy = (peer: TestPeer): readonly string[] => {
    const listed: readonly Session[] = peer.of('session_snapshot').flatMap(({ sessions }) => sessions);
    const up = peer.of('session_up').map(({ session }) => session);
    return [...listed, ...up].map(({ session_id }) => session_id).toSorted();
  };
  const phone = await harness.browser();
  await phone.settled();
  expectFramesToFit(phone);
  expect(seenBy(phone)).toEqual(all);
  const events = watcher.of('session_up');
  expect(phone.of('session_up').length).toBeGreaterThan(0);
  for (const { event_id, sequence, session } of phone.of('session_up')) {
    const event = events.find((each) => each.session.session_id === session.session_id);
    expect({ event_id, sequence }).toEqual({ event_id: event?.event_id, sequence: event?.sequence });
  }
  const again = await (await harness.restart()).browser();
  await again.settled();
  expectFramesToFit(again);
  expect(seenBy(again)).toEqual(all);
});

test('[CHT-117] lists a disconnected session for 30 days and reconnects it when it is announced', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const listed = async (device_id: string) =>
    (await browser(device_id)).of('session_snapshot').flatMap(({ sessions }) => sessions);
  const laptop = await proxy();
  const watcher = await browser('watcher');
  laptop.hangUp();
  await watcher.next('session_down');
  clock.jump(30 * DAY_MS);
  expect(await listed('a')).toMatchObject([{ session_id: 's1', status: 'disconnected' }]);
  clock.jump(1);
  expect(await listed('b')).toEqual([]);
  await proxy();
  expect(await listed('c')).toMatchObject([{ session_id: 's1', status: 'healthy' }]);
});

test('[CHT-99] queues the frames of a peer that does not read, and closes it when they are too many', async () => {
  const { browser, proxy } = await createCoreHarness();
  await proxy();
  const phone = await browser();
  const person = await browser('desk');
  phone.stall();
  phone.send({ type: 'history_request', session_id: 's1' });
  await phone.next('history_snapshot');
  for (let each = 0; each < 3; each += 1) phone.send({ type: 'history_request', session_id: 's1' });
  phone.send({ type: 'heartbeat' });
  person.send({ type: 'history_request', session_id: 's1' });
  await person.next('history_snapshot');
  await person.settled();
  expect(phone.of('history_snapshot')).toHaveLength(1);
  expect(phone.of('heartbeat_ack')).toEqual([]);
  for (let each = 0; each < 4; each += 1) phone.sendText('x'.repeat(1_000_000));
  expect(phone.closed).toBeUndefined();
  for (let each = 0; each < 2; each += 1) phone.sendText('x'.repeat(1_000_000));
  expect(phone.closed).toEqual({ code: 4408, reason: expect.stringContaining('too many frames') });
});

test('[CHT-143] [CHT-277] limits the queued sends of a session whose proxy is away, also after a restart', async () => {
  const harness = await createCoreHarness();
  (await harness.proxy()).hangUp();
  const phone = await harness.browser();
  for (let each = 0; each <= 1_000; each += 1) phone.send(sendOf(`m${each}`));
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'send_rejected',
    client_message_id: 'm1000',
    message: expect.stringContaining('the queue is full'),
  });
  for (let each = 0; each < 1_000; each += 1) await phone.next('message_accepted');
  phone.send(sendOf('m0'));
  expect(await phone.next('message_accepted')).toMatchObject({ client_message_id: 'm0' });

  const again = await harness.restart();
  const back = await again.browser();
  back.send(sendOf('late'));
  expect(await back.next('connection_error')).toMatchObject({ code: 'send_rejected' });
  back.send({ type: 'cancel_message', session_id: 's1', client_message_id: 'm7', request_id: 'r1' });
  await back.next('message_failed');
  back.send(sendOf('late'));
  expect(await back.next('message_accepted')).toMatchObject({ client_message_id: 'late' });
});

test('refuses an edit that makes a queued send longer than a send may be', async () => {
  const { browser, proxy } = await createCoreHarness();
  (await proxy()).hangUp();
  const phone = await browser();
  phone.send(sendOf('m1'));
  await phone.next('message_accepted');
  const content = 'x'.repeat(LIMITS.frame.value - 500);
  const edit = { session_id: 's1', client_message_id: 'm1', request_id: 'r1', content };
  phone.send({ type: 'edit_message', ...edit });
  expect(await phone.next('connection_error')).toMatchObject({ code: 'send_rejected', request_id: 'r1' });
});

test('[CHT-147] limits what is in flight to a proxy that does not answer, and sends the rest when it answers', async () => {
  const { browser, proxy } = await createCoreHarness();
  const laptop = await proxy(['s1', 's2']);
  const phone = await browser();
  const content = 'x'.repeat(1_000_000);
  for (let each = 1; each <= 8; each += 1) phone.send(sendOf(`m${each}`, { content }));
  for (let each = 1; each <= 8; each += 1) await laptop.next('send_message');
  phone.send(sendOf('other', { content, session_id: 's2' }));
  phone.send(sendOf('m9', { content }));
  for (let each = 1; each <= 10; each += 1) await phone.next('message_accepted');
  await laptop.settled();
  expect(laptop.of('send_message')).toHaveLength(8);
  const delivered = (client_message_id: string, session_id = 's1'): void =>
    laptop.send({ type: 'proxy_send_result', session_id, client_message_id, result: 'delivered' });
  delivered('m1');
  const first = await laptop.next('send_message');
  delivered('m2');
  const second = await laptop.next('send_message');
  const went = [first, second].map(({ client_message_id }) => client_message_id);
  expect(went.toSorted()).toEqual(['m9', 'other']);
  // Sends that end with their session make room too.
  phone.send(sendOf('last', { content, session_id: 's2' }));
  await phone.next('message_accepted');
  laptop.send({ type: 'session_closed', session_id: 's1' });
  expect(await laptop.next('send_message')).toMatchObject({ client_message_id: 'last' });
});

test('[CHT-140] [CHT-278] reports when to try again if the ledger cannot store a send now', async () => {
  const harness = await createCoreHarness();
  const full = () => Promise.reject(new LedgerError('ledger_full', 'No room.'));
  let isFull = false;
  const ledger = new Proxy(harness.ledger, {
    get: (target, name: keyof Ledger) => (name === 'commit' && isFull ? full : target[name]),
  });
  const { browser, proxy } = await createCoreHarness({ ledger });
  await proxy();
  const phone = await browser();
  isFull = true;
  phone.send(sendOf('m1'));
  expect(await phone.next('connection_error')).toMatchObject({
    code: 'send_rejected',
    client_message_id: 'm1',
    retry_after_ms: 1_000,
  });
  isFull = false;
  phone.send(sendOf('m1'));
  await phone.next('message_accepted');
});

test('[CHT-127] [CHT-279] accepts a session with a browser’s id only from that browser', async () => {
  const { proxy } = await createCoreHarness();
  const laptop = await proxy([]);
  const sessions = ['browser_desk', 'browser_laptop', 's1'].map((id) => sessionObject(id));
  laptop.send({ type: 'proxy_session_snapshot', sessions });
  laptop.send({ type: 'session_launch_ack', request_id: 'r1', session_id: 'browser_phone' });
  await laptop.settled();
  expect(laptop.of('connection_error')).toMatchObject([
    { code: 'unauthorized', session_id: 'browser_desk' },
    { code: 'unauthorized', session_id: 'browser_phone' },
  ]);
});

test('[CHT-286] limits the open prompts of a session, and a settled prompt makes room', async () => {
  const { proxy, browser } = await createCoreHarness();
  const laptop = await proxy();
  const phone = await browser();
  const choices = [{ choice_id: 'yes', label: 'Yes', is_default: false }];
  const ask = (prompt_id: string) =>
    laptop.send({ type: 'permission_prompt', session_id: 's1', prompt_id, prompt_text: 'Run it?', choices });
  for (let n = 0; n < 100; n += 1) ask(`p${n}`);
  ask('one more');
  ask('p7');
  expect(await laptop.next('connection_error')).toMatchObject({ code: 'send_rejected', session_id: 's1' });
  laptop.send({ type: 'permission_prompt_withdrawn', session_id: 's1', prompt_id: 'p0' });
  await phone.next('permission_prompt_expired');
  ask('one more');
  await laptop.settled();
  expect(laptop.of('connection_error')).toHaveLength(1);
  expect(phone.of('permission_prompt')).toHaveLength(101);
});

test('[CHT-286] limits the open prompts of a device over all its sessions, and other devices still ask and are shown', async () => {
  const { proxy, browser } = await createCoreHarness();
  const greedy = await proxy(['s1', 's3']);
  const modest = await proxy(['s2'], 'desk');
  const choices = [{ choice_id: 'yes', label: 'Yes', is_default: false }];
  const prompt = { type: 'permission_prompt', prompt_text: 'Run it?', choices } as const;
  for (let n = 0; n < 120; n += 1) {
    greedy.send({ ...prompt, session_id: n % 2 === 0 ? 's1' : 's3', prompt_id: `p${n}` });
  }
  await greedy.settled();
  expect(greedy.of('connection_error')).toHaveLength(20);
  modest.send({ ...prompt, session_id: 's2', prompt_id: 'mine' });
  await modest.settled();
  const phone = await browser();
  const [ack] = phone.of('connection_ack');
  const shown = (ack?.open_prompts ?? []).map(({ prompt_id }) => prompt_id);
  expect(shown).toHaveLength(101);
  expect(shown.indexOf('mine')).toBeLessThan(2);
});

test('[CHT-296] refuses announcements of a proxy beyond what every new connection can be sent', async () => {
  const { browser, proxy, clock } = await createCoreHarness();
  const laptop = await proxy(Array.from({ length: 60 }, (_, index) => `s${index}`));
  for (let index = 0; index < 60; index += 1) {
    laptop.send(config(`s${index}`, LONG));
    await laptop.settled();
  }
  const ids = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => prefix + index);
  const sessions = [...ids(60, 's').map((id) => sessionObject(id)), ...ids(25, 'long').map(longSession)];
  laptop.send({ type: 'proxy_session_snapshot', sessions });
  for (const id of ids(25, 'long')) {
    laptop.send(config(id, LONG));
    await laptop.settled();
  }
  await laptop.settled();
  const refused = laptop.of('connection_error').filter(({ code }) => code === 'send_rejected');
  expect(refused.length).toBeGreaterThan(0);
  const phone = await browser();
  await phone.settled();
  const sent = phone.frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
  expect(sent).toBeLessThan(4.3 * 1_048_576);

  const many = (from: number) => Array.from({ length: 600 }, (_, index) => sessionObject(`n${from + index}`));
  const desktop = await proxy([], 'desktop');
  desktop.send({ type: 'proxy_session_snapshot', sessions: many(0) });
  desktop.send({ type: 'proxy_session_snapshot', sessions: many(600) });
  await desktop.settled();
  expect(desktop.of('connection_error')).toMatchObject([
    { code: 'send_rejected', message: expect.stringContaining('1000 new sessions an hour') },
  ]);
  clock.jump(3_600_000);
  const later = await proxy([], 'desktop');
  later.send({ type: 'proxy_session_snapshot', sessions: many(600) });
  await later.settled();
  expect(later.of('connection_error')).toEqual([]);
});
