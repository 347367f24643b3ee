import { expect, test } from 'vitest';
import { advantageOverBound, advantageOverPeers } from './advantage.ts';
import { boundWords, figure } from './figure.ts';

const press = { id: 'act.press', what: 'a press', unit: 'ms', better: 'less', how: 'once' } as const;
const floor = { name: 'the floor', value: 2 };

test('the ratio is to the first peer, and unmeasured values are left out', () => {
  const { ratio, beside } = figure({
    ...press,
    ours: 3,
    beside: [undefined, { name: 'a peer that gave up', value: Number.NaN }, floor],
  });
  expect({ ratio, beside }).toEqual({ ratio: 1.5, beside: [floor] });
});

test.each([
  [{ ours: 3, beside: [floor], must: { ratio: 1.5 } }, 'yes'],
  [{ ours: 3.1, beside: [floor], must: { ratio: 1.5 } }, 'no'],
  [{ ours: 3, beside: [floor], must: { ratio: 1.5, value: 2 } }, 'no'],
  [{ ours: 3, must: { ratio: 1.5 } }, 'unclear'],
  [{ must: { value: 3 } }, 'unclear'],
  [{ ours: 3, beside: [floor], range: [1.4, 1.6], must: { ratio: 1.5 } }, 'unclear'],
  [{ ours: 3, beside: [floor], range: [1.2, 1.49], must: { ratio: 1.5 } }, 'yes'],
  [{ ours: 3, beside: [floor], range: [1.51, 1.6], ratio: 1.55, must: { ratio: 1.5 } }, 'no'],
] as const)('where less is better, %j is met: %s', (measured, met) => {
  expect(figure({ ...press, ...measured }).met).toEqual({ must: met });
});

test('a bound is a minimum where more is better', () => {
  const accepts = {
    ...press,
    better: 'more',
    unit: 'a second',
    ours: 9_000,
    must: { value: 8_000 },
  } as const;
  const each = figure({ ...accepts, beside: [{ name: 'the echo', value: 60_000 }], aim: { ratio: 0.5 } });
  expect(each.met).toEqual({ must: 'yes', aim: 'no' });
  expect(boundWords({ value: 8_000, ratio: 0.5 }, each)).toBe(
    'at least 8,000 a second and at least half of the echo',
  );
});

test('the advantage is over the strongest peer and above 1 where ours is better', () => {
  const beside = [
    floor,
    ...[4, 3].map((value) => ({ name: `peer of ${value}`, value, isPeer: true }) as const),
  ];
  const less = figure({ ...press, ours: 1, beside });
  const more = figure({ ...press, better: 'more', ours: 1, beside });
  expect(advantageOverPeers(less)).toEqual({ over: beside[2], times: 3 });
  expect(advantageOverPeers(more)).toEqual({ over: beside[1], times: 1 / 4 });
  expect(advantageOverPeers(figure({ ...press, ours: 1, beside: [floor] }))).toBeUndefined();
  expect(advantageOverBound({ value: 4, ratio: 1 }, less)).toBe(2);
});
