import { describe, expect, test } from 'vitest';
import { marked, typesAbout, useRelay } from './contract.suite.ts';
import {
  AT,
  deliveredOf,
  failedOf,
  historyOf,
  listOf,
  saidOf,
  sendOf,
  sessionObject,
} from './frames.suite.ts';

const ground = useRelay();

/** A session with a send in flight. */
async function sent(client_message_id = 'c1') {
  const stage = await ground.stage();
  stage.person.send(sendOf(stage.session_id, client_message_id));
  await stage.person.next('message_accepted');
  await stage.proxy.next('send_message');
  return stage;
}

/** A session whose proxy is away. */
async function away() {
  const stage = await ground.stage();
  await stage.proxy.cut();
  await stage.person.next('session_down', { session_id: stage.session_id });
  return stage;
}

const deliveries = (types: readonly string[]) => types.filter((type) => type.startsWith('message_'));

describe('forwarding', () => {
  test('[CHT-147] forwards sends in the order of their acceptance, unchanged plus attempt', async () => {
    const { session_id, person, proxy } = await ground.stage();
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
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    proxy.send(saidOf(session_id, 'text of c1', { role: 'user' }));
    await proxy.settled();
    await marked(stage);
    expect(person.all('message_delivered')).toEqual([]);
    proxy.send(failedOf(session_id, 'c1'));
    await person.next('message_failed');
  });

  test('[CHT-153] shows no state but queued, accepted, delivered and failed', async () => {
    const stage = await sent();
    const { session_id, person, proxy } = stage;
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
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    proxy.send(first(session_id, 'c1'));
    proxy.send(second(session_id, 'c1'));
    proxy.send(first(session_id, 'c1'));
    await proxy.settled();
    await marked(stage);
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
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    proxy.send(failedOf(session_id, 'c1', { attempt: 7 }));
    await proxy.settled();
    await marked(stage);
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
    const stage = await away();
    const { session_id, person } = stage;
    for (const id of ['c1', 'c2']) {
      person.send(sendOf(session_id, id));
      await person.next('message_accepted', { client_message_id: id });
    }
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([
      { message_id: 'c1', status: 'accepted' },
      { message_id: 'c2', status: 'accepted' },
    ]);
    const back = await ground.comeBack(stage);
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c1', attempt: 1 });
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c2', attempt: 1 });
    back.send(deliveredOf(session_id, 'c1', { attempt: 1 }));
    await person.next('message_delivered', { client_message_id: 'c1' });
  });

  test('[CHT-156] forwards a queued send after a restart', async () => {
    const stage = await away();
    const { session_id, person } = stage;
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await ground.restart();
    const back = await ground.comeBack(stage);
    expect(await back.next('send_message')).toMatchObject({ client_message_id: 'c1' });
  });

  test('[CHT-147] [CHT-156] queued sends are forwarded before one that is sent as the proxy comes back', async () => {
    const stage = await away();
    const { session_id, person } = stage;
    const send = (from: number, to: number) => {
      for (let place = from; place < to; place += 1) person.send(sendOf(session_id, `c${place}`));
    };
    send(0, 40);
    await person.next('message_accepted', { client_message_id: 'c39' });
    const back = await ground.connect(stage.proxy.device ?? 'proxy');
    send(40, 60);
    back.send(listOf(sessionObject(session_id)));
    send(60, 80);
    const forwarded = [];
    for (let place = 0; place < 80; place += 1) {
      forwarded.push((await back.next('send_message')).client_message_id);
    }
    const accepted = person.all('message_accepted').map(({ client_message_id }) => client_message_id);
    expect(forwarded).toEqual(accepted);
  });

  test('[CHT-157] the expiry includes the time while the relay is down', async () => {
    const { session_id, person } = await away();
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    ground.clock.jump(25 * 60 * 60 * 1_000);
    await ground.restart();
    const again = await ground.connect('person');
    ground.clock.advance(1);
    expect(await again.next('message_failed', { session_id })).toMatchObject({
      error: { code: 'session_not_connected' },
    });
  });

  test('[CHT-157] fails a send after 24 h and never forwards it', async () => {
    const stage = await away();
    const { session_id, person } = stage;
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await person.settled();
    const day = 24 * 60 * 60 * 1_000;
    // The person's connection ends within the day.
    ground.clock.advance(day - 1);
    await ground.idle();
    expect(await ground.relay.ledger.message(session_id, 'c1')).toMatchObject({ state: 'accepted' });
    const watching = await ground.connect('person');
    // Sends of one second expire together.
    ground.clock.advance(1_001);
    expect(await watching.next('message_failed')).toMatchObject({
      client_message_id: 'c1',
      error: { code: 'session_not_connected' },
    });
    const back = await ground.comeBack(stage);
    await marked({ session_id, proxy: back, person: watching });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-158] fails a send with queue false at once', async () => {
    const stage = await away();
    const { session_id, person } = stage;
    person.send(sendOf(session_id, 'c1', { queue: false }));
    expect(await person.next('message_failed')).toMatchObject({
      client_message_id: 'c1',
      error: { code: 'session_not_connected' },
    });
    const back = await ground.comeBack(stage);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-158] delivers a send with queue false when the proxy is there', async () => {
    const { session_id, person, proxy } = await ground.stage();
    person.send(sendOf(session_id, 'c1', { queue: false }));
    await proxy.next('send_message');
  });

  test('[CHT-159] never forwards a cancelled send, and fails it as cancelled', async () => {
    const stage = await away();
    const { session_id, person } = stage;
    const rich = await ground.connect('person', { features: ['queue'] });
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
    const back = await ground.comeBack(stage);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-159] refuses to cancel a forwarded send', async () => {
    const stage = await sent();
    const { session_id } = stage;
    const rich = await ground.connect('person', { features: ['queue'] });
    rich.send({ type: 'cancel_message', session_id, request_id: 'r1', client_message_id: 'c1' });
    expect(await rich.next('connection_error')).toMatchObject({ code: 'send_rejected', request_id: 'r1' });
    stage.proxy.send(deliveredOf(session_id, 'c1'));
    await rich.next('message_delivered');
  });
});

