import { describe, expect, test } from 'vitest';
import { marked, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import {
  AT,
  contentOf,
  deliveredOf,
  failedOf,
  historyOf,
  listOf,
  sendOf,
  sessionObject,
} from '../../test/contract/frames.ts';

const harness = useRelay();

/** A session with a send in flight. */
async function sent(client_message_id = 'c1') {
  const openSession = await harness.session();
  openSession.person.send(sendOf(openSession.session_id, client_message_id));
  await openSession.person.next('message_accepted');
  await openSession.proxy.next('send_message');
  return openSession;
}

/** A session whose proxy is away. */
async function away() {
  const openSession = await harness.session();
  await openSession.proxy.cut();
  await openSession.person.next('session_down', { session_id: openSession.session_id });
  return openSession;
}

const deliveries = (types: readonly string[]) => types.filter((type) => type.startsWith('message_'));

describe('forwarding', () => {
  test('[CHT-147] forwards sends in the order of their acceptance, unchanged plus attempt', async () => {
    const { session_id, person, proxy } = await harness.session();
    const ids = ['c1', 'c2', 'c3', 'c4', 'c5'];
    for (const id of ids) person.send(sendOf(session_id, id, { custom: { kept: [1] } }));
    const forwarded = [];
    for (const _ of ids) forwarded.push(await proxy.next('send_message'));
    const accepted = person.all('message_accepted').map(({ client_message_id }) => client_message_id);
    expect(forwarded.map(({ client_message_id }) => client_message_id)).toEqual(accepted);
    expect(accepted).toEqual(ids);
    const texts = proxy.texts.filter((text) => text.includes('send_message'));
    expect(texts.map((text) => JSON.parse(text))).toEqual(
      ids.map((id) => ({
        protocol_version: 1,
        ...sendOf(session_id, id),
        custom: { kept: [1] },
        attempt: 1,
      })),
    );
  });

  test('[CHT-148] delivered makes message_delivered', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(deliveredOf(session_id, 'c1', { delivered_at: AT }));
    expect(await person.next('message_delivered')).toMatchObject({
      session_id,
      message_id: 'c1',
      client_message_id: 'c1',
      status: 'delivered',
      delivered_at: AT,
    });
  });

  test('[CHT-149] [CHT-257] failed makes message_failed with the proxy’s own error', async () => {
    const { session_id, person, proxy } = await sent();
    const error = { code: 'send_button_not_found', message: 'Could not find the send button' };
    proxy.send(failedOf(session_id, 'c1', { failed_at: AT, error }));
    expect(await person.next('message_failed')).toMatchObject({ status: 'failed', failed_at: AT, error });
  });

  test('[CHT-150] failed without an error gets send_injection_failed', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(failedOf(session_id, 'c1'));
    expect(await person.next('message_failed')).toMatchObject({ error: { code: 'send_injection_failed' } });
  });

  test('[CHT-152] an echo does not deliver', async () => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    proxy.send(contentOf(session_id, 'text of c1', { role: 'user' }));
    await proxy.settled();
    await marked(openSession);
    expect(person.all('message_delivered')).toEqual([]);
    proxy.send(failedOf(session_id, 'c1'));
    await person.next('message_failed');
  });

  test('[CHT-153] shows no state but queued, accepted, delivered and failed', async () => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    const statuses = async () => {
      person.send(historyOf(session_id));
      return (await person.next('history_snapshot')).messages.map(({ status }) => status);
    };
    expect(await statuses()).toEqual(['accepted']);
    proxy.send(deliveredOf(session_id, 'c1'));
    await person.next('message_delivered');
    expect(await statuses()).toEqual(['delivered']);
    person.send(sendOf(session_id, 'c2'));
    await proxy.next('send_message');
    proxy.send(failedOf(session_id, 'c2'));
    await person.next('message_failed');
    expect(await statuses()).toEqual(['delivered', 'failed']);
    const seen = person.frames.flatMap((frame) =>
      frame.type.startsWith('message_') && 'status' in frame ? [frame.status] : [],
    );
    expect(new Set(seen)).toEqual(new Set(['accepted', 'delivered', 'failed']));
  });

  test.each([
    ['delivered', deliveredOf, failedOf],
    ['failed', failedOf, deliveredOf],
  ])('[CHT-154] after %s no later result changes it', async (state, first, second) => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    proxy.send(first(session_id, 'c1'));
    proxy.send(second(session_id, 'c1'));
    proxy.send(first(session_id, 'c1'));
    await proxy.settled();
    await marked(openSession);
    expect(deliveries(typesAbout(person, session_id)).toSorted()).toEqual(
      ['message_accepted', 'message_event', `message_${state}`].toSorted(),
    );
  });

  test('[CHT-154] a retry of a failed message is a new send', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(failedOf(session_id, 'c1'));
    await person.next('message_failed');
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    person.send(sendOf(session_id, 'c2', { content: 'text of c1' }));
    expect(await proxy.next('send_message')).toMatchObject({ client_message_id: 'c2' });
  });

  test('[CHT-155] the result of another attempt changes nothing, and one without attempt counts', async () => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    proxy.send(failedOf(session_id, 'c1', { attempt: 7 }));
    await proxy.settled();
    await marked(openSession);
    expect(person.all('message_failed')).toEqual([]);
    proxy.send(deliveredOf(session_id, 'c1'));
    await person.next('message_delivered');
  });

  test('[CHT-260] delivers to a proxy that supports nothing but sends', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(deliveredOf(session_id, 'c1'));
    await person.next('message_delivered');
  });
});

