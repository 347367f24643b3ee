import { expect, test, vi } from 'vitest';
import { useCluster } from '../../test/cluster/use-cluster.ts';
import { historyOf, sendOf } from '../../test/contract/frames.ts';
import { startProxy } from '../../test/contract/scripted-proxy.ts';

/** Short lease, because the leader's sockets end with it. */
const cluster = useCluster(2, { lease: { lease_ms: 3_000, round_ms: 500, margin_ms: 500 } });
const { node, at } = cluster;

const allSay = (status: number) =>
  vi.waitUntil(
    async () => {
      const answers = await Promise.all([0, 1].map((number) => fetch(`${node(number).url}/readyz`)));
      return answers.every((answer) => answer.status === status);
    },
    { timeout: 50_000, interval: 100 },
  );

test('without the bus no node is ready, each serves its own clients, and the others catch up when it is back', async () => {
  const people = [await at(0).connect('person'), await at(1).connect('person')];
  await startProxy(at(0), { sessions: [['quiet', 'Quiet']] });
  for (const person of people) await person.next('session_up', { session: { session_id: 'quiet' } });
  await cluster.nats().stop();
  await allSay(503);
  for (const [index, person] of people.entries()) {
    person.send(sendOf('quiet', `from ${index}`));
    await person.next('message_accepted', { client_message_id: `from ${index}` });
  }
  await cluster.nats().start();
  await allSay(200);
  for (const [index, person] of people.entries()) {
    await person.next('message_delivered', { client_message_id: `from ${1 - index}` });
    expect(person.isClosed()).toBe(false);
  }
});

test('without the database no node is ready; a follower keeps its sockets, the leader closes its own, and accepted sends are there when it is back', async ({
  skip,
}) => {
  const database = cluster.postgres();
  skip(!database.isOwn, 'the server that DRAWBRIDGE_TEST_POSTGRES names is not ours to stop');
  const [near, far] = [await at(0).connect('person'), await at(1).connect('person')];
  await startProxy(at(1), { sessions: [['kept', 'Kept']] });
  await far.next('session_up', { session: { session_id: 'kept' } });
  far.send(sendOf('kept', 'before'));
  await far.next('message_accepted', { client_message_id: 'before' });

  await database.stop('immediate');
  await allSay(503);
  await near.closed;
  await far.settled();
  far.send(sendOf('kept', 'during'));

  await database.start();
  await allSay(200);
  // The follower may be the leader by now: clients reconnect, and repeat unconfirmed sends.
  const back = await at(1).connect('person');
  back.send(sendOf('kept', 'during'));
  await back.next('message_accepted', { client_message_id: 'during' });
  back.send(historyOf('kept'));
  const { messages } = await back.next('history_snapshot', { session_id: 'kept' });
  expect(messages.flatMap(({ client_message_id }) => client_message_id ?? [])).toEqual(['before', 'during']);
});
