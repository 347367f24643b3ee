import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startTaskStand } from '../e2e/brain.suite.ts';
import { followGuide } from './maps/guide.suite.ts';

test('every step of the guide does what the guide says', { timeout: 180_000 }, async () => {
  await using stand = await startTaskStand({ withMap: false, taskClients: true });
  vi.stubEnv('DRAWBRIDGE_HOME', stand.data);
  const guide = await readFile(join(import.meta.dirname, 'tasks.md'), 'utf8');
  const here = guide
    .replaceAll('http://127.0.0.1:7717', stand.relay().url)
    .replaceAll('http://127.0.0.1:7720', stand.shop.url);
  await using followed = await followGuide(here);
  vi.unstubAllEnvs();
  expect(followed.misses).toEqual([]);
  expect(followed.commands.length).toBeGreaterThan(10);
});
