import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REASONS_DE } from '@drawbridge/ui/german';
import { expect, test } from 'vitest';

test('each reason with a German sentence is one that the relay gives', () => {
  const cwd = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd, exclude: (name) => name.endsWith('.test.ts') })
    .map((name) => readFileSync(join(cwd, name), 'utf8'))
    .join('\n');
  expect(Object.keys(REASONS_DE).filter((sentence) => !sources.includes(sentence))).toEqual([]);
});
