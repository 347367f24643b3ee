import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listenOnLoopback } from '@drawbridge/testbed';
import { messageAt } from './long-session.ts';
import type { Page } from './phone.ts';

/** The web client of an open relay for coding agents, MIT: https://www.npmjs.com/package/@siteboon/claude-code-ui */
export const PEER = '@siteboon/claude-code-ui@1.12.0';
/** Outside the product's dependencies: parts of it are compiled here, which takes minutes the first time. */
const FOLDER = join(tmpdir(), 'drawbridge-bench-peer-web');
const PROGRAM = join(FOLDER, 'node_modules/@siteboon/claude-code-ui/server/index.js');
const SESSION = '5b1d7a52-9c7e-4c8e-9a55-0d6c5f3b7a11';
const PROJECT = '-tmp-shop';
const ACCOUNT = { username: 'bench', password: 'bench-bench' };
const PATIENCE_MS = 90_000;

export interface RunningPeer {
  /** Address of the conversation. */
  readonly url: string;
  /** The sign-in token that its page stores. */
  readonly token: string;
  readonly isUsable: (page: Page) => Promise<void>;
  readonly close: () => void;
}

/** Installs the peer on demand. Throws with a reason where it cannot be installed. */
export async function startPeer(folder: string, events: number): Promise<RunningPeer> {
  await install();
  const home = join(folder, 'peer-home');
  await writeHistory(join(home, '.claude/projects', PROJECT), events);
  const port = await freePort();
  const env = { ...process.env, HOME: home, PORT: String(port), DATABASE_PATH: join(home, 'auth.db') };
  const program = await startProgram(env, home);
  const origin = `http://127.0.0.1:${port}`;
  const response = await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  if (!response.ok) throw new Error(`it let nobody in: ${response.status}`);
  const { token } = JSON.parse(await response.text());
  return {
    url: `${origin}/session/${SESSION}`,
    token,
    async isUsable(page) {
      // The newest message is also the conversation's title, and may be there without it.
      const newest = page
        .getByText(`Line ${events - 7} of`)
        .and(page.locator(':visible'))
        .first();
      await newest.waitFor({ timeout: PATIENCE_MS });
      await page.locator('textarea').first().waitFor();
    },
    close: () => program.kill(),
  };
}

/** npm may have compiled it for this Node or for the system's. */
const NODES = [process.execPath, '/usr/bin/node'];

async function startProgram(env: NodeJS.ProcessEnv, cwd: string): Promise<ChildProcess> {
  for (const node of NODES) {
    const program = spawn(node, [PROGRAM], { env, cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    process.once('exit', () => program.kill());
    if (await listens(program)) return program;
  }
  throw new Error('it ended before it listened');
}

async function install(): Promise<void> {
  const isThere = await access(PROGRAM).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  console.error(`  installing ${PEER} …`);
  await mkdir(FOLDER, { recursive: true });
  await promisify(execFile)('npm', ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', PEER]);
}

/** Writes transcripts in the format of the peer's agent. */
async function writeHistory(folder: string, events: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = createWriteStream(join(folder, `${SESSION}.jsonl`));
  for (let at = 0; at < events; at += 1) {
    const { content, created_at, message_id } = messageAt(at);
    const text = [{ type: 'text', text: content }];
    const line = {
      ...{ sessionId: SESSION, uuid: message_id, timestamp: created_at, cwd: '/tmp/shop', type: 'assistant' },
      message: { role: 'assistant', content: text },
    };
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  return port;
}

function listens(program: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    // Reads its output to the end: a closed pipe would kill it at its next write.
    program.stdout?.on('data', (text) => {
      if (/Server URL/.test(String(text))) resolve(true);
    });
    program.once('exit', () => resolve(false));
    program.once('error', () => resolve(false));
  });
}
