import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../seeded-random.ts';
import { createFaultPlan, type Decision, type DirectionFaults } from './fault-plan.ts';

/** Runs a stream, given as chunks, through a plan. */
function run(seed: number, faults: DirectionFaults, chunks: Uint8Array[]) {
  const decisions: Decision[] = [];
  const plan = createFaultPlan(createSeededRandom(seed), faults, (decision) => decisions.push(decision));
  const pieces: number[][] = [];
  let swallowed = 0;
  for (const chunk of chunks) {
    for (const piece of plan.take(chunk)) {
      if (piece.kind === 'cut') return { decisions, pieces, swallowed, wasCut: true };
      if (piece.kind === 'swallow') swallowed += piece.bytes.length;
      else pieces.push([...piece.bytes]);
    }
  }
  return { decisions, pieces, swallowed, wasCut: false };
}

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => index % 256);

const sizes = (decisions: Decision[]) =>
  decisions.flatMap((decision) => (decision.kind === 'segment' ? [decision.bytes] : []));

test('without faults a chunk passes whole and nothing is decided', () => {
  expect(run(1, {}, [bytes(5)])).toEqual({
    decisions: [],
    pieces: [[0, 1, 2, 3, 4]],
    swallowed: 0,
    wasCut: false,
  });
});

test('segments have the requested sizes, drawn by the seed', () => {
  const faults = { segmentBytes: { min: 1, max: 4 } };
  const { decisions, pieces } = run(3, faults, [bytes(400)]);
  expect([...new Set(sizes(decisions))].sort()).toEqual([1, 2, 3, 4]);
  expect(pieces.flat()).toEqual([...bytes(400)]);
  expect(run(3, faults, [bytes(400)]).decisions).toEqual(decisions);
  expect(run(4, faults, [bytes(400)]).decisions).not.toEqual(decisions);
});

test('a cut forwards exactly the drawn number of bytes', () => {
  const { decisions, pieces, wasCut } = run(1, { cutAfterBytes: { min: 7, max: 7 } }, [bytes(5), bytes(5)]);
  expect(pieces.flat()).toEqual([0, 1, 2, 3, 4, 0, 1]);
  expect(decisions).toEqual([{ kind: 'cut', at: 7 }]);
  expect(wasCut).toBe(true);
});

test('a cut happens with its last byte, not with the next one', () => {
  expect(run(1, { cutAfterBytes: { min: 5, max: 5 } }, [bytes(5)]).wasCut).toBe(true);
  expect(run(1, { cutAfterBytes: { min: 0, max: 0 } }, [bytes(1)])).toMatchObject({
    pieces: [],
    wasCut: true,
  });
});

test('a delay alone is drawn per segment of 16 KiB', () => {
  const { decisions } = run(1, { delayMs: { min: 2, max: 9 } }, [bytes(20_000)]);
  expect(decisions).toHaveLength(2);
  for (const decision of decisions) expect(decision).toMatchObject({ kind: 'segment', bytes: 16_384 });
});

test('every piece of a segment carries its delay', () => {
  const plan = createFaultPlan(createSeededRandom(1), { delayMs: { min: 5, max: 5 } });
  const delays = [bytes(3), bytes(4)].flatMap((chunk) =>
    [...plan.take(chunk)].map((piece) => (piece.kind === 'send' ? piece.delayMs : piece.kind)),
  );
  expect(delays).toEqual([5, 5]);
});

test('changed faults apply from the next byte on', () => {
  const decisions: Decision[] = [];
  const plan = createFaultPlan(createSeededRandom(1), {}, (decision) => decisions.push(decision));
  expect([...plan.take(bytes(10))]).toHaveLength(1);
  plan.change({ segmentBytes: { min: 2, max: 2 }, cutAfterBytes: { min: 3, max: 3 } });
  const kinds = [...plan.take(bytes(10))].map((piece) => piece.kind);
  expect(kinds).toEqual(['send', 'send', 'cut']);
  expect(decisions).toEqual([
    { kind: 'segment', at: 10, bytes: 2, delayMs: 0 },
    { kind: 'segment', at: 12, bytes: 2, delayMs: 0 },
    { kind: 'cut', at: 13 },
  ]);
});

test('a stream that lost bytes never carries another, whatever the faults become', () => {
  const plan = createFaultPlan(createSeededRandom(1), { swallow: true });
  expect([...plan.take(bytes(2))].map(({ kind }) => kind)).toEqual(['swallow']);
  plan.change({});
  expect([...plan.take(bytes(2))].map(({ kind }) => kind)).toEqual(['swallow']);
});

test('swallowing that was revoked before any byte has no effect', () => {
  const plan = createFaultPlan(createSeededRandom(1), { swallow: true });
  plan.change({});
  expect([...plan.take(bytes(2))].map(({ kind }) => kind)).toEqual(['send']);
});

test('the same stream gets the same faults, whatever its chunks', () => {
  const span = (max: number) =>
    fc.tuple(fc.integer({ min: 1, max }), fc.nat({ max })).map(([min, more]) => ({ min, max: min + more }));
  const anyFaults = fc.record(
    {
      segmentBytes: span(20),
      delayMs: span(50),
      swallow: fc.boolean(),
      cutAfterBytes: span(200),
    },
    { requiredKeys: [] },
  );
  const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer(), anyFaults, cuts, (seed, faults, lengths) => {
      const stream = bytes(300);
      const whole = run(seed, faults, [stream]);
      const chunked = run(seed, faults, chunksOf(stream, lengths));
      expect(chunked.decisions).toEqual(whole.decisions);
      expect(chunked.pieces.flat()).toEqual(whole.pieces.flat());
      expect(chunked.swallowed).toBe(whole.swallowed);
      expect(chunked.wasCut).toBe(whole.wasCut);
      const longest = faults.segmentBytes?.max ?? Number.POSITIVE_INFINITY;
      for (const piece of chunked.pieces) expect(piece.length).toBeLessThanOrEqual(longest);
    }),
  );
});

function chunksOf(stream: Uint8Array, lengths: number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const length of lengths) {
    chunks.push(stream.subarray(from, from + length));
    from += length;
  }
  return [...chunks, stream.subarray(from)].filter((chunk) => chunk.length > 0);
}