describe('a missing outcome', () => {
  const UNKNOWN = { indeterminate: true, error: { code: 'delivery_unknown' } };

  test('[CHT-160] the proxy dies: delivery is unknown, and the send is not forwarded again', async () => {
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    await proxy.cut();
    expect(await person.next('message_failed')).toMatchObject({ client_message_id: 'c1', ...UNKNOWN });
    const back = await ground.comeBack(stage);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  test('[CHT-160] the proxy does not report in time: delivery is unknown', async () => {
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    for (let passed = 0; passed < 60_000; passed += 20_000) {
      ground.clock.advance(20_000);
      await person.settled();
      await proxy.settled();
    }
    expect(await person.next('message_failed')).toMatchObject({ client_message_id: 'c1', ...UNKNOWN });
    proxy.send(deliveredOf(session_id, 'c1'));
    await proxy.settled();
    await marked(stage);
    expect(person.all('message_delivered')).toEqual([]);
    expect(proxy.all('send_message')).toHaveLength(1);
  });

  test('[CHT-160] the relay stops in the middle: delivery is unknown', async () => {
    const stage = await sent();
    const { session_id } = stage;
    await ground.restart();
    const person = await ground.connect('person', {
      resume: { sessions: [{ session_id, last_sequence: 0 }] },
    });
    const { events } = await person.next('history_delta', { session_id });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'message_failed', ...failedWith(UNKNOWN) }),
    );
    const back = await ground.comeBack(stage);
    await marked({ session_id, proxy: back, person });
    expect(back.all('send_message')).toEqual([]);
  });

  const failedWith = ({ indeterminate, error }: typeof UNKNOWN) => ({
    indeterminate,
    error: expect.objectContaining(error),
  });
});

