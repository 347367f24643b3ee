import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromiumPath } from '@drawbridge/testbed';
import { expect, test, vi } from 'vitest';
import { followGuide } from './maps/guide.suite.ts';

test('the demo says what its page says', { timeout: 180_000 }, async () => {
  vi.stubEnv('CHROME_PATH', chromiumPath());
  const guide = await readFile(join(import.meta.dirname, 'demo.md'), 'utf8');
  // Without --auto it waits for a person.
  await using followed = await followGuide(guide, (command) => command.includes('--auto'));
  vi.unstubAllEnvs();
  expect(followed.misses).toEqual([]);
  expect(followed.commands).toEqual(['npx drawbridge demo --auto --fast']);
});
