import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../src/ledger.ts';
import type { EventPage } from '../src/records.ts';
import { event, launch, prompt, send, session, tabSession, task } from './samples.ts';
import { describeSettingsAndTasks } from './settings-and-tasks.contract.ts';

/** An empty store for one test that can be opened, closed and opened again. */
export interface LedgerHarness {
  readonly open: () => Promise<Ledger>;
  readonly remove: () => Promise<void>;
}

const sequences = (page: EventPage | undefined) => page?.events.map(({ sequence }) => sequence);

/** Contract suite of every ledger. */
export function describeLedger(name: string, createHarness: () => Promise<LedgerHarness>): void {
  describe(name, () => {
    const grounds: LedgerHarness[] = [];
    const ledgers: Ledger[] = [];
    const setUp = async () => {
      const harness = await createHarness();
      grounds.push(harness);
      const open = async () => {
        const ledger = await harness.open();
        ledgers.push(ledger);
        return ledger;
      };
      const ledger = await open();
      const reopen = async (open_: Ledger) => {
        await open_.close();
        return open();
      };
      return { ledger, reopen };
    };
    afterEach(async () => {
      for (const ledger of ledgers.splice(0)) await ledger.close();
      for (const harness of grounds.splice(0)) await harness.remove();
    });

    describe('sessions and events', () => {
      test('[CHT-129] [CHT-130] each session counts its events from 1, without gaps, also across a restart', async () => {
        const { ledger, reopen } = await setUp();
        await ledger.commit([session('a'), session('b')]);
        await ledger.commit([event('a', 'a1'), event('b', 'b1'), event('a', 'a2')]);
        const again = await reopen(ledger);
        const appended = await again.commit([event('a', 'a3')]);
        expect(appended).toMatchObject({ committed: true, results: [{ sequence: 3 }] });
        expect(await again.heads()).toEqual([
          { session_id: 'a', head: 3, oldest: 1 },
          { session_id: 'b', head: 1, oldest: 1 },
        ]);
        expect((await again.verify()).damage).toBeUndefined();
      });

      test('[CHT-312] keeps the text of a payload that JSON.stringify would write in another way', async () => {
        const { ledger, reopen } = await setUp();
        const payload_text =
          '{ "message":{"content":"Hi","n":1.0,"big":12345678901234567890,\t"\\u0062":[ 1e400 ]} }';
        const payload = JSON.parse(payload_text);
        const said = { type: 'message_event', message_id: 'm' };
        await ledger.commit([session('a'), event('a', 'a1', { ...said, payload, payload_text })]);
        await ledger.commit([event('a', 'a2', { ...said, payload: { message: { content: 'Hi' } } })]);
        const again = await reopen(ledger);
        const events = (await again.eventsAfter('a', 0, 10))?.events;
        expect(events?.map((each) => each.payload_text)).toEqual([payload_text, undefined]);
        expect((await again.transcriptBefore('a', 3, 10))?.events).toEqual(events);
        expect(events?.[0]?.payload).toMatchObject({ message: { n: 1 } });
        expect((await again.verify()).damage).toBeUndefined();
        expect((await again.search({ words: ['hi'], limit: 5 })).hits).toMatchObject([{ event_id: 'a2' }]);
      });

      test('[CHT-376] keeps the text of a send, and of its edit', async () => {
        const { ledger, reopen } = await setUp();
        const payload = { content: 'Hi', n: 1 };
        const textOf = (content: string): string => `{"content":"${content}", "n":1.0}`;
        await ledger.commit([session('a'), send('a', 'm', { payload, payload_text: textOf('Hi') })]);
        expect(await ledger.message('a', 'm')).toMatchObject({ payload, payload_text: textOf('Hi') });
        const edited = { payload: { ...payload, content: 'Ho' }, payload_text: textOf('Ho') };
        await ledger.commit([{ do: 'edit_message', session_id: 'a', client_message_id: 'm', ...edited }]);
        const again = await reopen(ledger);
        expect(await again.message('a', 'm')).toMatchObject(edited);
        await again.commit([send('a', 'plain')]);
        expect(await again.message('a', 'plain')).not.toHaveProperty('payload_text');
      });

      test('[CHT-129] [CHT-130] events that arrive together in any mixture get the sequences of their order', async () => {
        const { ledger } = await setUp();
        const names = ['a', 'b', 'c'];
        await ledger.commit(names.map((each) => session(each)));
        const expected = new Map<string, string[]>(names.map((each) => [each, []]));
        let made = 0;
        const step = fc.array(fc.record({ to: fc.constantFrom(...names), refused: fc.boolean() }), {
          maxLength: 12,
        });
        await fc.assert(
          fc.asyncProperty(step, async (steps) => {
            const asked = steps.map(({ to, refused }) => {
              made += 1;
              if (!refused) expected.get(to)?.push(`e${made}`);
              // A transaction that is refused half-way takes no sequence from the others.
              const writes = [event(to, `e${made}`), ...(refused ? [event('nowhere', `x${made}`)] : [])];
              return ledger.commit(writes);
            });
            const outcomes = await Promise.all(asked);
            expect(outcomes.map(({ committed }) => committed)).toEqual(steps.map(({ refused }) => !refused));
          }),
          { numRuns: 30 },
        );
        for (const [each, ids] of expected) {
          const page = await ledger.eventsAfter(each, 0, 10_000);
          expect(page?.events.map(({ event_id }) => event_id)).toEqual(ids);
          expect(sequences(page)).toEqual(ids.map((_, index) => index + 1));
        }
        expect((await ledger.verify()).damage).toBeUndefined();
      });

      test('a cursor reads the requested events after it or before it, in order', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), ...Array.from({ length: 9 }, (_, n) => event('a', `e${n}`))]);
        expect(sequences(await ledger.eventsAfter('a', 3, 2))).toEqual([4, 5]);
        expect(sequences(await ledger.eventsAfter('a', 9, 5))).toEqual([]);
        expect(sequences(await ledger.eventsBefore('a', 4, 2))).toEqual([2, 3]);
        expect(sequences(await ledger.eventsBefore('a', 1, 5))).toEqual([]);
        expect(sequences(await ledger.eventsAfter('a', 0, -1))).toEqual([]);
        expect(await ledger.eventsAfter('a', 3, 1)).toMatchObject({ head: 9, oldest: 1 });
        expect(await ledger.eventsAfter('nowhere', 0, 1)).toBeUndefined();
      });

      test('returns an event as given, with the hash of the one before it', async () => {
        const { ledger } = await setUp();
        const payload = {
          text: 'né "\u2028" \ud83d\ude00 \0',
          list: [1, null, { deep: true }],
          half: '\ud800',
        };
        await ledger.commit([
          session('a'),
          event('a', 'e1'),
          event('a', 'e2', { payload, at: 77, message_id: 'm' }),
        ]);
        const [first, second] = (await ledger.eventsAfter('a', 0, 9))?.events ?? [];
        expect(second).toMatchObject({
          event_id: 'e2',
          type: 'session_status',
          at: 77,
          message_id: 'm',
          payload,
        });
        expect(second?.prev_hash).toBe(first?.hash);
        expect(second?.hash).toMatch(/^[0-9a-f]{64}$/);
      });

      test('reads the transcript separately, and a message in its latest form', async () => {
        const { ledger } = await setUp();
        const says = (id: string, message_id: string, content: string) =>
          event('a', id, { message_id, type: 'message_event', payload: { content } });
        await ledger.commit([
          session('a'),
          says('e1', 'm1', 'one'),
          event('a', 'e2'),
          says('e3', 'm2', 'two'),
        ]);
        await ledger.commit([event('a', 'e4'), says('e5', 'm1', 'one, changed')]);
        expect(sequences(await ledger.transcriptBefore('a', 6, 2))).toEqual([3, 5]);
        expect(sequences(await ledger.transcriptBefore('a', 5, 9))).toEqual([1, 3]);
        expect((await ledger.latestOfMessage('a', 'm1'))?.payload).toEqual({ content: 'one, changed' });
        expect(await ledger.latestOfMessage('a', 'm9')).toBeUndefined();
        expect(await ledger.countMessages('a')).toBe(2);
        expect(await ledger.countMessages('none')).toBe(0);
      });

      test('a session is created once, updated in part, closed and opened again', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a', { metadata: { title: 'A' } })]);
        const twice = await ledger.commit([session('a', { proxy_device_id: 'other' })]);
        expect(twice).toMatchObject({
          refusal: { reason: 'session_exists', session: { proxy_device_id: 'proxy' } },
        });
        await ledger.commit([
          { do: 'update_session', session_id: 'a', config: { model_id: 'x' }, closed_at: 9 },
        ]);
        expect(await ledger.session('a')).toMatchObject({
          metadata: { title: 'A' },
          config: { model_id: 'x' },
          closed_at: 9,
        });
        expect(await ledger.liveSessions()).toEqual([]);
        await ledger.commit([{ do: 'update_session', session_id: 'a', closed_at: null }]);
        expect(await ledger.liveSessions()).toHaveLength(1);
      });

      test('a transaction commits as a whole or not at all', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a')]);
        const outcome = await ledger.commit([event('a', 'e1'), session('b'), event('nowhere', 'e2')]);
        expect(outcome).toEqual({
          committed: false,
          at: 2,
          refusal: { reason: 'session_unknown', session_id: 'nowhere' },
        });
        expect(await ledger.session('a')).toMatchObject({ head: 0 });
        expect(await ledger.session('b')).toBeUndefined();
      });

      test('prunes the oldest events in steps; the rest keeps its sequences and its chain', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), ...Array.from({ length: 9 }, (_, n) => event('a', `e${n}`))]);
        const prune = { do: 'prune_events', session_id: 'a', through: 5, limit: 3 } as const;
        const removed = [];
        for (let step = 0; step < 3; step += 1) removed.push(await ledger.commit([prune]));
        expect(removed).toMatchObject([3, 2, 0].map((count) => ({ results: [{ removed: count }] })));
        expect(await ledger.eventsAfter('a', 0, 2)).toMatchObject({
          oldest: 6,
          head: 9,
          events: [{ sequence: 6 }, {}],
        });
        await ledger.commit([{ ...prune, through: 99, limit: 99 }, event('a', 'last')]);
        expect(await ledger.eventsAfter('a', 0, 9)).toMatchObject({
          oldest: 10,
          head: 10,
          events: [{ sequence: 10 }],
        });
        expect((await ledger.verify()).damage).toBeUndefined();
      });

      test('finds messages by the beginnings of their words, in their latest version, the newest first', async () => {
        const { ledger, reopen } = await setUp();
        const said = (id: string, message_id: string, content: string, at: number) =>
          event(id, `${id}-${message_id}-${at}`, { message_id, at, payload: { message: { content } } });
        await ledger.commit([session('a'), session('b')]);
        const found = async (from: Ledger, words: readonly string[], session_ids?: readonly string[]) =>
          (await from.search({ words, limit: 9, session_ids })).hits.map(({ event_id }) => event_id);
        expect(await found(ledger, ['anything'])).toEqual([]);
        await ledger.commit([
          said('a', 'm1', 'Der Zug fährt ÜBER die „Brücke“.', 1),
          said('a', 'm2', 'The first draft', 2),
          said('b', 'm1', `A bridge, raised; ${'x'.repeat(3_000)} {"quoted":"it\\'s"}`, 3),
          said('a', 'm2', 'The first drawbridge is finished', 4),
          event('b', 'status'),
        ]);
        expect(await found(ledger, ['brücke'])).toEqual(['a-m1-1']);
        expect(await found(ledger, ['über', 'zug'])).toEqual(['a-m1-1']);
        expect(await found(ledger, ['first', 'draw'])).toEqual(['a-m2-4']);
        expect(await found(ledger, ['draft'])).toEqual([]);
        expect(await found(ledger, ['br'])).toEqual(['b-m1-3', 'a-m1-1']);
        expect(await found(ledger, ['br'], ['a'])).toEqual(['a-m1-1']);
        expect((await ledger.search({ words: ['br'], limit: 1 })).hits).toHaveLength(1);
        await ledger.commit([{ do: 'prune_events', session_id: 'a', through: 1, limit: 9 }]);
        expect(await found(ledger, ['br'])).toEqual(['b-m1-3']);
        await ledger.deleteSession('b');
        await ledger.commit([session('b'), said('b', 'm1', 'Again a bridge', 5)]);
        const again = await reopen(ledger);
        expect(await found(again, ['br'])).toEqual(['b-m1-5']);
        expect(await found(again, ['raised'])).toEqual([]);
      });

      test('returns the space of pruned events, and everything kept is still there', async () => {
        const { ledger } = await setUp();
        const large = (n: number) => event('a', `e${n}`, { payload: { text: 'x'.repeat(9_000) } });
        await ledger.commit([session('a'), ...Array.from({ length: 600 }, (_, n) => large(n))]);
        await ledger.commit([{ do: 'prune_events', session_id: 'a', through: 590, limit: 600 }]);
        let steps = 0;
        while (await ledger.returnSpace()) steps += 1;
        expect(steps).toBeLessThan(100);
        expect((await ledger.eventsAfter('a', 0, 99))?.events).toHaveLength(10);
        expect(await ledger.commit([event('a', 'next')])).toMatchObject({ results: [{ sequence: 601 }] });
        expect((await ledger.verify()).damage).toBeUndefined();
      });

      test('deletes a session with all its rows, and no other', async () => {
        const { ledger } = await setUp();
        const many = Array.from({ length: 2_100 }, (_, n) => event('a', `e${n}`));
        await ledger.commit([
          session('a'),
          session('b'),
          send('a', 'm1'),
          send('b', 'm1'),
          prompt('a', 'p'),
          task('a', 't1', 0),
          task('b', 't2', 0),
          tabSession('a'),
          tabSession('b'),
          ...many,
        ]);
        expect(await ledger.deleteSession('a')).toBe(true);
        expect(await ledger.deleteSession('a')).toBe(false);
        expect(await ledger.session('a')).toBeUndefined();
        expect(await ledger.message('a', 'm1')).toBeUndefined();
        expect(await ledger.openPrompts()).toEqual([]);
        expect([await ledger.task('t1'), await ledger.tabSession('a')]).toEqual([undefined, undefined]);
        expect(await ledger.message('b', 'm1')).toBeDefined();
        expect(await ledger.openTasks()).toMatchObject([{ task_id: 't2' }]);
        expect(await ledger.latestTabSession({})).toMatchObject({ session_id: 'b' });
        expect(await ledger.verify()).toEqual({ sessions: 1, events: 1 });
      });
    });

    describe('messages', () => {
      test('[CHT-142] a retry makes no second message and gets the first acceptance, also after a restart', async () => {
        const { ledger, reopen } = await setUp();
        await ledger.commit([session('a')]);
        const first = await ledger.commit([send('a', 'm1'), event('a', 'said', { message_id: 'm1' })]);
        expect(first).toMatchObject({
          committed: true,
          results: [{ sequence: 1 }, {}],
        });
        const again = await reopen(ledger);
        const retry = send('a', 'm1', { at: 99, event: { event_id: 'another', payload: {} } });
        expect(await again.commit([retry, event('a', 'said twice')])).toMatchObject({
          committed: false,
          at: 0,
          refusal: {
            reason: 'message_repeated',
            message: { event_id: 'accepted-m1', sequence: 1, accepted_at: 3, state: 'accepted' },
          },
        });
        expect(await again.session('a')).toMatchObject({ head: 2 });
        expect(await again.queuedMessages('proxy')).toHaveLength(1);
      });

      test('[CHT-142] records one of several copies of a send that arrive at once', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a')]);
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, () => ledger.commit([send('a', 'm1')])),
        );
        expect(outcomes.filter(({ committed }) => committed)).toHaveLength(1);
        expect(await ledger.session('a')).toMatchObject({ head: 1 });
      });

      test('the same id with another content is a conflict; in another session it is another message', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), session('b'), send('a', 'm1')]);
        const other = await ledger.commit([send('a', 'm1', { identity: { content: 'bye' } })]);
        expect(other).toMatchObject({ refusal: { reason: 'message_conflict', message: { sequence: 1 } } });
        expect(await ledger.commit([send('b', 'm1', { identity: { content: 'bye' } })])).toMatchObject({
          committed: true,
        });
        const sameInOtherOrder = send('c', 'm1', { identity: { attachments: [], content: 'x' } });
        await ledger.commit([session('c'), send('c', 'm1', { identity: { content: 'x', attachments: [] } })]);
        expect(await ledger.commit([sameInOtherOrder])).toMatchObject({
          refusal: { reason: 'message_repeated' },
        });
      });

      test('does not record a send to an unknown session', async () => {
        const { ledger } = await setUp();
        expect(await ledger.commit([send('nowhere', 'm1')])).toMatchObject({
          refusal: { reason: 'session_unknown' },
        });
        expect(await ledger.message('nowhere', 'm1')).toBeUndefined();
      });

      test('[CHT-154] [CHT-155] a state never goes back, and only the latest attempt has a result', async () => {
        const { ledger } = await setUp();
        const of = { session_id: 'a', client_message_id: 'm1' };
        await ledger.commit([session('a'), send('a', 'm1')]);
        const forward = { do: 'forward_message', ...of } as const;
        expect(await ledger.commit([forward])).toMatchObject({ results: [{ attempt: 1 }] });
        expect(await ledger.commit([forward])).toMatchObject({ results: [{ attempt: 2 }] });
        const settle = { do: 'settle_message', ...of, at: 8 } as const;
        const error = { code: 'delivery_unknown' };
        const late = await ledger.commit([{ ...settle, state: 'failed', attempt: 1, error }]);
        expect(late).toMatchObject({
          refusal: { reason: 'message_changed', message: { state: 'accepted', attempt: 2 } },
        });
        await ledger.commit([{ ...settle, state: 'failed', error }]);
        const after = await ledger.commit([{ ...settle, state: 'delivered', attempt: 2 }]);
        expect(after).toMatchObject({ refusal: { reason: 'message_changed' } });
        expect(await ledger.commit([forward])).toMatchObject({ committed: false });
        expect(await ledger.message('a', 'm1')).toMatchObject({ state: 'failed', error, settled_at: 8 });
        expect(await ledger.commit([{ ...forward, client_message_id: 'm9' }])).toMatchObject({
          refusal: { reason: 'message_unknown' },
        });
      });

      test('a queued send can be edited, a forwarded one cannot; its retry is still recognised', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), send('a', 'm1')]);
        const of = { session_id: 'a', client_message_id: 'm1' };
        await ledger.commit([{ do: 'edit_message', ...of, payload: { content: 'better' } }]);
        expect(await ledger.commit([send('a', 'm1')])).toMatchObject({
          refusal: { reason: 'message_repeated' },
        });
        await ledger.commit([{ do: 'forward_message', ...of }]);
        const late = await ledger.commit([{ do: 'edit_message', ...of, payload: { content: 'best' } }]);
        expect(late).toMatchObject({ refusal: { message: { payload: { content: 'better' } } } });
      });

      test('the content of a settled send can be forgotten, not of a queued one; a retry is still recognised', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), send('a', 'm1'), send('a', 'm2')]);
        const of = { session_id: 'a', client_message_id: 'm1' };
        await ledger.commit([{ do: 'settle_message', ...of, state: 'delivered', at: 8 }]);
        for (const client_message_id of ['m1', 'm2', 'm9']) {
          await ledger.commit([{ do: 'forget_message', session_id: 'a', client_message_id }]);
        }
        expect(await ledger.message('a', 'm1')).toMatchObject({ state: 'delivered' });
        expect((await ledger.message('a', 'm1'))?.payload).toEqual({});
        expect(await ledger.message('a', 'm2')).toMatchObject({ payload: { content: 'hello' } });
        expect(await ledger.commit([send('a', 'm1')])).toMatchObject({
          refusal: { reason: 'message_repeated' },
        });
        expect((await ledger.verify()).damage).toBeUndefined();
      });

      test('settled prompts can be forgotten up to a time; an open one stays', async () => {
        const { ledger } = await setUp();
        const open = (prompt_id: string) =>
          ({ do: 'open_prompt', ...of(prompt_id), body: {}, at: 5, expires_at: null }) as const;
        const of = (prompt_id: string) => ({ session_id: 'a', prompt_id });
        const end = (prompt_id: string, at: number) =>
          ({ do: 'move_prompt', ...of(prompt_id), from: ['open'], to: 'expired', at }) as const;
        await ledger.commit([session('a'), open('p1'), open('p2'), open('p3'), end('p1', 6), end('p2', 8)]);
        await ledger.commit([{ do: 'forget_prompts', session_id: 'a', settled_before: 8 }]);
        const left = await Promise.all(['p1', 'p2', 'p3'].map((id) => ledger.prompt('a', id)));
        expect(left.map((prompt) => prompt?.state)).toEqual([undefined, 'expired', 'open']);
      });

      test('the queue of a proxy has its pending sends, in the order of acceptance over its sessions', async () => {
        const { ledger } = await setUp();
        await ledger.commit([
          session('a'),
          session('b'),
          session('other', { proxy_device_id: 'p2' }),
          session('closed'),
        ]);
        for (const [n, to] of ['b', 'a', 'other', 'b', 'closed'].entries())
          await ledger.commit([send(to, `m${n}`)]);
        await ledger.commit([
          send('a', 'done'),
          { do: 'update_session', session_id: 'closed', closed_at: 9 },
        ]);
        const of = { session_id: 'a', client_message_id: 'done' };
        await ledger.commit([{ do: 'settle_message', ...of, state: 'delivered', at: 9 }]);
        const queued = await ledger.queuedMessages('proxy');
        expect(queued.map(({ session_id }) => session_id)).toEqual(['b', 'a', 'b']);
        const { sequence, expires_at } = (await ledger.message('b', 'm0')) ?? {};
        const chars = JSON.stringify(send('b', 'm0').payload).length;
        // Without the content, so that a long queue fits in memory.
        const found = { session_id: 'b', client_message_id: 'm0', attempt: 0, sequence, expires_at, chars };
        expect(queued[0]).toEqual(found);
        expect(await ledger.expiredMessages(Number.MAX_SAFE_INTEGER, 1)).toEqual([found]);
      });

      test('finds expired sends, the earliest first', async () => {
        const { ledger } = await setUp();
        const due = (id: string, expires_at: number | null) => send('a', id, { expires_at });
        await ledger.commit([session('a'), due('m1', 30), due('m2', 10), due('m3', null), due('m4', 99)]);
        const found = async (now: number, limit: number) =>
          (await ledger.expiredMessages(now, limit)).map(({ client_message_id }) => client_message_id);
        expect(await found(30, 9)).toEqual(['m2', 'm1']);
        expect(await found(30, 1)).toEqual(['m2']);
        expect(await found(9, 9)).toEqual([]);
      });
    });

    describe('prompts and launches', () => {
      test('[CHT-215] open prompts, pending launches and cached configurations survive a restart', async () => {
        const { ledger, reopen } = await setUp();
        await ledger.commit([session('a'), prompt('a', 'p1', { expires_at: 60 }), launch('r1')]);
        await ledger.commit([{ do: 'update_session', session_id: 'a', config: { model_id: 'x' } }]);
        const again = await reopen(ledger);
        expect(await again.openPrompts()).toMatchObject([
          { session_id: 'a', prompt_id: 'p1', expires_at: 60 },
        ]);
        expect(await again.pendingLaunches()).toMatchObject([
          { request_id: 'r1', timeout_at: 35, told: false },
        ]);
        expect(await again.session('a')).toMatchObject({ config: { model_id: 'x' } });
      });

      test('the first of two answers wins, and the other gets its device, also after a restart', async () => {
        const { ledger, reopen } = await setUp();
        await ledger.commit([session('a'), prompt('a', 'p1')]);
        const answer = (device: string) =>
          ({
            do: 'move_prompt',
            session_id: 'a',
            prompt_id: 'p1',
            from: ['open'],
            to: 'answering',
            answer: { device, choice_id: 'yes' },
            at: 5,
          }) as const;
        const [one, two] = await Promise.all([
          ledger.commit([answer('phone')]),
          ledger.commit([answer('laptop')]),
        ]);
        expect(one.committed).toBe(true);
        expect(two).toMatchObject({
          refusal: { reason: 'prompt_changed', prompt: { answer: { device: 'phone' } } },
        });
        const again = await reopen(ledger);
        expect(await again.openPrompts()).toEqual([]);
        expect(await again.answeringPrompts()).toMatchObject([{ prompt_id: 'p1', settled_at: null }]);
        await again.commit([
          { do: 'move_prompt', session_id: 'a', prompt_id: 'p1', from: ['answering'], to: 'answered', at: 6 },
        ]);
        const settled = { state: 'answered', settled_at: 6, answer: { device: 'phone', choice_id: 'yes' } };
        expect(await again.prompt('a', 'p1')).toMatchObject(settled);
      });

      test('a prompt_id is open once, and a new prompt after it was settled; a failed answer opens it again', async () => {
        const { ledger } = await setUp();
        await ledger.commit([session('a'), prompt('a', 'p1')]);
        expect(await ledger.commit([prompt('a', 'p1')])).toMatchObject({
          refusal: { reason: 'prompt_open' },
        });
        const move = { do: 'move_prompt', session_id: 'a', prompt_id: 'p1', at: 6 } as const;
        await ledger.commit([{ ...move, from: ['open'], to: 'answering', answer: { choice_id: 'yes' } }]);
        await ledger.commit([{ ...move, from: ['answering'], to: 'open', answer: null }]);
        expect(await ledger.openPrompts()).toMatchObject([{ state: 'open', answer: null }]);
        await ledger.commit([{ ...move, from: ['open'], to: 'expired' }]);
        expect(await ledger.commit([prompt('a', 'p1', { at: 9 })])).toMatchObject({ committed: true });
        expect(await ledger.prompt('a', 'p1')).toMatchObject({ state: 'open', opened_at: 9 });
        const nowhere = { ...move, prompt_id: 'p9', from: ['open'], to: 'expired' } as const;
        expect(await ledger.commit([nowhere])).toMatchObject({ refusal: { reason: 'prompt_unknown' } });
      });

      test('a launch is pending once, has one outcome, and is held until the device has received it', async () => {
        const { ledger } = await setUp();
        await ledger.commit([launch('r1'), launch('r2', { device_id: 'laptop' })]);
        const twice = await ledger.commit([launch('r1', { device_id: 'laptop' })]);
        expect(twice).toMatchObject({
          refusal: { reason: 'launch_pending', launch: { device_id: 'phone' } },
        });
        const settle = {
          do: 'settle_launch',
          request_id: 'r1',
          outcome: { session_id: 'a' },
          at: 9,
        } as const;
        await ledger.commit([{ ...settle, state: 'launched' }]);
        const late = await ledger.commit([{ ...settle, state: 'failed' }]);
        expect(late).toMatchObject({ refusal: { reason: 'launch_unknown' } });
        expect(await ledger.pendingLaunches()).toMatchObject([{ request_id: 'r2' }]);
        expect(await ledger.unreportedLaunches('laptop')).toEqual([]);
        expect(await ledger.unreportedLaunches('phone')).toMatchObject([
          { state: 'launched', outcome: { session_id: 'a' } },
        ]);
        const tell = { do: 'tell_launch', device_id: 'phone', request_id: 'r1' } as const;
        expect(await ledger.commit([tell])).toMatchObject({ committed: true });
        expect(await ledger.unreportedLaunches('phone')).toEqual([]);
      });
    });

    describeSettingsAndTasks(setUp);

    describe('lifecycle', () => {
      test('the epoch survives a restart and differs for another ledger', async () => {
        const { ledger, reopen } = await setUp();
        const other = await setUp();
        expect((await reopen(ledger)).epoch).toBe(ledger.epoch);
        expect(other.ledger.epoch).not.toBe(ledger.epoch);
      });

      test('closing waits for pending commits, is idempotent, and ends everything', async () => {
        const { ledger, reopen } = await setUp();
        const asked = [ledger.commit([session('a')]), ledger.commit([event('a', 'e1')])];
        await Promise.all([ledger.close(), ledger.close()]);
        expect((await Promise.all(asked)).every(({ committed }) => committed)).toBe(true);
        await expect(ledger.commit([event('a', 'e2')])).rejects.toMatchObject({ code: 'ledger_closed' });
        await expect(ledger.session('a')).rejects.toMatchObject({ code: 'ledger_closed' });
        expect(await (await reopen(ledger)).session('a')).toMatchObject({ head: 1 });
      });

      test('refuses an id that cannot be stored unchanged, and nothing else', async () => {
        const { ledger } = await setUp();
        const asked = [session('a'), session('half \ud800'), session('nul \0')].map((write) =>
          ledger.commit([write]),
        );
        const codes = (await Promise.allSettled(asked)).map(
          (each) => each.status === 'rejected' && each.reason.code,
        );
        expect(codes).toEqual([false, 'ledger_invalid', 'ledger_invalid']);
      });
    });
  });
}
