import { expect, test } from 'vitest';
import { browserBinary, isCarried } from './browser-binary.ts';

const only =
  (...paths: string[]) =>
  (path: string) =>
    paths.includes(path);

test('prefers CHROME_PATH, which must exist', () => {
  const env = { CHROME_PATH: '/opt/chrome' };
  expect(browserBinary(env, 'linux', only('/opt/chrome', '/usr/bin/chromium'))).toBe('/opt/chrome');
  expect(() => browserBinary(env, 'linux', only('/usr/bin/chromium'))).toThrow(
    /CHROME_PATH is \/opt\/chrome/,
  );
});

test.each([
  ['linux', '/usr/bin/google-chrome'],
  ['darwin', '/Applications/Chromium.app/Contents/MacOS/Chromium'],
  ['win32', 'C:/Program Files/Google/Chrome/Application/chrome.exe'],
])('on %s it is found in its usual place', (platform, path) => {
  const env = { HOME: '/home/ada', PROGRAMFILES: 'C:/Program Files' };
  expect(browserBinary(env, platform, only(path))).toBe(path);
});

test('says what to do when no browser is found', () => {
  expect(() => browserBinary({}, 'linux', only())).toThrow(/Install one, or set CHROME_PATH/);
});

test('finds the browser that npm start unpacked, after an installed one', () => {
  const env = { HOME: '/home/ada' };
  const unpacked = '/home/ada/.cache/drawbridge/chromium/chrome';
  expect(browserBinary(env, 'linux', only(unpacked))).toBe(unpacked);
  expect(isCarried(unpacked)).toBe(true);
  expect(browserBinary(env, 'linux', only(unpacked, '/snap/bin/chromium'))).toBe('/snap/bin/chromium');
  expect(isCarried('/snap/bin/chromium')).toBe(false);
});
