import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_NAMES, primitiveByName } from '@drawbridge/protocol/primitives';
import { expect, test } from 'vitest';

const PAGE = readFileSync(join(import.meta.dirname, 'differences.md'), 'utf8');

test('[MAN-239] the page lists every name that is refused, and no primitive as refused', () => {
  const refused = PAGE.split('\n').filter((line) => line.startsWith('|') && line.includes('| refused'));
  const named = refused.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual([...OTHER_NAMES.keys()].toSorted());
  expect(named.filter((name) => primitiveByName(name ?? '') !== undefined)).toEqual([]);
});
