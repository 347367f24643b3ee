import type { Ledger } from '@drawbridge/ledger';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createCoreHarness, sendOf, type TestPeer } from '../../test/core/core-harness.ts';
import { createLocalBus } from '../../test/core/local-bus.ts';
import type { Bus, BusMessage } from './ports.ts';

/** Sequences that a peer saw of a session in order, live or in a delta. */
function seen(peer: TestPeer, session_id: string): readonly number[] {
  return peer.frames.flatMap((frame) => {
    const events: readonly object[] = frame.type === 'history_delta' ? frame.events : [frame];
    return events.flatMap((event) => {
      const ours = 'session_id' in event && event.session_id === session_id;
      return ours && 'sequence' in event && typeof event.sequence === 'number' ? [event.sequence] : [];
    });
  });
}

const upTo = (head: number, from = 0) => Array.from({ length: head - from }, (_, index) => from + index + 1);

/** The same ledger, answering in the scheduler's order. */
function scheduled(ledger: Ledger, scheduler: fc.Scheduler): Ledger {
  const names = new Set(['eventsAfter', 'transcriptBefore', 'commit', 'message', 'queuedMessages']);
  return new Proxy(ledger, {
    get: (target, name: keyof Ledger) => {
      const member = target[name];
      if (typeof member !== 'function' || !names.has(name)) return member;
      return (...args: never[]) => scheduler.schedule(Reflect.apply(member, target, args), name);
    },
  });
}

async function until(scheduler: fc.Scheduler, done: () => boolean): Promise<void> {
  while (!done()) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

const SENDS = 6;

test('[CHT-147] [CHT-168] [CHT-169] [CHT-176] whatever order commits and reads answer in, a resuming peer gets each event once and in order, and the proxy each send', async () => {
  const context = await createCoreHarness();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 0, max: SENDS }), async (scheduler, joinsAfter) => {
      round += 1;
      const id = `s${round}`;
      const open = <Value>(value: Promise<Value>): Promise<Value> => scheduler.waitFor(value);
      const ledger = scheduled(context.ledger, scheduler);
      const harness = await open(createCoreHarness({ ledger, clock: context.clock }));
      const laptop = await open(harness.proxy([id], `laptop${round}`));
      const phone = await open(harness.browser());
      let late: TestPeer | undefined;
      for (let each = 0; each <= SENDS; each++) {
        if (each === joinsAfter) {
          const resume = { sessions: [{ session_id: id, last_sequence: 1 }] };
          late = await open(harness.browser('late', { resume }));
        }
        if (each < SENDS) phone.send(sendOf(`m${each}`, { session_id: id }));
      }
      const all = upTo(1 + 2 * SENDS, 1);
      await until(
        scheduler,
        () =>
          seen(phone, id).length >= all.length && late !== undefined && seen(late, id).length >= all.length,
      );
      expect(seen(phone, id)).toEqual(all);
      expect(late && seen(late, id)).toEqual(all);
      const accepted = phone.of('message_accepted').map(({ client_message_id }) => client_message_id);
      const forwarded = () => laptop.of('send_message').map(({ client_message_id }) => client_message_id);
      await until(scheduler, () => forwarded().length >= SENDS);
      expect(forwarded()).toEqual(accepted);
      await scheduler.waitAll();
      await harness.core.stop();
    }),
    { numRuns: 40 },
  );
});

test('[CHT-176] answers a repeated send after the resume delta of its session', async () => {
  const { ledger, clock, ...before } = await createCoreHarness();
  await before.proxy();
  const phone = await before.browser();
  phone.send(sendOf('m1'));
  await phone.next('message_event');
  await phone.settled();
  const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
  const slow: Ledger = {
    ...ledger,
    // A limit of 0 judges the cursor; others read the delta.
    eventsAfter: async (...args) => {
      if (args[2] > 0) await mayRead;
      return ledger.eventsAfter(...args);
    },
  };
  const harness = await createCoreHarness({ ledger: slow, clock });
  const resume = { sessions: [{ session_id: 's1', last_sequence: 1 }] };
  const back = await harness.browser('phone', { resume });
  back.send(sendOf('m1'));
  // Answered after the commit of the repeated send.
  back.send(sendOf('m1', { session_id: 'none' }));
  await back.next('connection_error');
  await back.settled();
  await ledger.heads();
  read();
  await back.next('message_accepted');
  const order = back.frames.flatMap(({ type }) =>
    type === 'history_delta' || type === 'message_accepted' ? [type] : [],
  );
  expect(order).toEqual(['history_delta', 'message_accepted']);
});

