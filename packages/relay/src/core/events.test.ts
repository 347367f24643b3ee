import type { AppendEvent } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { session } from '@drawbridge/ledger/test/samples';
import { createSeededRandom } from '@drawbridge/testbed';
import { expect, test, vi } from 'vitest';
import { createCoreHarness } from '../../test/core/core-harness.ts';
import { createLocalBus } from '../../test/core/local-bus.ts';
import type { RelayEvent } from './ports.ts';

/** A leader whose ledger gets events of another node. */
async function startLeader() {
  const bus = createLocalBus();
  const ledger = openMemoryLedger({ epoch: 'e', synced: [] });
  await ledger.commit([session('s')]);
  const { core } = await createCoreHarness({ bus, ledger });
  const append = async (number: number): Promise<RelayEvent> => {
    const role = number % 2 === 0 ? 'user' : 'assistant';
    const write: AppendEvent = {
      ...{ do: 'append_event', session_id: 's', event_id: `e${number}`, type: 'message_event' },
      ...{
        payload: { message: { message_id: `m${number}`, role, content: 'Hello', created_at: '' } },
        at: 1,
      },
    };
    const outcome = await ledger.commit([write]);
    if (!outcome.committed) throw new Error('It was refused.');
    const { event_id, type, payload, at } = write;
    const { sequence } = outcome.results[0];
    return { session_id: 's', sequence, event_id, type, payload, at, message_id: null };
  };
  const say = (...events: readonly RelayEvent[]) =>
    bus.publish({ kind: 'appended', session_id: 's', events });
  return { append, bus, core, say };
}

test('a listener gets each event once and in order, whatever the bus loses, repeats and reorders', async () => {
  const { append, core, say } = await startLeader();
  const heard: number[] = [];
  core.onEvents(['message_event', 'user_message'], ({ sequence }) => heard.push(sequence));
  const random = createSeededRandom(7);
  const events: RelayEvent[] = [];
  for (let number = 1; number <= 300; number += 1) events.push(await append(number));
  const published = events.flatMap((event) => Array.from({ length: random.int(0, 2) }, () => event));
  for (const event of random.shuffle(published)) say(event);
  await core.resync();
  await vi.waitUntil(() => heard.length >= 300);
  expect(heard).toEqual(events.map(({ sequence }) => sequence));
});

test('a listener gets the kinds that it names, until it stops', async () => {
  const { append, core, say } = await startLeader();
  const ofAgents: unknown[] = [];
  const ofPeople: unknown[] = [];
  const stop = core.onEvents(['message_event'], ({ event_id }) => ofAgents.push(event_id));
  core.onEvents(['user_message'], ({ event_id }) => ofPeople.push(event_id));
  say(await append(1), await append(2), await append(3));
  stop();
  say(await append(4), await append(5));
  await core.stop();
  expect({ ofAgents, ofPeople }).toEqual({ ofAgents: ['e1', 'e3'], ofPeople: ['e2', 'e4'] });
});

test('events of a service are dispatched here and published to the other nodes', async () => {
  const { append, bus, core } = await startLeader();
  const published: string[] = [];
  const heard: string[] = [];
  bus.onMessage((message) => {
    if (message.kind === 'appended') published.push(...message.events.map(({ event_id }) => event_id));
  });
  core.onEvents(['message_event'], ({ event_id }) => heard.push(event_id));
  core.appended('s', [await append(1)]);
  await core.stop();
  expect({ heard, published }).toEqual({ heard: ['e1'], published: ['e1'] });
});
