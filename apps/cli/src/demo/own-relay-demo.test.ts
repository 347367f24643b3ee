import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { createOwnRelayDemo } from './own-relay-demo.ts';

afterEach(() => vi.unstubAllEnvs());

test('without Chromium, names the missing part, and can start later', async () => {
  const demo = createOwnRelayDemo(await openDataFolder(temporaryFolder()));
  vi.stubEnv('CHROME_PATH', '/nowhere/chromium');
  await expect(demo.start()).rejects.toThrow('CHROME_PATH is /nowhere/chromium, but no file is there.');
  expect(demo.view()).toEqual({ state: 'ready', said: '', done: [] });
});

test('starts only while the relay runs', async () => {
  const demo = createOwnRelayDemo(await openDataFolder(temporaryFolder()));
  await expect(demo.start()).rejects.toThrow('Try again in a moment.');
  await demo.close();
  await expect(demo.start()).rejects.toThrow('Try again in a moment.');
});