/** A bus that loses, repeats and reorders by plan. */
function unreliable(plan: () => 'lose' | 'repeat' | 'hold' | 'pass'): Bus {
  const inner = createLocalBus();
  const held: BusMessage[] = [];
  return {
    onMessage: inner.onMessage,
    request: inner.request,
    publish: (message) => {
      const what = plan();
      if (what === 'hold') held.push(message);
      if (what === 'pass' || what === 'repeat') inner.publish(message);
      if (what === 'repeat') inner.publish(message);
      if (what === 'pass') for (const each of held.splice(0)) inner.publish(each);
    },
  };
}

test('[CHT-129] [CHT-130] [CHT-137] bus messages that are lost, repeated or reordered leave no gap and no repeat on another node', async () => {
  const plans = fc.array(fc.constantFrom('lose', 'repeat', 'hold', 'pass'), { minLength: 8, maxLength: 8 });
  const { ledger, clock } = await createCoreHarness();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      round += 1;
      const session_id = `s${round}`;
      const left = [...plan];
      const bus = unreliable(() => left.shift() ?? 'pass');
      const one = await createCoreHarness({ bus, ledger, clock });
      const two = await createCoreHarness({ bus, ledger, clock });
      await one.proxy([session_id], `laptop${round}`);
      const phone = await one.browser();
      const far = await two.browser('far');
      for (let each = 0; each < 8; each++) {
        phone.send(sendOf(`m${each}`, { session_id }));
        await phone.next('message_event');
      }
      // One more send after the outage reports the missed events to the other node.
      phone.send(sendOf('last', { session_id }));
      await vi.waitFor(() => expect(seen(far, session_id).at(-1)).toBe(19));
      expect(seen(phone, session_id)).toEqual(upTo(19, 1));
      const [first = 1] = seen(far, session_id);
      expect(seen(far, session_id)).toEqual(upTo(19, first - 1));
      expect(one.faults).toEqual([]);
      expect(two.faults).toEqual([]);
      await one.core.stop();
      await two.core.stop();
    }),
    { numRuns: 12 },
  );
});

test('a node that receives no bus message still sends its own peers everything', async () => {
  const { browser, proxy } = await createCoreHarness({
    bus: { publish: () => {}, request: () => Promise.resolve(undefined), onMessage: () => () => {} },
  });
  const laptop = await proxy();
  const phone = await browser();
  phone.send(sendOf('m1'));
  await laptop.next('send_message');
  await phone.next('message_event');
});

test('[CHT-170] [CHT-171] [CHT-172] [CHT-175] [CHT-178] each cursor of a hello is judged separately', async () => {
  const { browser, proxy, ledger } = await createCoreHarness();
  await proxy(['fresh', 'old', 'odd']);
  const phone = await browser();
  phone.send(sendOf('m1', { session_id: 'old' }));
  await phone.next('message_event');
  await ledger.commit([{ do: 'prune_events', session_id: 'old', through: 2, limit: 10 }]);
  const sessions = [
    { session_id: 'fresh', last_sequence: 1 },
    { session_id: 'old', last_sequence: 1 },
    { session_id: 'odd', last_sequence: 9 },
    { session_id: 'none', last_sequence: 0 },
  ];
  const late = await browser('late', { resume: { sessions } });
  await late.next('history_snapshot');
  await late.next('history_snapshot');
  expect(late.of('connection_ack')[0]?.resumed).toEqual([
    { session_id: 'fresh', result: 'ok', last_sequence: 1 },
    { session_id: 'old', result: 'gap' },
    { session_id: 'odd', result: 'gap' },
  ]);
  expect(late.of('history_delta')).toMatchObject([
    { session_id: 'fresh', from_sequence: 1, last_sequence: 1, events: [] },
  ]);
  expect(late.of('history_snapshot')).toMatchObject([
    { session_id: 'old', last_sequence: 3, messages: [{ message_id: 'm1' }] },
    { session_id: 'odd', last_sequence: 1, messages: [] },
  ]);
  expect(late.of('connection_error')).toMatchObject([
    { code: 'session_unknown', session_id: 'none' },
    { code: 'resume_cursor_invalid', session_id: 'odd' },
  ]);
});

test('[CHT-171] [CHT-173] [CHT-174] a cursor of another ledger is refused, one without an epoch counts as this ledger’s', async () => {
  const { browser, proxy, ledger } = await createCoreHarness();
  await proxy();
  const sessions = [{ session_id: 's1', last_sequence: 0 }];
  const known = await browser('known', { resume: { sessions } });
  expect(await known.next('history_delta')).toMatchObject({ epoch: ledger.epoch, last_sequence: 1 });
  const foreign = await browser('foreign', { resume: { sessions, epoch: 'another' } });
  expect(await foreign.next('history_snapshot')).toMatchObject({ epoch: ledger.epoch });
  expect(foreign.of('connection_error')).toMatchObject([{ code: 'resume_cursor_invalid' }]);
});
