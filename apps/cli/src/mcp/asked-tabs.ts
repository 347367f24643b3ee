import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LentTabs } from '@drawbridge/proxy';

/**
 * Asks the proxy that started the agent for its tabs, at a socket that only this user can open. May wait for
 * a person.
 */
export async function askForTabs(path: string): Promise<LentTabs> {
  const socket = createConnection(path);
  socket.write('\n');
  const said = await text(socket).catch(() => '');
  const { url, token, error } = parseAnswer(said);
  if (typeof url === 'string' && typeof token === 'string') return { url, token };
  throw new Error(typeof error === 'string' ? error : GONE);
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
