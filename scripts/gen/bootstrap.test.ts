import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Every repository file that a file imports, directly or not. */
function filesBehind(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, target = ''] of source.matchAll(/^(?:import|export|\}) (?!type ).*from '([^']+)';$/gm)) {
    if (target.startsWith('.')) filesBehind(join(file, '..', target), seen);
    else if (target.startsWith('@drawbridge/')) filesBehind(fileURLToPath(import.meta.resolve(target)), seen);
  }
  return seen;
}

/** A message without a check must not stop the generator from writing one. */
test('the generator runs without any generated file', () => {
  const files = [...filesBehind(join(root, 'scripts/gen.ts'))].map((file) => relative(root, file));
  expect(files).toContain('packages/protocol/src/chat/frames.ts');
  expect(files.filter((file) => file.includes('/generated/'))).toEqual([]);
});
