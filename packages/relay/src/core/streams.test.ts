import { expect, test } from 'vitest';
import { AT, createCoreHarness, type TestPeer } from '../../test/core/core-harness.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openMemoryLedger } from '../ledger/memory/memory-ledger.ts';

const written = (content: string, message_id = 'a1') =>
  ({
    type: 'proxy_message',
    session_id: 's1',
    message: { message_id, role: 'assistant', content, created_at: AT },
  }) as const;

/** The text of a message as a watcher has it: events replace it, appends continue it. */
function textOf({ frames }: TestPeer, message_id = 'a1'): string {
  let text = '';
  for (const frame of frames) {
    if (frame.type === 'history_snapshot')
      text = frame.messages.find((message) => message.message_id === message_id)?.content ?? '';
    if (frame.type === 'message_event' && frame.message.message_id === message_id)
      text = frame.message.content ?? '';
    if (frame.type === 'message_append' && frame.message_id === message_id && frame.offset <= text.length)
      text = text.slice(0, frame.offset) + frame.text;
  }
  return text;
}

async function storedOf(ledger: Ledger, message_id = 'a1') {
  const page = await ledger.eventsAfter('s1', 0, 10_000);
  const events = page?.events ?? [];
  const versions = events.filter((event) => event.message_id === message_id);
  const contents = versions.map(({ payload }) => JSON.parse(JSON.stringify(payload)).message.content);
  return {
    sequences: events.map(({ sequence }) => sequence),
    chars: versions.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0),
    last: contents.at(-1),
    count: contents.length,
  };
}

const setUp = async () => {
  const harness = await createCoreHarness({ ledger: openMemoryLedger({ epoch: 'e1', synced: [] }) });
  return { ...harness, laptop: await harness.proxy() };
};

test('[CHT-297] [CHT-298] [CHT-299] 2,000 chunks of 20 characters to 20 watchers: stores at most 1.5 times the text', async () => {
  const { browser, ledger, clock, laptop } = await setUp();
  const watchers: TestPeer[] = [];
  for (let n = 0; n < 20; n += 1) watchers.push(await browser(`phone${n}`, { features: ['appends'] }));
  const plain = await browser('plain');
  let late: TestPeer | undefined;
  let text = '';
  for (let n = 0; n < 2_000; n += 1) {
    text += `chunk ${String(n).padStart(13, '0')} `;
    laptop.send(written(text));
    clock.advance(10);
    if (n % 50 === 0) await laptop.settled();
    if (n !== 1_500) continue;
    late = await browser('late', { features: ['appends'] });
    late.send({ type: 'history_request', session_id: 's1' });
    await late.next('history_snapshot');
    await late.settled();
    expect(textOf(late)).toBe(textOf(watchers[0] ?? late));
    expect(textOf(late).length).toBeGreaterThan(29_000);
  }
  clock.advance(3_000);
  for (const watcher of [...watchers, plain]) await watcher.settled();
  const stored = await storedOf(ledger);
  expect(stored.last).toBe(text);
  expect(stored.chars).toBeLessThan(1.5 * text.length);
  expect(stored.sequences).toEqual(stored.sequences.map((_, index) => index + 1));
  for (const watcher of [...watchers, plain, late ?? plain]) expect(textOf(watcher)).toBe(text);
  const [first = plain] = watchers;
  expect(first.of('message_append').length).toBeLessThanOrEqual(200);
  expect(first.of('message_append').length).toBeGreaterThan(100);
  expect(plain.of('message_append')).toEqual([]);
  const bytes = first.frames.reduce((sum, frame) => sum + JSON.stringify(frame).length, 0);
  expect(bytes).toBeLessThan(3.5 * text.length);
});

test.each([
  ['rests', ({ clock }: Awaited<ReturnType<typeof setUp>>) => clock.advance(1_000)],
  [
    'is followed by another message',
    ({ laptop }: Awaited<ReturnType<typeof setUp>>) => laptop.send(written('Next.', 'a2')),
  ],
  [
    'is followed by a prompt',
    ({ laptop }: Awaited<ReturnType<typeof setUp>>) =>
      laptop.send({
        ...{ type: 'permission_prompt', session_id: 's1', prompt_id: 'p1', prompt_text: 'Edit?' },
        choices: [{ choice_id: 'no', label: 'No', is_default: true }],
      }),
  ],
  [
    'is complete by its agent’s status',
    ({ laptop }: Awaited<ReturnType<typeof setUp>>) =>
      laptop.send({
        ...{ type: 'proxy_status', session_id: 's1', status: 'healthy' },
        activity: { kind: 'idle', label: 'Idle', updated_at: AT },
      }),
  ],
  ['loses its proxy', ({ laptop }: Awaited<ReturnType<typeof setUp>>) => laptop.hangUp()],
  ['is interrupted by a stop', ({ core }: Awaited<ReturnType<typeof setUp>>) => void core.stop()],
])('[CHT-299] a growing message that %s is stored whole, before anything later', async (_when, act) => {
  const harness = await setUp();
  const { laptop, ledger } = harness;
  for (const content of ['One', 'One, two', 'One, two, three']) laptop.send(written(content));
  await laptop.settled();
  expect((await storedOf(ledger)).last).toBe('One');
  act(harness);
  await expect.poll(async () => (await storedOf(ledger)).last).toBe('One, two, three');
  const types = (await ledger.eventsAfter('s1', 0, 99))?.events.map(
    ({ type, message_id }) => message_id ?? type,
  );
  expect(types?.indexOf('a1', types.indexOf('a1') + 1)).toBe(
    types?.indexOf('a1') === undefined ? -1 : types.indexOf('a1') + 1,
  );
});

test('[CHT-164] a text that changes in its middle is stored at once, and replaces what was being written', async () => {
  const { laptop, ledger, clock } = await setUp();
  for (const content of ['One', 'One, two', 'Other']) laptop.send(written(content));
  await laptop.settled();
  expect((await storedOf(ledger)).last).toBe('Other');
  clock.advance(10_000);
  await laptop.settled();
  expect(await storedOf(ledger)).toMatchObject({ last: 'Other', count: 2 });
});

test('watchers on another node get the appends', async () => {
  const { createLocalBus } = await import('./local-bus.ts');
  const bus = createLocalBus();
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  const leader = await createCoreHarness({ bus, ledger });
  const follower = await createCoreHarness({ bus, ledger, follower: true, clock: leader.clock });
  const laptop = await leader.proxy();
  const phone = await follower.browser('phone', { features: ['appends'] });
  await leader.clock.advanceAsync(2_000);
  laptop.send(written('One'));
  await phone.next('message_event');
  laptop.send(written('One, two'));
  await laptop.settled();
  await leader.clock.advanceAsync(100);
  expect(await phone.next('message_append')).toMatchObject({ message_id: 'a1', offset: 3, text: ', two' });
});
