// Runs on any Node >= 20 with nothing installed: built-ins only.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The pinned Node 24. `npm run` and `npx` find it without help; these scripts use this path. */
export const pinnedNode = join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

const PROGRESS_EVERY_MS = 10_000;
const OLDEST_NODE = 20;

/** Installs dependencies unless the installed ones match the lockfile. */
export async function ensureInstalled(folder = root) {
  linkNewWorkspaces(folder);
  if (isInstalled(folder)) return;
  const code = await runWithProgress('Installing dependencies', ...npm('ci', '--loglevel=error'), folder);
  if (code !== 0)
    throw new Error(`npm ci failed in ${folder}. Check the network, then run the command again.`);
  if (folder === root && !existsSync(pinnedNode)) {
    throw new Error(
      'The pinned Node 24 did not install. Is its install script allowed (package.json, allowScripts)?',
    );
  }
}

/** A workspace that a pull brought needs no download. */
function linkNewWorkspaces(folder) {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  for (const [place, { link, resolved }] of Object.entries(
    packagesIn(join(folder, 'package-lock.json')) ?? {},
  )) {
    const [at, to] = [join(folder, place), join(folder, resolved ?? '')];
    if (!link || existsSync(at) || !existsSync(to)) continue;
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(process.platform === 'win32' ? to : relative(dirname(at), to), at, 'junction');
  }
}

function isInstalled(folder) {
  const wanted = packagesIn(join(folder, 'package-lock.json'));
  const installed = packagesIn(join(folder, 'node_modules/.package-lock.json'));
  if (wanted === undefined) throw new Error(`package-lock.json is missing in ${folder}.`);
  if (installed === undefined || (folder === root && !existsSync(pinnedNode))) return false;
  return Object.entries(wanted).every(
    ([place, { version, link, optional }]) =>
      !place.includes('node_modules') ||
      optional ||
      (link ? existsSync(join(folder, place)) : installed[place]?.version === version),
  );
}

function packagesIn(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

export async function installDebian(...packages) {
  // Without it a package may ask a question that nobody can answer.
  const apt = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq'];
  await runWithProgress('Updating the package list', 'env', [...apt, 'update']);
  await runWithProgress(`Installing Debian's ${packages.join(' and ')}`, 'env', [
    ...apt,
    'install',
    '-y',
    ...packages,
  ]);
}

export function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version') && existsSync('/usr/bin/apt-get');
}

export function npm(...args) {
  const cli = process.env['npm_execpath'];
  if (cli?.endsWith('.js')) return [process.execPath, [cli, ...args]];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm', args];
}

export async function runWithProgress(what, command, args, cwd = root) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log(`${what} …`);
  const timer = setInterval(() => console.log(`  still at it, ${seconds()} s`), PROGRESS_EVERY_MS);
  try {
    const code = await run(command, args, { cwd });
    if (code === 0) console.log(`  done in ${seconds()} s`);
    return code;
  } finally {
    clearInterval(timer);
  }
}

/** Runs a command with inherited input and output and returns its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      cwd: root,
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
      ...options,
      env: { ...process.env, ...options.env },
    });
    // Ctrl-C in a terminal already reaches the child: a second signal would kill it during its shutdown.
    const forward = (signal) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    child.on('error', (error) => {
      console.error(`Could not run ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      resolve(code ?? 1);
    });
  });
}

/** Runs a TypeScript file with the pinned Node. */
export function runScript(file, args = [], options = {}) {
  return run(pinnedNode, [join(root, file), ...args], options);
}

const PARENT_CHECK_MS = 500;

/** npm does not forward its signal: without this, stopping npm leaves us running. */
export function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

/** Runs the body of a script: prints an error's message without its stack and sets the exit code. */
export async function main(body) {
  try {
    if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
      throw new Error(
        `This needs Node ${OLDEST_NODE} or newer to begin with; this is ${process.version}. Install one from https://nodejs.org`,
      );
    }
    process.exitCode = await body(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
