import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { openDataFolder } from './data-folder.ts';
import { hasScreen } from './live-browser.ts';

test('--data outranks DRAWBRIDGE_HOME, and both are closed to others', async () => {
  const folder = temporaryFolder();
  const env = { DRAWBRIDGE_HOME: join(folder, 'home') };
  expect((await openDataFolder(join(folder, 'named'), env)).path).toBe(join(folder, 'named'));
  const { path, storage, profile, bridgeFile } = await openDataFolder(undefined, env);
  expect(path).toBe(join(folder, 'home'));
  expect([path, storage].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
  expect([profile('work'), bridgeFile]).toEqual([join(path, 'profiles/work'), join(path, 'bridge.json')]);
});

test('names an unwritable folder, and an alternative', async () => {
  const taken = join(temporaryFolder(), 'home');
  writeFileSync(taken, 'a file');
  await expect(openDataFolder(join(taken, 'data'), {})).rejects.toThrow(
    /^Drawbridge keeps your data in .*home.data, but cannot write there \(ENOTDIR.*\)\.\nName another folder: --data/,
  );
});

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
] as const)('on %s with %j there is a screen: %j', (platform, env, expected) => {
  expect(hasScreen(env, platform)).toBe(expected);
});
