// Runs on any Node >= 20 with nothing but the lockfile's packages installed.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { carriedChromium, findChromium, HEADLESS_SHELL } from '../testbed/find-chromium.mjs';
import { installDebian, isDebianRoot, npm, pinnedNode, root, run, runWithProgress } from './setup.mjs';

/** A headless Chromium inside an npm package, for machines that reach no other source of one. */
const CARRIED = '@sparticuz/chromium@153.0.0';

/** Ways to a Chromium, best first. Each may fail: the next one is tried. */
const WAYS = [
  { applies: isDebianRoot, install: () => installDebian('chromium', 'chromium-headless-shell') },
  {
    applies: () => true,
    install: () =>
      runWithProgress('Downloading Chromium (about 170 MB, once)', pinnedNode, [
        join(root, 'node_modules/playwright-core/cli.js'),
        'install',
        'chromium',
      ]),
  },
  { applies: () => process.platform === 'linux' && process.arch === 'x64', install: unpackCarried },
];

/** Finds a Chromium or installs one, and returns its path; undefined if no way leads to one. */
export async function ensureChromium({ find = findWorking, ways = WAYS } = {}) {
  const found = find();
  if (found !== undefined) return found;
  console.log('No Chromium or Chrome was found that starts.');
  for (const { applies, install } of ways) {
    if (!applies()) continue;
    try {
      await install();
    } catch (error) {
      console.error(`  ${error instanceof Error ? error.message : error}`);
    }
    const installed = find();
    if (installed !== undefined) return installed;
  }
  return undefined;
}

/** A downloaded Chromium may lack libraries of the system, and then does not even print its version. */
function findWorking() {
  const path = findChromium();
  if (path === undefined || process.platform !== 'linux') return path;
  return spawnSync(path, ['--version'], { timeout: 30_000 }).status === 0 ? path : undefined;
}

async function unpackCarried() {
  const target = carriedChromium();
  const folder = dirname(target);
  mkdirSync(folder, { recursive: true });
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const code = await runWithProgress(
    'Fetching a headless Chromium from npm (67 MB, 215 MB unpacked, once)',
    ...npm('install', ...quiet, '--prefix', folder, CARRIED),
  );
  if (code !== 0) throw new Error(`${CARRIED} did not install.`);
  const bin = join(
    dirname(dirname(createRequire(join(folder, 'x.js')).resolve('@sparticuz/chromium'))),
    'bin',
  );
  const unpacked = (name) => brotliDecompressSync(readFileSync(join(bin, name)));
  writeFileSync(join(folder, 'chromium'), unpacked('chromium.br'), { mode: 0o755 });
  for (const name of ['al2023', 'swiftshader', 'fonts']) {
    writeFileSync(join(folder, `${name}.tar`), unpacked(`${name}.tar.br`));
    if ((await run('tar', ['-xf', `${name}.tar`, '-C', folder], { cwd: folder })) !== 0)
      throw new Error('tar is missing.');
    rmSync(join(folder, `${name}.tar`));
  }
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  // The system's libraries and fonts are used where there are any.
  const launcher = `#!/bin/sh
here="$(dirname "$0")"
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/lib/x86_64-linux-gnu:/usr/lib64:$here/lib"
[ -d /etc/fonts ] || export FONTCONFIG_PATH="$here"
exec "$here/chromium" "$@"
`;
  writeFileSync(`${target}.new`, launcher);
  chmodSync(`${target}.new`, 0o755);
  renameSync(`${target}.new`, target);
  if (!existsSync(target)) throw new Error(`${target} could not be written.`);
}

/** Environment that names the browsers of the tests. A browser that was chosen is used for everything. */
export async function testBrowsers() {
  const { CHROME_PATH } = process.env;
  const chromium = await ensureChromium();
  if (chromium === undefined) {
    throw new Error(
      'The tests need a Chromium, and none could be installed.\n' +
        'Install Chromium or Google Chrome, or set CHROME_PATH to one, then run the command again.',
    );
  }
  if (CHROME_PATH || chromium !== '/usr/bin/chromium') return { CHROME_PATH: chromium };
  if (!existsSync(HEADLESS_SHELL) && isDebianRoot()) await installDebian('chromium-headless-shell');
  if (!existsSync(HEADLESS_SHELL)) return { CHROME_PATH: chromium };
  // A launch of the full browser costs three seconds of CPU, of the shell under one.
  return { CHROME_PATH: HEADLESS_SHELL, FULL_CHROMIUM_PATH: chromium };
}
