import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import { base64Decode, base64Encode } from './base64.ts';
import { byteLength } from './byte-length.ts';
import { refuseLargeDocument, SizeLimit } from './size-limit.ts';
import { isTrue } from './truth.ts';
import { isDeeperThan } from './value-depth.ts';

test('[MAN-161] a value is true where JSONata’s own $boolean is true', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(isTrue(value)).toBe((await jsonata('$boolean(v)').evaluate({ v: value })) ?? false);
    }),
  );
  expect(isTrue(undefined)).toBe(false);
});

test('counts UTF-8 bytes', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀', '\ud83d') }),
  );
  fc.assert(fc.property(texts, (text) => void expect(byteLength(text)).toBe(Buffer.byteLength(text))));
});

test("base64 equals Node's, also for invalid input", () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(
      text,
      (plain) => void expect(base64Encode(plain)).toBe(Buffer.from(plain, 'binary').toString('base64')),
    ),
  );
  const letters = fc.string({ unit: fc.constantFrom('A', 'b', '9', '+', '/', '-', '_', ' ', '\n', '!') });
  fc.assert(
    fc.property(
      letters,
      (given) => void expect(base64Decode(given)).toBe(Buffer.from(given, 'base64').toString('binary')),
    ),
  );
});

test('a document is measured like its JSON, with shared parts counted each time', () => {
  const limits = { maxItems: 1000, maxChars: 1000 };
  expect(refuseLargeDocument({ a: [1, 'two', null] }, limits)).toBeUndefined();
  expect(() => refuseLargeDocument(['x'.repeat(1001)], limits)).toThrow(SizeLimit);
  expect(() => refuseLargeDocument(Array.from({ length: 1000 }), limits)).toThrow(SizeLimit);
  let shared: unknown = [1];
  for (let level = 0; level < 40; level++) shared = [shared, shared];
  expect(() => refuseLargeDocument(shared, limits)).toThrow(SizeLimit);
});

test('depth is counted without recursion', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(isDeeperThan(nested(64), 64)).toBe(false);
  expect(isDeeperThan(nested(65), 64)).toBe(true);
  expect(isDeeperThan(nested(5_000), 64)).toBe(true);
  expect(isDeeperThan('text', 0)).toBe(false);
});
