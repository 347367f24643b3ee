// Plain JavaScript on Node's built-ins: the start and test scripts call this on Node 20, before anything is
// installed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/** Debian installs it outside an ordinary user's PATH. */
const WELL_KNOWN = ['/usr/sbin/nats-server', '/usr/local/bin/nats-server', '/opt/homebrew/bin/nats-server'];

/**
 * The NATS server to test with: `NATS_SERVER`, then PATH, then the well-known places.
 *
 * @param {Environment} [env]
 * @returns {string | undefined}
 */
export function findNats(env = process.env) {
  const chosen = env.NATS_SERVER;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new Error(
      `NATS_SERVER is ${chosen}, but no file is there. Point it at a nats-server binary, or unset it to search the usual places.`,
    );
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const names = process.platform === 'win32' ? ['nats-server.exe'] : ['nats-server'];
  const inPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...inPath, ...WELL_KNOWN].find((path) => existsSync(path));
}
