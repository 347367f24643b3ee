import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/live/program-harness.ts';
import { takesExtensions } from './loaded-extension.ts';

test.each([
  ['/usr/lib/chromium/chromium', true],
  ['/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing', true],
  ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', false],
  ['/opt/google/chrome/google-chrome', false],
  ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe', false],
])('%s takes an extension from its command line: %s', async (binary, does) => {
  expect(await takesExtensions(binary)).toBe(does);
});

test('resolves a symlink to the browser', async () => {
  const folder = temporaryFolder();
  const there = join(folder, 'opt/google/chrome');
  mkdirSync(there, { recursive: true });
  writeFileSync(join(there, 'google-chrome'), '');
  symlinkSync(join(there, 'google-chrome'), join(folder, 'stable'));
  expect(await takesExtensions(join(folder, 'stable'))).toBe(false);
});
