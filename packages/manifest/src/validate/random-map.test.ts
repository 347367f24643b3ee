import { Manifest, manifest } from '@drawbridge/protocol/manifest';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, randomMap } from '../../test/validate/random-map.ts';
import { SHOP } from '../../test/validate/sample-map.ts';
import { printMap } from '../source/print.ts';
import { checkShape } from './shape.ts';
import { validate } from './validate.ts';

/** Replaces a value: at each level `choices` selects where to continue or stop. */
function mutate(value: unknown, choices: readonly number[], replacement: unknown): unknown {
  const [choice = 0, ...rest] = choices;
  if (typeof value !== 'object' || value === null || choices.length === 0) return replacement;
  const keys = Object.keys(value);
  const key = keys[choice % (keys.length + 1)];
  if (key === undefined)
    return Array.isArray(value) ? [...value, replacement] : { ...value, extra: replacement };
  const inner = mutate(Reflect.get(value, key), rest, replacement);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

const choices = fc.array(fc.nat(40), { maxLength: 8 });

test('a random valid map stays valid after printing', () => {
  fc.assert(
    fc.property(randomMap, (map) => {
      const first = validate(printMap(map));
      expect(first.errors).toEqual([]);
      if (!first.ok) return;
      const second = validate(printMap(first.map));
      expect(second).toMatchObject({ ok: true, map });
    }),
    { numRuns: 100 },
  );
});

test('a random change of a valid map never throws, and an error has a position', () => {
  fc.assert(
    fc.property(fc.oneof(fc.constant(SHOP), randomMap), choices, anything, (map, where, value) => {
      const text = printMap(mutate(map, where, value));
      const { ok, errors, warnings } = validate(text);
      expect(ok).toBe(errors.length === 0);
      const lines = text.split('\n');
      for (const { expected } of errors) expect(expected).toEqual(expect.any(String));
      for (const { line, column } of [...errors, ...warnings]) {
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
      }
    }),
    { numRuns: 200 },
  );
});

test('a random cut or splice of the text never throws', () => {
  const text = printMap(SHOP);
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(20), fc.string(), (at, cut, inserted) => {
      const { ok, errors } = validate(text.slice(0, at) + inserted + text.slice(at + cut));
      expect(ok).toBe(errors.length === 0);
    }),
    { numRuns: 200 },
  );
});

test('the walk over the shape finds an error exactly when the generated check does', () => {
  fc.assert(
    fc.property(choices, anything, (where, value) => {
      const map = mutate(SHOP, where, value);
      const walked = [...checkShape(Manifest, map)].length === 0;
      expect(walked).toBe(isAccepted(map));
    }),
    { numRuns: 200 },
  );
});

function isAccepted(map: unknown): boolean {
  try {
    manifest.read(map);
    return true;
  } catch {
    return false;
  }
}
