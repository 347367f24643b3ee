import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { findNats } from '../find-nats.mjs';
import { listenOnLoopback } from './loopback.ts';

/** A NATS server on loopback. */
export interface Nats extends AsyncDisposable {
  readonly url: string;
  /** Kills the server as a crash would; clients lose their connection. */
  readonly stop: () => Promise<void>;
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>;
}

/** The server of `DRAWBRIDGE_TEST_NATS`, or a new one from the binary that is found. */
export async function startNats(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Nats> {
  const given = env['DRAWBRIDGE_TEST_NATS'];
  if (given) return borrowed(given);
  const binary = findNats(env);
  if (binary !== undefined) return ownServer(binary);
  throw new Error(
    'No NATS server was found. Run `npm test`, which fetches one where it can, or install it yourself (Debian: `apt install nats-server`), or set NATS_SERVER to a nats-server binary, or DRAWBRIDGE_TEST_NATS to the URL of one that runs.',
  );
}

async function ownServer(binary: string): Promise<Nats> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    if (child !== undefined) return;
    const started = spawn(binary, ['-a', '127.0.0.1', '-p', String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      started.on('error', reject);
      started.on('exit', () => reject(new Error(`nats-server ended at its start. It said:\n${said}`)));
      started.stderr.on('data', (part) => {
        said = (said + String(part)).slice(-4_096);
        if (said.includes('Server is ready')) resolve();
      });
    });
  };
  await start();
  return { url: `nats://127.0.0.1:${port}`, stop, start, [Symbol.asyncDispose]: stop };
}

/** A given server is not stopped: cutting a proxy in front of it looks the same to clients. */
async function borrowed(given: string): Promise<Nats> {
  const target = new URL(given);
  const lines = new Set<Socket>();
  const join = (client: Socket): void => {
    const server = connect(Number(target.port || 4222), target.hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      lines.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        lines.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const server = createServer(join);
  const port = await listenOnLoopback(server);
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const line of lines) line.destroy();
    await closed;
  };
  const start = async (): Promise<void> => {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const url = new URL(given);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { url: url.href, stop, start, [Symbol.asyncDispose]: stop };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}
