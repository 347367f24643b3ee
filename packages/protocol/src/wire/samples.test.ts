import { expect, test } from 'vitest';
import { SAMPLES, WIRES } from '../../test/wire/samples.ts';
import { CATALOG } from '../catalog.ts';

const named = WIRES.flatMap(({ name, protocol, kindOf, samples }) =>
  Object.entries(samples).map(([kind, sample]) => ({ name, protocol, kindOf, kind, sample })),
);

test.each(named)('the sample $name $kind parses as its kind', ({ kindOf, kind, sample }) => {
  expect(kindOf(JSON.stringify(sample))).toBe(kind);
});

test('every kind of message in the catalog has a sample, and a parser that takes it', () => {
  const kinds = (catalog: Readonly<Record<string, object>>) =>
    Object.entries(catalog).flatMap(([protocol, messages]) =>
      Object.keys(messages).map((kind) => `${protocol} ${kind}`),
    );
  expect(kinds(SAMPLES).sort()).toEqual(kinds(CATALOG).sort());
  expect(named.map(({ protocol, kind }) => `${protocol} ${kind}`).sort()).toEqual(kinds(CATALOG).sort());
});
