import type { Ledger } from '@drawbridge/ledger';
import { openMemoryLedger } from '@drawbridge/ledger/memory';
import { expect, test } from 'vitest';
import { AT, createCoreHarness, type TestPeer } from '../../test/core/core-harness.ts';

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
      text = text.slice(0, frame.offset ?? 0) + frame.message.content;
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

const WATCHER = { features: ['appends', 'continued'] };
const bytesTo = ({ frames }: TestPeer): number =>
  frames.reduce((sum, frame) => sum + Buffer.byteLength(JSON.stringify(frame)), 0);

/** An answer in chunks of 20 characters, 100 a second, of a proxy that repeats it after a crash. */
async function streamed(chunks: number, { withPlain = false } = {}) {
  const { browser, ledger, clock, proxy } = await createCoreHarness({
    ledger: openMemoryLedger({ epoch: 'e1', synced: [] }),
  });
  const laptop = await proxy(['s1'], 'laptop', { features: ['stored'] });
  const message_id = '019a9f3e-5b1c-7c5e-9d3f-2a4b6c8d0e1f';
  const watchers: TestPeer[] = [];
  for (let n = 0; n < 20; n += 1) watchers.push(await browser(`phone${n}`, WATCHER));
  const plain = withPlain ? [await browser('plain')] : [];
  const before = watchers.map(bytesTo);
  let late: TestPeer | undefined;
  let text = '';
  for (let n = 0; n < chunks; n += 1) {
    text += `chunk ${String(n).padStart(13, '0')} `;
    laptop.send(written(text, message_id));
    clock.advance(10);
    if (n % 50 === 0) await laptop.settled();
    if (n !== Math.floor(chunks * 0.75)) continue;
    late = await browser('late', WATCHER);
    late.send({ type: 'history_request', session_id: 's1' });
    await late.next('history_snapshot');
    await late.settled();
    expect(textOf(late, message_id)).toBe(textOf(watchers[0] ?? late, message_id));
    expect(textOf(late, message_id).length).toBeGreaterThan(text.length - 1_000);
  }
  clock.advance(3_000);
  for (const watcher of [...watchers, ...plain]) await watcher.settled();
  const everyone = [...watchers, ...plain, ...(late === undefined ? [] : [late])];
  for (const watcher of everyone) expect(textOf(watcher, message_id)).toBe(text);
  const stored = await storedOf(ledger, message_id);
  expect(stored.last).toBe(text);
  expect(stored.sequences).toEqual(stored.sequences.map((_, index) => index + 1));
  const bytes = watchers.map((watcher, index) => bytesTo(watcher) - (before[index] ?? 0));
  return { text, stored, watchers, plain, bytes: Math.max(...bytes) };
}

test('[CHT-298] [CHT-299] 2,000 chunks of 20 characters to 20 watchers: sends each and stores at most 1.5 times the text', async () => {
  const { text, stored, watchers, bytes } = await streamed(2_000);
  expect(text).toHaveLength(40_000);
  expect(bytes).toBeLessThanOrEqual(1.5 * text.length);
  expect(stored.chars).toBeLessThanOrEqual(1.5 * text.length);
  for (const watcher of watchers) {
    const appends = watcher.of('message_append').length;
    expect(appends).toBeGreaterThan(50);
    expect(appends).toBeLessThanOrEqual(100);
  }
});

test.each([63, 501])(
  '[CHT-297] stores %i chunks of 20 characters in at most 1.5 times the text',
  async (chunks) => {
    const { text, stored } = await streamed(chunks);
    expect(stored.chars).toBeLessThanOrEqual(1.5 * text.length);
    expect(stored.count).toBe(2);
  },
);