describe('transcript', () => {
  test('[CHT-163] a proxy_message becomes a message_event with a message_id', async () => {
    const { session_id, person, proxy } = await ground.stage();
    proxy.send(saidOf(session_id, 'Done.', { metadata: { tool: 'edit' } }));
    expect((await person.next('message_event')).message).toEqual({
      message_id: expect.any(String),
      role: 'assistant',
      content: 'Done.',
      created_at: AT,
      metadata: { tool: 'edit' },
    });
  });

  test('[CHT-163] two messages without an id are two messages, also with the same text', async () => {
    const { session_id, person, proxy } = await ground.stage();
    for (const text of ['Done.', 'Done.']) proxy.send(saidOf(session_id, text));
    const ids = [await person.next('message_event'), await person.next('message_event')];
    expect(new Set(ids.map(({ message }) => message.message_id)).size).toBe(2);
  });

  test('[CHT-164] a repeated message_id makes no event, a change of it a new one', async () => {
    const stage = await ground.stage();
    const { session_id, person, proxy } = stage;
    for (const text of ['Do', 'Do', 'Done.', 'Done.']) {
      proxy.send(saidOf(session_id, text, { message_id: 'm1' }));
    }
    await proxy.settled();
    await marked(stage);
    expect(person.all('message_event').map(({ message }) => [message.message_id, message.content])).toEqual([
      ['m1', 'Do'],
      ['m1', 'Done.'],
    ]);
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([{ content: 'Done.' }]);
  });

  test('[CHT-164] recognises a repeated message_id after a restart', async () => {
    const stage = await ground.stage();
    const { session_id, proxy } = stage;
    proxy.send(saidOf(session_id, 'Done.', { message_id: 'm1' }));
    await stage.person.next('message_event');
    await ground.restart();
    const person = await ground.connect('person');
    const back = await ground.comeBack(stage);
    back.send(saidOf(session_id, 'Done.', { message_id: 'm1' }));
    await back.settled();
    await marked({ session_id, proxy: back, person });
    expect(person.all('message_event')).toEqual([]);
  });

  test.each([
    ['its text', (id: string) => saidOf(id, 'text of c1', { role: 'user' })],
    ['its id', (id: string) => saidOf(id, 'text of c1', { role: 'user', message_id: 'c1' })],
  ])('[CHT-165] a send is in the transcript once, and an echo by %s adds nothing', async (_, echoFor) => {
    const stage = await sent();
    const { session_id, person, proxy } = stage;
    proxy.send(echoFor(session_id));
    await proxy.settled();
    await marked(stage);
    person.send(historyOf(session_id));
    expect((await person.next('history_snapshot')).messages).toMatchObject([
      { message_id: 'c1', role: 'user', content: 'text of c1' },
    ]);
    expect(person.all('message_event')).toHaveLength(1);
  });

  test('[CHT-165] an echo after a restart adds nothing', async () => {
    const stage = await sent();
    const { session_id, proxy } = stage;
    proxy.send(deliveredOf(session_id, 'c1'));
    await stage.person.next('message_delivered');
    await ground.restart();
    const person = await ground.connect('person');
    const back = await ground.comeBack(stage);
    back.send(saidOf(session_id, 'text of c1', { role: 'user' }));
    await back.settled();
    await marked({ session_id, proxy: back, person });
    expect(person.all('message_event')).toEqual([]);
  });

  test('[CHT-165] text that a person typed at the agent is no echo', async () => {
    const { session_id, person, proxy } = await sent();
    proxy.send(saidOf(session_id, 'typed there', { role: 'user' }));
    expect((await person.next('message_event', { message: { content: 'typed there' } })).message.role).toBe(
      'user',
    );
  });
});

test('[CHT-113] [CHT-122] a session that comes back has the state that its proxy reports then', async () => {
  const stage = await away();
  const proxy = await ground.connect(stage.proxy.device ?? 'proxy');
  proxy.send(listOf(sessionObject(stage.session_id, { status: 'scraping_failed' })));
  expect((await stage.person.next('session_up')).session).toMatchObject({ status: 'scraping_failed' });
});
