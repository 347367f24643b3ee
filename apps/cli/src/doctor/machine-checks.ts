import { statfs } from 'node:fs/promises';
import { LOW_DISK_BYTES } from '@drawbridge/relay';
import { browserBinary, launchBrowser } from '@drawbridge/runtime/cdp';
import { hasScreen } from '../live/live-browser.ts';
import { bad, type Finding, note, ok } from './finding.ts';

const NEEDED_MAJOR = 24;

export function nodeCheck(version: string = process.versions.node): Finding {
  return Number(version.split('.')[0]) >= NEEDED_MAJOR
    ? ok('node', `Node ${version}`)
    : bad('node', `Node ${version} is too old.`, `Install Node ${NEEDED_MAJOR} or newer: https://nodejs.org`);
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** A ledger on a full disk refuses messages. */
export async function diskCheck(folder: string, low: number = LOW_DISK_BYTES): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return free >= low
    ? ok('disk', `${gigabytes(free)} are free`)
    : bad(
        'disk',
        `Only ${gigabytes(free)} are free.`,
        'Make room, or move the folder and name it with --data.',
      );
}

/** Found and able to start: sandboxes often lack a library or room in /dev/shm. */
export async function browserCheck(): Promise<readonly Finding[]> {
  let binary: string;
  try {
    binary = browserBinary();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [bad('browser', 'No browser was found.', message)];
  }
  try {
    const browser = await launchBrowser({ headless: true, executable: binary });
    await browser.close();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      bad(
        'browser',
        `${binary} does not start: ${message}`,
        'Start it by hand to see why, or name another with CHROME_PATH.',
      ),
    ];
  }
  const screen = hasScreen() ? [] : [note('screen', 'No screen was found, so it runs headless.')];
  return [ok('browser', `${binary} starts`), ...screen];
}
