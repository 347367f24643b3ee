import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix } from 'node:path';
import { BridgeError } from '@drawbridge/protocol';

type Environment = Readonly<Record<string, string | undefined>>;

const MAC_BINARIES = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const WINDOWS_BINARIES = [
  'Google/Chrome/Application/chrome.exe',
  'Chromium/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
];
const LINUX_BINARIES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/microsoft-edge',
  '/snap/bin/chromium',
];

/** `CHROME_PATH`, else the first Chromium, Chrome or Edge in the usual places. */
export function browserBinary(
  env: Environment = process.env,
  platform: string = process.platform,
  exists: (path: string) => boolean = existsSync,
): string {
  const chosen = env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (exists(chosen)) return chosen;
    throw notFound(`CHROME_PATH is ${chosen}, but no file is there. Point it at a Chromium or Chrome.`);
  }
  const found = [...places(env, platform), ...downloaded(env, platform)].find(exists);
  if (found !== undefined) return found;
  throw notFound(
    'No Chromium or Chrome is in the usual places. Install one, or set CHROME_PATH to its program file.',
  );
}

function places(env: Environment, platform: string): string[] {
  if (platform === 'darwin') {
    const folders = ['/Applications', posix.join(env['HOME'] ?? homedir(), 'Applications')];
    return folders.flatMap((folder) => MAC_BINARIES.map((binary) => posix.join(folder, binary)));
  }
  if (platform !== 'win32') return LINUX_BINARIES;
  const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
  return folders
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => WINDOWS_BINARIES.map((binary) => posix.join(folder, binary)));
}

/** The Chromium that `npm start` unpacks where there is no other: always headless. */
const CARRIED = 'drawbridge/chromium/chrome';

export const isCarried = (binary: string): boolean => binary.endsWith(CARRIED);

/** `npm start` leaves one here on Linux; Playwright's comes last, because it may lack libraries of the system. */
function downloaded(env: Environment, platform: string): string[] {
  if (platform !== 'linux') return [];
  const cache = env['XDG_CACHE_HOME'] ?? posix.join(env['HOME'] ?? homedir(), '.cache');
  const releases = env['PLAYWRIGHT_BROWSERS_PATH'] ?? posix.join(cache, 'ms-playwright');
  const names = existsSync(releases) ? readdirSync(releases) : [];
  const newestFirst = names
    .filter((name) => /^chromium-\d+$/.test(name))
    .toSorted((one, other) => Number(other.slice(9)) - Number(one.slice(9)));
  const binaries = ['chrome-linux64/chrome', 'chrome-linux-arm64/chrome', 'chrome-linux/chrome'];
  return [
    posix.join(cache, CARRIED),
    ...newestFirst.flatMap((name) => binaries.map((binary) => posix.join(releases, name, binary))),
  ];
}

function notFound(message: string): BridgeError {
  return new BridgeError('capability_unavailable', message, { evidence: { missing: 'browser' } });
}
