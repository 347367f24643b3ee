import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, OLDEST_POSTGRES } from '../find-postgres.mjs';
import { listenOnLoopback } from './loopback.ts';

export interface PostgresOptions {
  /** Settings of the server, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

/**
 * Starts a PostgreSQL on loopback in a temporary folder; or, where `DRAWBRIDGE_TEST_POSTGRES` names a running
 * one, creates a fresh database in it.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const given = process.env['DRAWBRIDGE_TEST_POSTGRES'];
  if (given !== undefined && given !== '') return borrowDatabase(given);
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-postgres-'));
  const server = new OwnServer(postgresFolder(), folder, await freePort(), options.settings ?? {});
  try {
    await server.create();
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return new TestPostgres(server.url, server, () => server.remove());
}

export class TestPostgres implements AsyncDisposable {
  readonly url: string;
  readonly #server: OwnServer | undefined;
  readonly #remove: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(url: string, server: OwnServer | undefined, remove: () => Promise<void>) {
    this.url = url;
    this.#server = server;
    this.#remove = remove;
  }

  /** Whether the test started it, and can stop it. */
  get isOwn(): boolean {
    return this.#server !== undefined;
  }

  /** `fast` ends every connection and flushes; `immediate` is like a crash. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#own().stop(mode);
  }

  /** Starts it again at the same address with its data. */
  async start(): Promise<void> {
    await this.#own().start();
  }

  close(): Promise<void> {
    this.#closing ??= this.#remove();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #own(): OwnServer {
    if (this.#server !== undefined) return this.#server;
    throw new Error(
      'DRAWBRIDGE_TEST_POSTGRES names a server that is not ours to stop. Unset it for the tests that stop one.',
    );
  }
}

class OwnServer {
  readonly url: string;
  readonly #bin: string;
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #owner = unprivilegedOwner();
  /** A run that ends without closing leaves neither the server nor its folder behind. */
  readonly #endWithUs = () => {
    this.#child?.kill('SIGQUIT');
    rmSync(this.#folder, { recursive: true, force: true });
  };
  #child: ChildProcess | undefined;

  constructor(bin: string, folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.#bin = bin;
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
    this.url = `postgres://drawbridge@127.0.0.1:${port}/postgres`;
  }

  async create(): Promise<void> {
    const { uid, gid } = this.#owner;
    if (uid !== undefined && gid !== undefined) await chown(this.#folder, uid, gid);
    const options = ['--username=drawbridge', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    await run(join(this.#bin, 'initdb'), ['-D', this.#data, ...options], {
      ...this.#owner,
      cwd: this.#folder,
    });
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.#port),
      unix_socket_directories: '',
      max_connections: '200',
      log_min_messages: 'log',
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#bin, 'postgres'), ['-D', this.#data, ...flags], {
      ...this.#owner,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    process.once('exit', this.#endWithUs);
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-8_000);
        if (log.includes('ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    });
  }

  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    process.off('exit', this.#endWithUs);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }
}

function postgresFolder(): string {
  const folder = findPostgres();
  if (folder !== undefined) return folder;
  throw new Error(
    `No PostgreSQL ${OLDEST_POSTGRES} or later was found. Run \`npm test\`, which fetches one, or install it yourself (Debian: \`apt install postgresql\`), or set POSTGRES_BIN to the folder of its programs, or DRAWBRIDGE_TEST_POSTGRES to the URL of a running one.`,
  );
}

/** PostgreSQL refuses to run as root: uses Debian's postgres user, or nobody. */
function unprivilegedOwner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // Tries the next one.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.',
  );
}

/** Uses the psql that comes with PostgreSQL. */
async function borrowDatabase(given: string): Promise<TestPostgres> {
  const name = `drawbridge_${randomUUID().replaceAll('-', '')}`;
  const psql = (statement: string) => run('psql', [given, '--no-psqlrc', '--quiet', '-c', statement]);
  await psql(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  const url = new URL(given);
  url.pathname = `/${name}`;
  return new TestPostgres(url.href, undefined, async () => {
    await psql(`DROP DATABASE ${name} WITH (FORCE)`);
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}