test('[CHT-297] a watcher without appends sees the message grow by stored versions', async () => {
  const { stored, plain } = await streamed(2_000, { withPlain: true });
  expect(plain.flatMap((peer) => peer.of('message_append'))).toEqual([]);
  expect(stored.count).toBe(4);
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
  const { createLocalBus } = await import('../../test/core/local-bus.ts');
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

test('[CHT-298] a watcher on another node gets the end of the message once, and one that comes late the text so far', async () => {
  const { createLocalBus } = await import('../../test/core/local-bus.ts');
  const bus = createLocalBus();
  const ledger = openMemoryLedger({ epoch: 'e1', synced: [] });
  const leader = await createCoreHarness({ bus, ledger });
  const follower = await createCoreHarness({ bus, ledger, follower: true, clock: leader.clock });
  const laptop = await leader.proxy();
  const phone = await follower.browser('phone', WATCHER);
  await leader.clock.advanceAsync(2_000);
  laptop.send(written('One'));
  await phone.next('message_event');
  laptop.send(written('One, two'));
  await phone.next('message_append');
  const late = await follower.browser('late', WATCHER);
  late.send({ type: 'history_request', session_id: 's1' });
  expect(await late.next('message_append')).toMatchObject({ offset: 3, text: ', two' });
  laptop.send(written('One, two, three'));
  await laptop.settled();
  laptop.hangUp();
  for (const peer of [phone, late]) {
    const event = await peer.next('message_event');
    expect(event).toMatchObject({ offset: 8, message: { content: ', three' } });
    expect(textOf(peer)).toBe('One, two, three');
  }
});

test('[CHT-298] an event whose text does not continue the appended one is whole', async () => {
  const { laptop, browser } = await setUp();
  const phone = await browser('phone', WATCHER);
  for (const content of ['One', 'One, two', 'Ono, two']) {
    laptop.send(written(content));
    await laptop.settled();
  }
  expect(phone.of('message_append')).toHaveLength(1);
  const last = phone.of('message_event').at(-1);
  expect(last?.message.content).toBe('Ono, two');
  expect(last).not.toHaveProperty('offset');
});

test('[CHT-303] [CHT-297] a relay that crashes in the middle of a growing answer has the whole text after the proxy repeats it', async () => {
  const before = await createCoreHarness({ ledger: openMemoryLedger({ epoch: 'e1', synced: [] }) });
  const laptop = await before.proxy(['s1'], 'laptop', { features: ['stored'] });
  const half = 'half '.repeat(2_000);
  for (const content of ['half ', half]) {
    laptop.send(written(content));
    await laptop.settled();
  }
  expect((await storedOf(before.ledger)).last).toBe('half ');
  // With another clock, because on the first one the old core would store the text when it rests.
  const after = await createCoreHarness({ ledger: before.ledger });
  const again = await after.proxy(['s1'], 'laptop', { features: ['stored'] });
  const phone = await after.browser('phone', WATCHER);
  again.send(written(half));
  await again.settled();
  expect((await storedOf(after.ledger)).last).toBe(half);
  again.send(written(`${half}end`));
  await again.settled();
  after.clock.advance(5_000);
  await phone.settled();
  expect(await storedOf(after.ledger)).toMatchObject({ last: `${half}end`, count: 3 });
  expect(textOf(phone)).toBe(`${half}end`);
});

test('[CHT-354] a thought that grows by the word is stored once a second, and its end before what follows', async () => {
  const { ledger, clock, laptop, browser } = await setUp();
  const phone = await browser('phone');
  const say = (thinking: string | undefined, label = 'Thinking') =>
    laptop.send({
      ...{ type: 'proxy_status', session_id: 's1', status: 'healthy' },
      activity: { kind: 'working', label, ...(thinking !== undefined && { thinking: { text: thinking } }) },
    });
  const thoughts = () =>
    phone.frames.flatMap((frame) =>
      frame.type === 'session_status' ? [JSON.parse(JSON.stringify(frame.activity)).thinking?.text] : [],
    );
  let text = '';
  for (let word = 0; word < 100; word += 1) {
    text += 'word ';
    say(text);
    clock.advance(50);
    await laptop.settled();
  }
  // The first word at once, then one a second.
  await expect.poll(thoughts).toHaveLength(5);
  say(`${text}end`);
  say(undefined, 'Running a command');
  await expect.poll(() => thoughts().slice(5)).toEqual([undefined]);
  const page = await ledger.eventsAfter('s1', 0, 1_000);
  expect(page?.events.filter(({ type }) => type === 'session_status')).toHaveLength(6);
  clock.advance(10_000);
  await laptop.settled();
  expect(thoughts()).toHaveLength(6);
});
