import { lstat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LentTabs } from '@drawbridge/proxy';

/**
 * Asks the proxy that started the agent for its tabs, at a socket that only this user can open. May wait for
 * a person.
 */
export async function askForTabs(path: string): Promise<LentTabs> {
  if (!(await isPrivate(dirname(path)))) throw new Error(GONE);
  const socket = createConnection(path);
  socket.write('\n');
  const said = await text(socket).catch(() => '');
  const { url, token, error } = parseAnswer(said);
  if (typeof url === 'string' && typeof token === 'string') return { url, token };
  throw new Error(typeof error === 'string' ? error : GONE);
}

/**
 * A proxy that was killed leaves the folder, and a cleaner may remove it: then another user could make one of
 * that name, with a socket that names a relay of theirs.
 */
async function isPrivate(folder: string): Promise<boolean> {
  if (process.getuid === undefined) return true;
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid() && (found.mode & 0o077) === 0;
}

function parseAnswer(said: string): {
  readonly url?: unknown;
  readonly token?: unknown;
  readonly error?: unknown;
} {
  try {
    return Object(JSON.parse(said));
  } catch {
    return {};
  }
}

const GONE = 'The proxy that started this agent has ended. Start the agent again from Drawbridge.';
