import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from '@drawbridge/manifest';
import { expect, test } from 'vitest';
import { blocksOf, followGuide } from './guide.suite.ts';

const GUIDE = await readFile(join(import.meta.dirname, 'write-a-map.md'), 'utf8');

test('every step of the guide does what the guide says', { timeout: 120_000 }, async () => {
  await using followed = await followGuide(GUIDE);
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toHaveLength(10);
  const written = await readFile(join(followed.folder, 'first-map/actions.json'), 'utf8');
  expect(validate(written)).toMatchObject({ ok: true, warnings: [] });
});

test('no block is passed over: each is written, run, expected or shown', () => {
  const fences = GUIDE.match(/^```/gm) ?? [];
  const kinds = blocksOf(GUIDE).map(({ language, file, section }) => [language, file ?? section]);
  expect(kinds).toHaveLength(fences.length / 2);
  expect(kinds.filter(([language]) => language === 'json')).toHaveLength(3);
  expect(kinds.filter(([language, path]) => language === 'json' && path === undefined)).toEqual([]);
});

test('a guide that tells what does not happen is caught', async () => {
  await using followed = await followGuide('```sh\necho one; echo two\n```\n\n```text\ntwo\none\n```\n');
  expect(followed.misses).toEqual([{ line: 'one', output: 'one\ntwo\n' }]);
});
