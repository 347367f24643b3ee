import { describe, expect, test } from 'vitest';
import { fresh, type SessionFixture, useRelay } from '../../test/contract/contract-harness.ts';
import { deliveredOf, statusOf } from '../../test/contract/frames.ts';
import type { Device, FrameOf, Loose } from '../../test/contract/peer.ts';

const harness = useRelay();
const HOUR_MS = 3_600_000;
/** Shorter than the heartbeat timeout, so that peers stay connected. */
const SOON_MS = 5_000;

type Shown = FrameOf<'scheduled_send_status'>['scheduled_send'];
interface Answer {
  readonly scheduled_send?: Shown;
  readonly scheduled_sends?: readonly Shown[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly message?: string;
}

const trustAnswer = (text: string): Answer => JSON.parse(text) as Answer;

const ask = (device: Device | undefined, method: string, path: string, body?: Loose): Promise<Response> =>
  fetch(`${harness.relay.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${device?.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const call = async (device: Device | undefined, method: string, path = '', body?: Loose) => {
  const response = await ask(device, method, `/api/scheduled-sends${path}`, body);
  return { status: response.status, body: trustAnswer(await response.text()) };
};

const later = (ms: number): string => new Date(harness.clock.now() + ms).toISOString();

const at = (session_id: string, deliver_at = later(SOON_MS)) => ({
  session_id,
  content: 'Run the tests.',
  trigger_kind: 'at',
  deliver_at,
});

/** Schedules a send in a new session. */
const scheduled = async (wanted: (session_id: string) => Loose = (id) => at(id)) => {
  const fixture = await harness.session({ person: { features: ['scheduled_sends'] } });
  const { person, session_id } = fixture;
  const { status, body } = await call(person.device, 'POST', '', wanted(session_id));
  const job = body.scheduled_send;
  if (job === undefined) throw new Error(`${status}: ${body.message}`);
  expect(status).toBe(201);
  return { ...fixture, job };
};

const states = (person: SessionFixture['person']) =>
  person.all('scheduled_send_status').map(({ scheduled_send }) => scheduled_send.state);

describe('scheduled sends', () => {
  test('[CHT-337] [CHT-338] [CHT-340] a message is sent at its time, once, and its device gets each state', async () => {
    const { session_id, person, proxy, job } = await scheduled();
    expect(job).toMatchObject({
      session_id,
      trigger_kind: 'at',
      state: 'pending',
      content: 'Run the tests.',
    });
    expect(job.client_message_id).toBe(`scheduled-send-${job.id}`);
    const other = await harness.connect('person');
    expect((await call(person.device, 'GET', `?session_id=${session_id}`)).body).toEqual({
      scheduled_sends: [job],
    });
    expect((await call(other.device, 'GET')).body).toEqual({ scheduled_sends: [] });

    harness.clock.advance(SOON_MS);
    const { client_message_id } = job;
    const sent = await proxy.next('send_message', { client_message_id });
    expect(sent).toMatchObject({ session_id, content: 'Run the tests.', attempt: 1 });
    await other.next('message_event', { session_id, message: { client_message_id, role: 'user' } });
    proxy.send(deliveredOf(session_id, job.client_message_id));
    await person.next('scheduled_send_status', { scheduled_send: { id: job.id, state: 'completed' } });
    expect(states(person)).toEqual(['pending', 'dispatching', 'completed']);
    expect(states(other)).toEqual([]);
    expect((await call(person.device, 'GET')).body).toEqual({ scheduled_sends: [] });
  });

  test('[CHT-340] another connection of the device that does not list the feature gets no states', async () => {
    const { person, session_id } = await scheduled();
    const device = person.device ?? 'person';
    const older = await harness.connect(device);
    const newer = await harness.connect(device);
    newer.send({ type: 'subscribe', request_id: 'q1', sessions: [session_id] });
    await newer.next('subscription_ack');
    harness.clock.advance(SOON_MS);
    await newer.next('scheduled_send_status', { scheduled_send: { state: 'dispatching' } });
    await older.settled();
    expect(states(older)).toEqual([]);
  });

  test('[CHT-338] a message for an idle agent waits until the agent becomes idle', async () => {
    const { session_id, proxy, job } = await scheduled((id) => ({
      ...{ session_id: id, content: 'Next.', trigger_kind: 'idle' },
    }));
    proxy.send(statusOf(session_id, { activity: { kind: 'generating' } }));
    await harness.idle();
    expect(proxy.all('send_message')).toEqual([]);
    proxy.send(statusOf(session_id, { activity: { kind: 'idle' } }));
    await proxy.next('send_message', { client_message_id: job.client_message_id });
  });

  test('[CHT-338] a message of an absent session waits for it', async () => {
    const { job, proxy, ...fixture } = await scheduled();
    await proxy.cut();
    harness.clock.advance(SOON_MS);
    await harness.idle();
    const back = await harness.comeBack({ ...fixture, proxy });
    await back.next('send_message', { client_message_id: job.client_message_id });
  });

  test('[CHT-339] a restart and a jump of the clock neither lose nor repeat a message', async () => {
    const { job, proxy, ...fixture } = await scheduled((id) => at(id, later(HOUR_MS)));
    await harness.restart();
    const back = await harness.comeBack({ ...fixture, proxy });
    harness.clock.jump(2 * HOUR_MS);
    harness.clock.advance(15_000);
    const sent = await back.next('send_message', { client_message_id: job.client_message_id });
    harness.clock.jump(-3 * HOUR_MS);
    await harness.restart();
    const again = await harness.comeBack({ ...fixture, proxy });
    harness.clock.advance(15_000);
    await harness.idle();
    const repeated = again.all('send_message').filter(({ attempt }) => attempt === 1);
    expect(repeated).toEqual([]);
    expect(sent.attempt).toBe(1);
  });

  test('[CHT-341] a pending message can be cancelled, by its device alone', async () => {
    const { person, proxy, job } = await scheduled();
    const other = await harness.device('person');
    expect((await call(other, 'DELETE', `/${job.id}`)).status).toBe(404);
    const { status, body } = await call(person.device, 'DELETE', `/${job.id}`);
    expect([status, body.scheduled_send?.state]).toEqual([200, 'cancelled']);
    expect((await call(person.device, 'DELETE', `/${job.id}`)).status).toBe(404);
    harness.clock.advance(2 * SOON_MS);
    await harness.idle();
    expect(proxy.all('send_message')).toEqual([]);
    await person.next('scheduled_send_status', { scheduled_send: { id: job.id, state: 'cancelled' } });
  });

  test('[CHT-341] a message on its way cannot be cancelled', async () => {
    const { person, proxy, job } = await scheduled();
    harness.clock.advance(SOON_MS);
    await proxy.next('send_message');
    await person.next('scheduled_send_status', { scheduled_send: { state: 'dispatching' } });
    const { status, body } = await call(person.device, 'DELETE', `/${job.id}`);
    expect([status, body.error?.code]).toEqual([409, 'already_sent']);
  });

  test('[CHT-341] the end of a session, a revoked device and a halt end pending messages', async () => {
    const closed = await scheduled();
    closed.proxy.send({ type: 'session_closed', session_id: closed.session_id });
    await closed.person.next('scheduled_send_status', { scheduled_send: { state: 'failed' } });

    const owner = await harness.device('owner');
    const revoked = await scheduled();
    const device_id = revoked.person.device?.device_id;
    expect((await ask(owner, 'DELETE', `/api/devices/${device_id}`)).ok).toBe(true);
    harness.clock.advance(2 * SOON_MS);
    await harness.idle();
    expect(revoked.proxy.all('send_message')).toEqual([]);

    const halted = await scheduled();
    // The answer of a halt waits for the proxies.
    const halting = ask(owner, 'POST', '/api/halt');
    await halted.person.next('scheduled_send_status', { scheduled_send: { state: 'cancelled' } });
    await halted.proxy.next('agent_interrupt');
    harness.clock.advance(20_000);
    expect((await halting).ok).toBe(true);
  });

  test.for([
    ['no time', { trigger_kind: 'at' }, 400],
    ['a time in the past', { trigger_kind: 'at', deliver_at: '2001-01-01T00:00:00Z' }, 400],
    ['a time without a zone', { trigger_kind: 'at', deliver_at: '2099-01-01T00:00:00' }, 400],
    ['a time in two years', { trigger_kind: 'at', deliver_at: later(2 * 366 * 24 * HOUR_MS) }, 400],
    ['an unknown trigger', { trigger_kind: 'never' }, 400],
    ['no text', { trigger_kind: 'idle', content: ' ' }, 400],
    ['an unknown session', { trigger_kind: 'idle', session_id: fresh('session') }, 404],
  ] as const)('[CHT-337] refuses %s', async ([, wrong, expected]) => {
    const { session_id, person } = await harness.session();
    const { status, body } = await call(person.device, 'POST', '', { session_id, content: 'x', ...wrong });
    expect([status, body.message === body.error?.message]).toEqual([expected, true]);
  });

  test('[CHT-337] [CHT-92] a guest schedules in its own session only', async () => {
    const [mine, other] = [await harness.session(), await harness.session()];
    const guest = await harness.device('person', { scopes: [`session:${mine.session_id}`] });
    expect((await call(guest, 'POST', '', at(mine.session_id))).status).toBe(201);
    expect((await call(guest, 'POST', '', at(other.session_id))).status).toBe(404);
  });
});
