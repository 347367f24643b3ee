import { X509Certificate } from 'node:crypto';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { verifySqliteFile } from '@drawbridge/ledger';
import { counted } from '../map/paint.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** A reader of these files can act as the owner or the relay. */
const SECRETS = [
  'owner.json',
  'bridge.json',
  'agents-device.json',
  'notices.json',
  'model.json',
  'grants.json',
  'tls/key.pem',
];

/** Writable by us and closed to others; Windows keeps home folders private. */
export async function folderCheck(
  path: string,
  platform: string = process.platform,
): Promise<readonly Finding[]> {
  const { mode } = await stat(path);
  const isWritable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return [
      bad('folder', `${path} cannot be written.`, 'Change its owner, or choose another folder with --data.'),
    ];
  if (platform === 'win32') return [ok('folder', path)];
  if ((mode & 0o077) !== 0) return [bad('folder', `Others can look into ${path}.`, `chmod 700 ${path}`)];
  const open = await Promise.all(SECRETS.map((name) => openToOthers(join(path, name))));
  const told = open.flat().map((file) => bad('folder', `Others can read ${file}.`, `chmod 600 ${file}`));
  return told.length > 0 ? told : [ok('folder', `${path} is yours alone`)];
}

const openToOthers = (file: string): Promise<readonly string[]> =>
  stat(file).then(
    ({ mode }) => ((mode & 0o077) === 0 ? [] : [file]),
    () => [],
  );

const MOST_READ_BYTES = 256 * 1_048_576;

/** Reads the whole ledger if that takes seconds. Works while a relay writes it. */
export async function ledgerCheck(folder: string, most: number = MOST_READ_BYTES): Promise<Finding> {
  const path = join(folder, 'ledger.db');
  const size = await stat(path).then(
    (file) => file.size,
    () => undefined,
  );
  if (size === undefined) return note('ledger', 'There is no ledger yet: drawbridge up creates it.');
  if (size > most)
    return note(
      'ledger',
      `The ledger has ${Math.round(size / 1e6)} MB and was not read.`,
      'drawbridge ledger verify reads all of it.',
    );
  const { sessions, events, damage } = verifySqliteFile(path);
  if (damage === undefined)
    return ok('ledger', `The ledger is whole: ${counted(sessions, 'session')}, ${counted(events, 'event')}`);
  return bad(
    'ledger',
    `The ledger is damaged at ${damage.where}: ${damage.problem}`,
    'Stop the relay. Then put the last backup in place, or save what is whole: drawbridge ledger repair (docs/self-host.md).',
  );
}

const DAY_MS = 86_400_000;
/** As the relay does at start. */
const RENEWED_DAYS = 30;

/** The relay's self-signed certificate; the owner renews any other. */
export async function certificateCheck(folder: string, now: number): Promise<readonly Finding[]> {
  const pem = await readFile(join(folder, 'tls/cert.pem'), 'utf8').catch(() => undefined);
  if (pem === undefined) return [];
  const restart = 'Restart the relay: it makes a new one. Devices that pinned the old one must pair again.';
  try {
    const until = Date.parse(new X509Certificate(pem).validTo);
    const days = Math.floor((until - now) / DAY_MS);
    if (days < 0) return [bad('certificate', `The relay's certificate expired ${-days} days ago.`, restart)];
    if (days < RENEWED_DAYS)
      return [note('certificate', `The relay's certificate expires in ${counted(days, 'day')}.`, restart)];
    return [ok('certificate', `The relay's certificate is good for ${days} days`)];
  } catch {
    return [
      bad(
        'certificate',
        `${join(folder, 'tls/cert.pem')} is no certificate.`,
        'Remove the folder tls, and start the relay again.',
      ),
    ];
  }
}

/** An uncompressed point of P-256 in base64url: RFC 8292. */
const PUBLIC_KEY = /^B[\w-]{86}$/;

export async function pushKeysCheck(folder: string): Promise<Finding> {
  const file = join(folder, 'notices.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined)
    return note('push', 'There are no keys for notifications yet: the relay makes them.');
  return PUBLIC_KEY.test(publicKeyOf(text))
    ? ok('push', 'Notifications can be signed')
    : bad(
        'push',
        `${file} is spoiled.`,
        'Remove it and restart the relay. Then turn notifications on again on each phone.',
      );
}

function publicKeyOf(text: string): string {
  try {
    return String(JSON.parse(text).push.public_key);
  } catch {
    return '';
  }
}

/** In the folder of `drawbridge extension`. */
export async function extensionCheck(folder: string): Promise<Finding> {
  const file = join(folder, 'extension', 'manifest.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined
    ? note('extension', 'The Chrome extension is not unpacked here.', 'drawbridge extension')
    : ok('extension', `The extension ${versionOf(text)} is in ${join(folder, 'extension')}`);
}

function versionOf(text: string): string {
  try {
    return String(JSON.parse(text).version);
  } catch {
    return '';
  }
}
