import { LedgerError } from '@drawbridge/ledger';
import { describe, expect, test } from 'vitest';
import { fresh, marked, typesAbout, useRelay } from '../../test/contract/contract-harness.ts';
import { deliveredOf, historyOf, listOf, sendOf, sessionObject } from '../../test/contract/frames.ts';

describe('a send', () => {
  const harness = useRelay();

  test('[CHT-136] [CHT-137] is accepted for every browser that watches', async () => {
    const { session_id, person } = await harness.session();
    const other = await harness.connect('owner');
    person.send(sendOf(session_id, 'c1'));
    const accepted = await person.next('message_accepted');
    expect(accepted).toMatchObject({ session_id, client_message_id: 'c1', status: 'accepted' });
    expect(await other.next('message_accepted')).toEqual(accepted);
  });

  test('[CHT-141] has its client_message_id as message_id', async () => {
    const { session_id, person } = await harness.session();
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('message_accepted')).toMatchObject({
      message_id: 'c1',
      client_message_id: 'c1',
    });
    expect((await person.next('message_event')).message).toMatchObject({ message_id: 'c1', role: 'user' });
  });

  test('[CHT-142] [CHT-143] [CHT-352] a repeat is one message, one delivery, and the same acceptance', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    const other = await harness.connect('person');
    person.send(sendOf(session_id, 'c1'));
    const first = await person.next('message_accepted');
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('message_accepted')).toEqual({ ...first, replayed: true });
    await marked(openSession);
    expect(proxy.all('send_message')).toHaveLength(1);
    await other.settled();
    expect(typesAbout(other, session_id)).toEqual(['message_accepted', 'message_event']);
  });

  test('[CHT-142] two copies at once, from two devices, are one message', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    const other = await harness.connect('person');
    for (const peer of [person, other, person]) peer.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await person.next('message_accepted');
    const { event_id } = await other.next('message_accepted');
    await marked(openSession);
    expect(new Set(person.all('message_accepted').map((each) => each.event_id))).toEqual(new Set([event_id]));
    expect(proxy.all('send_message')).toHaveLength(1);
    expect(person.all('message_event')).toHaveLength(1);
  });

  test('[CHT-143] a repeat after the delivery and after a restart is the same message', async () => {
    const { session_id, person, proxy } = await harness.session();
    person.send(sendOf(session_id, 'c1'));
    const first = await person.next('message_accepted');
    await proxy.next('send_message');
    proxy.send(deliveredOf(session_id, 'c1'));
    await person.next('message_delivered');
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('message_accepted')).toEqual({ ...first, replayed: true });
    await harness.restart();
    const again = await harness.connect(person.device ?? 'person');
    again.send(sendOf(session_id, 'c1'));
    expect(await again.next('message_accepted')).toEqual({ ...first, replayed: true });
    await again.settled();
    expect(typesAbout(again, session_id)).toEqual(['message_accepted']);
  });

  test.each([
    ['content', { content: 'another text' }],
    ['attachments', { attachments: [{ attachment_id: 'file_x' }] }],
  ])('[CHT-144] refuses the same id with other %s, and the first stays', async (_, more) => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    person.send(sendOf(session_id, 'c1', more));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'send_rejected',
      session_id,
      client_message_id: 'c1',
    });
    await marked(openSession);
    person.send(historyOf(session_id));
    const { messages } = await person.next('history_snapshot');
    expect(messages).toMatchObject([{ message_id: 'c1', content: 'text of c1' }]);
    expect(proxy.all('send_message')).toHaveLength(1);
  });

  test('[CHT-144] refuses the same id with other content after a restart', async () => {
    const { session_id, person } = await harness.session();
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await harness.restart();
    const again = await harness.connect('person');
    again.send(sendOf(session_id, 'c1', { content: 'another text' }));
    expect(await again.next('connection_error')).toMatchObject({ code: 'send_rejected' });
  });

  test('[CHT-144] the same id in another session is another message', async () => {
    const one = await harness.session();
    const two = await harness.session();
    one.person.send(sendOf(one.session_id, 'c1'));
    one.person.send(sendOf(two.session_id, 'c1', { content: 'another text' }));
    await one.person.next('message_accepted', { session_id: one.session_id });
    await one.person.next('message_accepted', { session_id: two.session_id });
    expect(await two.proxy.next('send_message')).toMatchObject({ content: 'another text' });
  });

  test('[CHT-145] to an unknown session is refused and not recorded', async () => {
    const session_id = fresh('session');
    const person = await harness.connect('person');
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('connection_error')).toMatchObject({ code: 'session_unknown', session_id });
    const proxy = await harness.connect('proxy');
    proxy.send(listOf(sessionObject(session_id)));
    await person.next('session_up', { session: { session_id } });
    await proxy.settled();
    expect(proxy.all('send_message')).toEqual([]);
    expect(await harness.relay.ledger.message(session_id, 'c1')).toBeUndefined();
  });

  test('[CHT-146] with an unknown attachment is refused', async () => {
    const openSession = await harness.session();
    const { session_id, person, proxy } = openSession;
    person.send(sendOf(session_id, 'c1', { attachments: [{ attachment_id: 'file_nowhere' }] }));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'send_rejected',
      client_message_id: 'c1',
    });
    await marked(openSession);
    expect(typesAbout(person, session_id)).toEqual(['session_up', 'connection_error']);
    expect(proxy.all('send_message')).toEqual([]);
  });

  test('[CHT-146] with an uploaded file is accepted', async () => {
    const { session_id, person, proxy } = await harness.session();
    const response = await fetch(`${harness.relay.url}/api/files?name=shot.png&session_id=${session_id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.device?.token}` },
      body: 'picture',
    });
    const { file_id } = await response.json();
    const attachments = [{ attachment_id: file_id, name: 'shot.png', kind: 'uploaded_file' }];
    person.send(sendOf(session_id, 'c1', { attachments }));
    await person.next('message_accepted');
    expect(await proxy.next('send_message')).toMatchObject({ attachments });
  });
});

describe('a send and the ledger', () => {
  let full = false;
  let held: Promise<void> | undefined;
  const harness = useRelay({
    store: (ledger) => ({
      ...ledger,
      commit: async (writes) => {
        await held;
        if (full) throw new LedgerError('ledger_full', 'The disk is full.');
        return ledger.commit(writes);
      },
    }),
  });

  test('[CHT-137] is accepted only after the commit', async () => {
    const { session_id, person, proxy } = await harness.session();
    let release = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    person.send(sendOf(session_id, 'c1'));
    await person.settled();
    await proxy.settled();
    expect([...person.all('message_accepted'), ...proxy.all('send_message')]).toEqual([]);
    held = undefined;
    release();
    await person.next('message_accepted');
    await proxy.next('send_message');
  });

  test('[CHT-140] is refused when the ledger cannot store it, and may be sent again', async () => {
    const { session_id, person, proxy } = await harness.session();
    full = true;
    person.send(sendOf(session_id, 'c1'));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'send_rejected',
      session_id,
      client_message_id: 'c1',
    });
    full = false;
    expect([...person.all('message_accepted'), ...proxy.all('send_message')]).toEqual([]);
    person.send(sendOf(session_id, 'c1'));
    await person.next('message_accepted');
    await proxy.next('send_message');
  });
});
