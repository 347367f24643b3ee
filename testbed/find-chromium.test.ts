import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findChromium, playwrightPlaces, wellKnownPlaces } from './find-chromium.mjs';

async function folderWith(...files: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-find-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), '');
  }
  return folder;
}

test('CHROME_PATH comes first', async () => {
  const folder = await folderWith('my-chrome');
  expect(findChromium({ CHROME_PATH: join(folder, 'my-chrome') })).toBe(join(folder, 'my-chrome'));
});

test('a CHROME_PATH without a file is an error that says what to do', () => {
  const CHROME_PATH = '/nowhere/chrome';
  expect(() => findChromium({ CHROME_PATH })).toThrow(/CHROME_PATH is \/nowhere\/chrome.*unset it/);
});

test('an empty CHROME_PATH counts as none', () => {
  expect(findChromium({ CHROME_PATH: '', PROGRAMFILES: '/nowhere' }, 'win32')).toBeUndefined();
});

test('looks where each system installs browsers', () => {
  expect(wellKnownPlaces({}, 'linux')).toContain('/usr/bin/chromium');
  expect(wellKnownPlaces({ HOME: '/Users/ada' }, 'darwin')).toContain(
    '/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium',
  );
  expect(wellKnownPlaces({ PROGRAMFILES: 'C:\\Program Files' }, 'win32')).toContain(
    'C:\\Program Files/Google/Chrome/Application/chrome.exe',
  );
});

test('prefers an installed browser to a download', async () => {
  const folder = await folderWith(
    'Applications/Chromium.app/Contents/MacOS/Chromium',
    'Library/Caches/ms-playwright/chromium-1/chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  );
  const installed = join(folder, 'Applications/Chromium.app/Contents/MacOS/Chromium');
  const places = wellKnownPlaces({ HOME: folder }, 'darwin');
  expect(places).toContain(installed);
  expect(findChromium({ HOME: folder }, 'darwin')).toSatisfy((path) => places.includes(path));
});

test('picks the newest Playwright download, never the headless shell', async () => {
  const folder = await folderWith(
    '.cache/ms-playwright/chromium-999/chrome-linux/chrome',
    '.cache/ms-playwright/chromium-1200/chrome-linux64/chrome',
    '.cache/ms-playwright/chromium_headless_shell-1300/chrome-linux64/chrome',
  );
  const places = playwrightPlaces({ HOME: folder }, 'linux');
  expect(places[0]).toBe(join(folder, '.cache/ms-playwright/chromium-1200/chrome-linux64/chrome'));
  expect(places).toContain(join(folder, '.cache/ms-playwright/chromium-999/chrome-linux/chrome'));
  expect(places.join()).not.toContain('headless_shell');
});

test('Playwright’s own settings move its cache', async () => {
  const folder = await folderWith(
    'chromium-7/chrome-linux/chrome',
    'ms-playwright/chromium-8/chrome-linux/chrome',
  );
  expect(playwrightPlaces({ PLAYWRIGHT_BROWSERS_PATH: folder }, 'linux').join()).toContain('chromium-7');
  expect(playwrightPlaces({ XDG_CACHE_HOME: folder }, 'linux').join()).toContain('chromium-8');
});

test('finds a download when nothing is installed, and returns undefined without one', async () => {
  const folder = await folderWith('ms-playwright/chromium-5/chrome-win64/chrome.exe');
  const download = join(folder, 'ms-playwright/chromium-5/chrome-win64/chrome.exe');
  expect(findChromium({ LOCALAPPDATA: folder }, 'win32')).toBe(download);
  expect(findChromium({ LOCALAPPDATA: '/nowhere' }, 'win32')).toBeUndefined();
});
