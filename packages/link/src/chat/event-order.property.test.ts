import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sequences, setUpChat } from '../../test/chat/chat-bench.ts';

const SESSIONS = ['a', 'b'];

type Step =
  | { readonly kind: 'say'; readonly session: string }
  | { readonly kind: 'send'; readonly session: string }
  | { readonly kind: 'drop'; readonly end: 'a' | 'b'; readonly count: number }
  | { readonly kind: 'double'; readonly end: 'a' | 'b'; readonly count: number }
  | { readonly kind: 'carry'; readonly count: number }
  | { readonly kind: 'ask'; readonly session: string; readonly from: 'start' | 'snapshot' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'wake' }
  | { readonly kind: 'pass'; readonly ms: number };

const session = fc.constantFrom(...SESSIONS);
const end = fc.constantFrom('a' as const, 'b' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant('say' as const), session }), weight: 5 },
  {
    arbitrary: fc.record({ kind: fc.constant('carry' as const), count: fc.integer({ min: 1, max: 6 }) }),
    weight: 4,
  },
  fc.record({ kind: fc.constant('send' as const), session }),
  fc.record({
    kind: fc.constantFrom('drop' as const, 'double' as const),
    end,
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant('ask' as const),
    session,
    from: fc.constantFrom('start' as const, 'snapshot' as const),
  }),
  fc.record({ kind: fc.constantFrom('cut' as const, 'wake' as const) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 5_000, 20_000) }),
);

test('[CHT-176] [CHT-271] delivers each event and send once, in order, under any loss, duplication, cut or delay', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, deltaEvents) => {
        const { relay, connect, settle, pass, pairs, fake } = setUpChat({ deltaEvents });
        const { link, heard } = connect();
        await settle();
        // Starts each session at its first event.
        for (const one of SESSIONS) relay.appendMessage(one, 'first');
        await settle();
        const sent: string[] = [];
        for (const one of steps) {
          const pair = pairs.at(-1);
          if (one.kind === 'say') relay.appendMessage(one.session, 'x');
          else if (one.kind === 'send') {
            sent.push(link.sendMessage({ session_id: one.session, content: 'x' }).client_message_id);
            await fake.advanceAsync(0);
          } else if (one.kind === 'drop') pair?.dropNext(one.end, one.count);
          else if (one.kind === 'double') pair?.duplicateNext(one.end, one.count);
          else if (one.kind === 'carry') for (let n = 0; n < one.count; n++) pair?.step();
          else if (one.kind === 'ask') {
            const after = one.from === 'start' ? { after_sequence: 0 } : {};
            link.request({ type: 'history_request', session_id: one.session, ...after }).catch(() => {});
          } else if (one.kind === 'cut') pair?.cut();
          else if (one.kind === 'wake') link.wake();
          else await pass(one.ms, 500);
        }
        // A last cut removes the planned faults; from there on the line is good.
        pairs.at(-1)?.cut();
        await pass(120_000, 1_000);
        for (const one of SESSIONS) {
          const log = relay.log(one);
          expect(sequences(heard, one)).toEqual(log.map(({ sequence }) => sequence));
          const accepted = log.flatMap((event) =>
            event.type === 'message_accepted' ? [event.client_message_id] : [],
          );
          expect(new Set(accepted).size).toBe(accepted.length);
        }
        const everywhere = SESSIONS.flatMap((one) =>
          relay
            .log(one)
            .flatMap((event) => (event.type === 'message_accepted' ? [event.client_message_id] : [])),
        );
        expect(everywhere.toSorted()).toEqual(sent.toSorted());
        expect(link.pending).toEqual([]);
        expect(heard.resumed.filter(({ result }) => result === 'gap')).toEqual([]);
        link.close();
        expect(fake.pending()).toBe(0);
      },
    ),
    { numRuns: Number(process.env['CHAT_RUNS'] ?? 60) },
  );
});