describe('while the proxy is away', () => {
  test('[CHT-156] queues a send, shows it as accepted, and forwards it when the proxy is back', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    for (const id of ['c1', 'c2']) {
      person.send(sendOf(session_id, id));
      await person.next('message_accepted', { client_message_id: id });
    }
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([
      { message_id: 'c1', status: 'accepted' },
      { message_id: 'c2', status: 'accepted' },
    ]);
    const back = await harness.comeBack(openSession);
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c1', attempt: 1 });
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c2', attempt: 1 });
    back.send(deliveredOf(session_id, 'c1', { attempt: 1 }));
    await person.next('message_delivered', { client_message_id: 'c1' });
  });

  test('[CHT-156] forwards a queued send after a restart', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await harness.restart();
    const back = await harness.comeBack(openSession);
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c1' });
  });

  test('[CHT-147] [CHT-156] queued sends are forwarded before one that is sent as the proxy comes back', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    const send = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) person.send(sendOf(session_id, `c${index}`));
    };
    send(0, 40);
    await person.next('message_accepted', { client_message_id: 'c39' });
    const back = await harness.connect(openSession.proxy.device ?? 'proxy');
    send(40, 60);
    back.send(listOf(sessionObject(session_id)));
    send(60, 80);
    const forwarded = [];
    for (let index = 0; index < 80; index += 1) {
      forwarded.push((await back.next('send_message')).client_message_id);
    }
    const accepted = person.all('message_accepted').map(({ client_message_id }) => client_message_id);
    expect(forwarded).toEqual(accepted);
  });

  test('[CHT-157] the expiry includes the time while the relay is down', async () => {
    const { session_id, person } = await away();
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    harness.clock.jump(25 * 60 * 60 * 1_000);
    await harness.restart();
    const again = await harness.connect('person');
    harness.clock.advance(1);
    expect(await again.next('message_failed', { session_id })).toMatchObject({
      error: { code: 'session_not_connected' },
    });
  });

  test('[CHT-157] fails a send after 24 h and never forwards it', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await person.settled();
    const day = 24 * 60 * 60 * 1_000;
    // The person's connection ends within the day.
    harness.clock.advance(day - 1);
    await harness.idle();
    expect(await harness.relay.ledger.message(session_id, 'c1')).toMatchObject({ state: 'accepted' });
    const watching = await harness.connect('person');
    // Sends of one second expire together.
    harness.clock.advance(1_001);
    expect(await watching.next('message_failed')).toMatchObject({
      client_message_id: 'c1',
      error: { code: 'session_not_connected' },
    });
    const back = await harness.comeBack(openSession);
    await marked({ session_id, proxy: back, person: watching });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-158] fails a send with queue false at once', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    person.send(sendOf(session_id, 'c1', { queue: false }));
    expect(await person.next('message_failed')).toMatchObject({
      client_message_id: 'c1',
      error: { code: 'session_not_connected' },
    });
    const back = await harness.comeBack(openSession);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-158] delivers a send with queue false when the proxy is there', async () => {
    const { session_id, person, proxy } = await harness.session();
    person.send(sendOf(session_id, 'c1', { queue: false }));
    await proxy.next('send_message');
  });

  test('[CHT-159] never forwards a cancelled send, and fails it as cancelled', async () => {
    const openSession = await away();
    const { session_id, person } = openSession;
    const rich = await harness.connect('person', { features: ['queue'] });
    person.send(sendOf(session_id, 'c1'));
    await rich.next('message_accepted');
    rich.send({ type: 'cancel_message', session_id, request_id: 'r1', client_message_id: 'c1' });
    const { event_id, sequence } = await rich.next('message_cancelled', { client_message_id: 'c1' });
    expect(await person.next('message_failed')).toMatchObject({
      client_message_id: 'c1',
      error: { code: 'cancelled' },
      event_id,
      sequence,
    });
    const back = await harness.comeBack(openSession);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-159] refuses to cancel a forwarded send', async () => {
    const openSession = await sent();
    const { session_id } = openSession;
    const rich = await harness.connect('person', { features: ['queue'] });
    rich.send({ type: 'cancel_message', session_id, request_id: 'r1', client_message_id: 'c1' });
    expect(await rich.next('connection_error')).toMatchObject({ code: 'send_rejected', request_id: 'r1' });
    openSession.proxy.send(deliveredOf(session_id, 'c1'));
    await rich.next('message_delivered');
  });
});

