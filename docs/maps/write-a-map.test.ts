import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from '@drawbridge/manifest';
import { expect, test } from 'vitest';
import { blocksOf } from '../test/blocks.ts';
import { followGuide } from '../test/guide.ts';

const GUIDE = await readFile(join(import.meta.dirname, 'write-a-map.md'), 'utf8');

test('every step of the guide does what the guide says', { timeout: 600_000 }, async () => {
  await using followed = await followGuide('docs/maps/write-a-map.md');
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
