import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLedger } from '@drawbridge/ledger';
import { CAN_MOUNT, mountFailingDisk, mountSmallDisk } from '@drawbridge/testbed';
import { expect, onTestFinished, test } from 'vitest';
import { startTestRelay } from '../../test/server/test-relay.ts';

const LARGE = 'x'.repeat(20_000);
const sendOf = (session_id: string, client_message_id: string) => ({
  type: 'send_message',
  session_id,
  client_message_id,
  content: LARGE,
  created_at: '2026-01-01T00:00:00.000Z',
});

test('[CHT-140] on a full disk a send is rejected, accepted ones are readable, and sends are accepted when there is room again', async () => {
  const data = await mkdtemp(join(tmpdir(), 'drawbridge-full-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const ledger = await openSqliteLedger({ path: join(data, 'ledger.db'), maxBytes: 1_000_000 });
  const relay = await startTestRelay({ data, ledger });
  const proxy = await relay.connect('proxy');
  const sessions = ['s', 'old'].map((session_id) => ({ session_id, agent_type: 'codex', status: 'healthy' }));
  proxy.send({ type: 'proxy_session_snapshot', sessions });
  await proxy.settled();
  await proxy.close();
  const person = await relay.connect('person');

  person.send(sendOf('old', 'old'));
  await person.next('message_accepted');
  const accepted: string[] = [];
  const refusal = person.next('connection_error');
  let rejected: string | undefined;
  for (let number = 0; rejected === undefined; number += 1) {
    const id = `m${number}`;
    const acceptance = person.next('message_accepted');
    person.send(sendOf('s', id));
    const answer = await Promise.race([acceptance, refusal]);
    if (answer.type === 'message_accepted') accepted.push(id);
    else {
      expect(answer).toMatchObject({ code: 'send_rejected', session_id: 's', client_message_id: id });
      expect(answer.message).toMatch(/disk of the relay is full/);
      rejected = id;
      await person.close();
      await expect(acceptance).rejects.toThrow('Closed before');
    }
  }
  expect(accepted.length).toBeGreaterThan(5);

  const late = await relay.connect('person');
  late.send({ type: 'history_request', session_id: 's' });
  const { messages } = await late.next('history_snapshot');
  expect(messages.map(({ message_id }) => message_id)).toEqual(accepted);
  await late.close();

  await ledger.deleteSession('old');
  const again = await relay.connect('person');
  again.send(sendOf('s', rejected));
  expect(await again.next('message_accepted')).toMatchObject({ client_message_id: rejected });
  await relay.close();
  await ledger.close();
});

test.runIf(CAN_MOUNT)(
  '[CHT-140] a relay whose disk fills up is not ready, refuses sends with the reason, reads on, and recovers',
  async () => {
    const disk = mountSmallDisk(48);
    onTestFinished(() => disk[Symbol.dispose]());
    const relay = await startTestRelay({ data: disk.folder });
    const readiness = async () => {
      const answer = await fetch(`${relay.url}/readyz`);
      return { status: answer.status, ...(await answer.json()) };
    };
    const proxy = await relay.connect('proxy');
    const sessions = [{ session_id: 's', agent_type: 'codex', status: 'healthy' }];
    proxy.send({ type: 'proxy_session_snapshot', sessions });
    await proxy.settled();
    await proxy.close();
    const person = await relay.connect('person');
    person.send(sendOf('s', 'before'));
    await person.next('message_accepted');
    expect(await readiness()).toMatchObject({ status: 'ready', degraded: [{ part: 'disk' }] });

    disk.fill();
    const full = await readiness();
    expect(full).toMatchObject({ status: 503, error: { code: 'unavailable' } });
    expect(full.problems).toContainEqual({
      part: 'disk',
      message: expect.stringContaining('Free some space'),
    });
    expect((await fetch(`${relay.url}/livez`)).status).toBe(200);
    person.send(sendOf('s', 'during'));
    expect(await person.next('connection_error')).toMatchObject({
      code: 'send_rejected',
      client_message_id: 'during',
      message: expect.stringContaining('disk of the relay is full'),
    });
    person.send(sendOf('s', 'before'));
    expect(await person.next('message_accepted')).toMatchObject({ client_message_id: 'before' });
    person.send({ type: 'history_request', session_id: 's' });
    const { messages } = await person.next('history_snapshot');
    expect(messages.map(({ message_id }) => message_id)).toEqual(['before']);

    disk.free();
    expect(await readiness()).toMatchObject({ status: 'ready' });
    person.send(sendOf('s', 'during'));
    expect(await person.next('message_accepted')).toMatchObject({ client_message_id: 'during' });
    await relay.close();
  },
);

test('[CHT-140] a relay whose disk turns read-only under it is not ready, refuses sends, reads on, and has all after a repair', async (context) => {
  const disk = mountFailingDisk();
  // Needs root, a loop device and ext4.
  if (disk === undefined) return context.skip();
  onTestFinished(() => disk[Symbol.dispose]());
  const relay = await startTestRelay({ data: disk.folder });
  const readiness = async () => {
    const answer = await fetch(`${relay.url}/readyz`);
    return { status: answer.status, ...(await answer.json()) };
  };
  const proxy = await relay.connect('proxy');
  proxy.send({
    type: 'proxy_session_snapshot',
    sessions: [{ session_id: 's', agent_type: 'codex', status: 'healthy' }],
  });
  await proxy.settled();
  await proxy.close();
  const person = await relay.connect('person');
  person.send(sendOf('s', 'before'));
  await person.next('message_accepted');

  disk.fail();
  person.send(sendOf('s', 'during'));
  expect(await person.next('connection_error')).toMatchObject({
    code: 'send_rejected',
    client_message_id: 'during',
  });
  expect(await readiness()).toMatchObject({
    status: 503,
    problems: [{ part: 'ledger', message: expect.stringContaining('read-only') }],
  });
  expect((await fetch(`${relay.url}/livez`)).status).toBe(200);
  person.send({ type: 'history_request', session_id: 's' });
  const { messages } = await person.next('history_snapshot');
  expect(messages.map(({ message_id }) => message_id)).toEqual(['before']);
  await relay.close();

  disk.repair();
  const again = await startTestRelay({ data: disk.folder });
  const later = await again.connect('person');
  later.send(sendOf('s', 'during'));
  expect(await later.next('message_accepted')).toMatchObject({ client_message_id: 'during' });
  later.send({ type: 'history_request', session_id: 's' });
  const all = (await later.next('history_snapshot')).messages;
  expect(all.map(({ message_id }) => message_id)).toEqual(['before', 'during']);
  await again.close();
});