describe('a missing outcome', () => {
  const UNKNOWN = { indeterminate: true, error: { code: 'delivery_unknown' } };

  test('[CHT-160] the proxy dies: delivery is unknown, and the send is not forwarded again', async () => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    await proxy.cut();
    expect(await person.next('message_failed')).toMatchObject({ client_message_id: 'c1', ...UNKNOWN });
    const back = await harness.comeBack(openSession);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-160] the proxy does not report in time: delivery is unknown', async () => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    for (let passed = 0; passed < 60_000; passed += 20_000) {
      harness.clock.advance(20_000);
      await person.settled();
      await proxy.settled();
    }
    expect(await person.next('message_failed')).toMatchObject({ client_message_id: 'c1', ...UNKNOWN });
    proxy.send(deliveredOf(session_id, 'c1'));
    await proxy.settled();
    await marked(openSession);
    expect(person.all('message_delivered')).toEqual([]);
    expect(proxy.all('send_message')).toHaveLength(1);
  });

  test('[CHT-160] the relay stops in the middle: delivery is unknown when the proxy is back without a record', async () => {
    const openSession = await sent();
    const { session_id } = openSession;
    await harness.restart();
    const person = await harness.connect('person', {
      resume: { sessions: [{ session_id, last_sequence: 0 }] },
    });
    await person.next('history_delta', { session_id });
    const back = await harness.comeBack(openSession);
    expect(await person.next('message_failed')).toMatchObject({ client_message_id: 'c1', ...UNKNOWN });
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });
});

describe('transcript', () => {
  test('[CHT-163] a proxy_message becomes a message_event with a message_id', async () => {
    const { session_id, person, proxy } = await harness.session();
    proxy.send(contentOf(session_id, 'Done.', { metadata: { tool: 'edit' } }));
    expect((await person.next('message_event')).message).toEqual({
      message_id: expect.any(String),
      role: 'assistant',
      content: 'Done.',
      created_at: AT,
      metadata: { tool: 'edit' },
    });
  });

  test('[CHT-163] two messages without an id are two messages, also with the same text', async () => {
    const { session_id, person, proxy } = await harness.session();
    for (const text of ['Done.', 'Done.']) proxy.send(contentOf(session_id, text));
    const ids = [await person.next('message_event'), await person.next('message_event')];
    expect(new Set(ids.map(({ message }) => message.message_id)).size).toBe(2);
  });

  test('[CHT-164] a repeated message_id makes no event, a change of it a new one', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    for (const text of ['Do', 'Do', 'Ready.', 'Ready.']) {
      proxy.send(contentOf(session_id, text, { message_id: 'm1' }));
    }
    await proxy.settled();
    await marked(openSession);
    expect(person.all('message_event').map(({ message }) => [message.message_id, message.content])).toEqual([
      ['m1', 'Do'],
      ['m1', 'Ready.'],
    ]);
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([{ content: 'Ready.' }]);
  });

  test('[CHT-164] recognises a repeated message_id after a restart', async () => {
    const openSession = await harness.session();
    const { session_id, proxy } = openSession;
    proxy.send(contentOf(session_id, 'Done.', { message_id: 'm1' }));
    await openSession.person.next('message_event');
    await harness.restart();
    const person = await harness.connect('person');
    const back = await harness.comeBack(openSession);
    back.send(contentOf(session_id, 'Done.', { message_id: 'm1' }));
    await back.settled();
    await marked({ session_id, proxy: back, person });
    expect(person.all('message_event')).toEqual([]);
  });

  test.each([
    ['its text', (id: string) => contentOf(id, 'text of c1', { role: 'user' })],
    ['its id', (id: string) => contentOf(id, 'text of c1', { role: 'user', message_id: 'c1' })],
  ])('[CHT-165] a send is in the transcript once, and an echo by %s adds nothing', async (_, echoFor) => {
    const openSession = await sent();
    const { session_id, person, proxy } = openSession;
    proxy.send(echoFor(session_id));
    await proxy.settled();
    await marked(openSession);
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([
      { message_id: 'c1', role: 'user', content: 'text of c1' },
    ]);
    expect(person.all('message_event')).toHaveLength(1);
  });

  test('[CHT-165] an echo after a restart adds nothing', async () => {
    const openSession = await sent();
    const { session_id, proxy } = openSession;
    proxy.send(deliveredOf(session_id, 'c1'));
    await openSession.person.next('message_delivered');
    await harness.restart();
    const person = await harness.connect('person');
    const back = await harness.comeBack(openSession);
    back.send(contentOf(session_id, 'text of c1', { role: 'user' }));
    await back.settled();
    await marked({ session_id, proxy: back, person });
    expect(person.all('message_event')).toEqual([]);
  });

  test('[CHT-165] text that a person typed at the agent is no echo', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(contentOf(session_id, 'typed there', { role: 'user' }));
    expect((await person.next('message_event', { message: { content: 'typed there' } })).message.role).toBe(
      'user',
    );
  });
});

test('[CHT-113] [CHT-122] a session that comes back has the state that its proxy reports then', async () => {
  const openSession = await away();
  const proxy = await harness.connect(openSession.proxy.device ?? 'proxy');
  proxy.send(listOf(sessionObject(openSession.session_id, { status: 'scraping_failed' })));
  expect((await openSession.person.next('session_up')).session).toMatchObject({ status: 'scraping_failed' });
});
