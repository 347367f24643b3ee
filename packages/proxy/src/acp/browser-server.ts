import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk';

/** How an agent reaches the tabs that a person lent to its session. */
export interface LentTabs {
  readonly url: string;
  readonly token: string;
}

export interface Lender {
  /** May wait for a person. Rejects with words for the agent where nothing is lent. */
  readonly tabs: (session_id: string, signal: AbortSignal) => Promise<LentTabs>;
  /** Whether the relay still accepts them. */
  readonly accepts: (tabs: LentTabs, signal: AbortSignal) => Promise<boolean>;
  /** Program of an MCP server on standard input and output, and its arguments. */
  readonly server: readonly [string, ...string[]];
}

/** The agent reads the problem. */
const reach = (url: string, request: RequestInit): Promise<Response> =>
  fetch(url, request).catch((cause: unknown) => {
    throw new Error('The relay cannot be reached. Try again later.', { cause });
  });

/** Asks the relay for the token of one session, with the proxy's own credential. */
export const tabLender = ({ url, token }: LentTabs): Pick<Lender, 'tabs' | 'accepts'> => ({
  async tabs(session_id, signal) {
    const answer = await reach(`${url}/api/sessions/${encodeURIComponent(session_id)}/browser`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    const body: unknown = await answer.json().catch(() => undefined);
    const fields = new Map(Object.entries(Object(body)));
    const given = fields.get('token');
    if (answer.status === 201 && typeof given === 'string') return { url, token: given };
    const reason = new Map(Object.entries(Object(fields.get('error')))).get('message');
    throw new Error(typeof reason === 'string' ? reason : `The relay refused it (HTTP ${answer.status}).`);
  },
  async accepts(tabs, signal) {
    const headers = { authorization: `Bearer ${tabs.token}` };
    const answer = await reach(`${tabs.url}/api/me`, { headers, signal });
    await answer.body?.cancel();
    return answer.status !== 401;
  },
});

export interface BrowserServer {
  /** For `session/new`, `session/load` and `session/resume`. */
  readonly entry: McpServer;
  /** Idempotent. */
  readonly close: () => void;
}

interface BrowserServerOptions extends Pick<Lender, 'tabs' | 'accepts' | 'server'> {
  /** Undefined before the relay knows the session. */
  readonly sessionId: () => string | undefined;
}

/**
 * The relay's MCP server for one agent process. The agent gets the path of a socket in a private folder and
 * no token: some agents repeat this entry in their arguments, which every user of the machine can read. Our
 * program gets the token there with its first call, so that it is on no disk and in no environment.
 */
export async function openBrowserServer(options: BrowserServerOptions): Promise<BrowserServer> {
  const { tabs, accepts, server, sessionId } = options;
  const [command, ...args] = server;
  const closing = new AbortController();
  const sockets = new Set<Socket>();
  const waiting = new Set<Socket>();
  let asking: { readonly answer: Promise<LentTabs>; readonly abort: AbortController } | undefined;
  let last: LentTabs | undefined;

  const ask = async (signal: AbortSignal): Promise<LentTabs> => {
    const session_id = sessionId();
    if (session_id === undefined) throw new Error('The conversation is not open yet. Try again.');
    // Several servers of one agent share a token: a new one ends the last.
    if (last !== undefined && (await accepts(last, signal))) return last;
    last = await tabs(session_id, signal);
    return last;
  };
  const shared = (): Promise<LentTabs> => {
    if (asking === undefined) {
      const abort = new AbortController();
      const answer = ask(AbortSignal.any([abort.signal, closing.signal])).finally(() => {
        // A later request may be under way.
        if (asking?.answer === answer) asking = undefined;
      });
      asking = { answer, abort };
    }
    return asking.answer;
  };
  const reply = async (socket: Socket): Promise<void> => {
    const answer = await shared().catch((error: unknown) => ({
      error: error instanceof Error ? error.message : String(error),
    }));
    socket.end(`${JSON.stringify(answer)}\n`);
  };
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    // A pipe of Windows can be opened by others for reading only, so that they cannot ask.
    socket.once('data', () => {
      waiting.add(socket);
      void reply(socket);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      if (!waiting.delete(socket) || waiting.size > 0) return;
      asking?.abort.abort();
      asking = undefined;
    });
  });
  // An agent's idle connections would use up the files that the proxy may open.
  listener.maxConnections = MAX_CONNECTIONS;
  const { path, remove } = privateAddress();
  listener.listen(path);
  try {
    await once(listener, 'listening');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    entry: { name: 'drawbridge', command, args, env: [{ name: LENT_AT, value: path }] },
    close() {
      if (closing.signal.aborted) return;
      closing.abort();
      listener.close();
      for (const socket of sockets) socket.destroy();
      remove();
    },
  };
}

const MAX_CONNECTIONS = 32;
/** Names the socket for our MCP server. */
const LENT_AT = 'DRAWBRIDGE_LENT';

/** In a folder that other users of the machine cannot enter. */
function privateAddress(): { readonly path: string; readonly remove: () => void } {
  if (process.platform === 'win32')
    return { path: `\\\\.\\pipe\\drawbridge-${randomUUID()}`, remove: () => {} };
  void removeLeft();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  return { path: join(folder, SOCKET), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const PREFIX = 'drawbridge-lent-';
const SOCKET = 'lent';
/** A folder is there for a moment before anybody listens in it. */
const NEW_MS = 60_000;

/** Removes the folders of proxies that were killed: nobody listens there. */
async function removeLeft(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const made = await stat(folder).catch(() => undefined);
    if (made === undefined || Date.now() - made.mtimeMs < NEW_MS) continue;
    // Another user's folder stays.
    if (await isDeserted(join(folder, SOCKET)))
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

const isDeserted = async (path: string): Promise<boolean> => {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
};
