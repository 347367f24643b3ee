// Plain JavaScript on Node's built-ins: the start and test scripts call this on Node 20, before anything is
// installed.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
// Windows accepts forward slashes too, so POSIX joins work everywhere.
import { posix } from 'node:path';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

const { join } = posix;

const CHROME_FOR_TESTING = 'Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing';

/** Path of the binary in a Playwright release folder (`chromium-1234`), newest layout first. */
const PLAYWRIGHT_LAYOUTS = {
  linux: ['chrome-linux64/chrome', 'chrome-linux-arm64/chrome', 'chrome-linux/chrome'],
  darwin: [
    `chrome-mac-arm64/${CHROME_FOR_TESTING}`,
    `chrome-mac-x64/${CHROME_FOR_TESTING}`,
    'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['chrome-win64/chrome.exe', 'chrome-win/chrome.exe'],
};

/**
 * The Chromium to test with: `CHROME_PATH`, then the well-known places, then the one unpacked from an
 * npm package, then Playwright's downloads.
 *
 * @param {Environment} [env]
 * @param {string} [platform] as `process.platform` says it
 * @returns {string | undefined}
 */
export function findChromium(env = process.env, platform = process.platform) {
  const chosen = env.CHROME_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(
      `CHROME_PATH is ${chosen}, but no file is there. Point it at a Chromium or Chrome binary, or unset it to search the usual places.`,
    );
  }
  return [
    ...wellKnownPlaces(env, platform),
    // Unpacked only where Playwright's does not run: it needs libraries of the system.
    ...(platform === 'linux' ? [carriedChromium(env)] : []),
    ...playwrightPlaces(env, platform),
  ].find(existsSync);
}

/**
 * Launcher of the Chromium that `scripts/chromium.mjs` unpacks from an npm package. Always headless.
 *
 * @param {Environment} [env]
 * @returns {string}
 */
export function carriedChromium(env = process.env) {
  return join(env.XDG_CACHE_HOME ?? join(home(env), '.cache'), 'drawbridge/chromium/chrome');
}

/** Debian's Chromium without a window: a page costs a quarter, but it runs no extensions. */
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * @param {Environment} env
 * @param {string} platform
 * @returns {string[]}
 */
export function wellKnownPlaces(env, platform) {
  if (platform === 'darwin') return macPlaces(env);
  if (platform === 'win32') return windowsPlaces(env);
  return [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ];
}

/** @param {Environment} env */
function macPlaces(env) {
  const binaries = [
    'Chromium.app/Contents/MacOS/Chromium',
    'Google Chrome.app/Contents/MacOS/Google Chrome',
    CHROME_FOR_TESTING,
  ];
  const folders = ['/Applications', join(home(env), 'Applications')];
  return folders.flatMap((folder) => binaries.map((binary) => join(folder, binary)));
}

/** @param {Environment} env */
function windowsPlaces(env) {
  const folders = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA];
  const binaries = ['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe'];
  return folders
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => binaries.map((binary) => join(folder, binary)));
}

/**
 * Binaries in Playwright's cache, newest release first. The headless shell is left out: it runs no extensions.
 *
 * @param {Environment} env
 * @param {string} platform
 * @returns {string[]}
 */
export function playwrightPlaces(env, platform) {
  const cache = playwrightCache(env, platform);
  const layouts = PLAYWRIGHT_LAYOUTS[platform === 'darwin' || platform === 'win32' ? platform : 'linux'];
  return releases(cache).flatMap((release) => layouts.map((layout) => join(cache, release, layout)));
}

/**
 * @param {Environment} env
 * @param {string} platform
 */
function playwrightCache(env, platform) {
  if (env.PLAYWRIGHT_BROWSERS_PATH) return env.PLAYWRIGHT_BROWSERS_PATH;
  if (platform === 'darwin') return join(home(env), 'Library/Caches/ms-playwright');
  if (platform === 'win32') {
    return join(env.LOCALAPPDATA ?? join(home(env), 'AppData/Local'), 'ms-playwright');
  }
  return join(env.XDG_CACHE_HOME ?? join(home(env), '.cache'), 'ms-playwright');
}

/** @param {string} cache */
function releases(cache) {
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .map((name) => /^chromium-(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .sort((a, b) => Number(b[1]) - Number(a[1]))
    .map((match) => match[0]);
}

/** @param {Environment} env */
function home(env) {
  return env.HOME ?? env.USERPROFILE ?? homedir();
}
