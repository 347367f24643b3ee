#!/usr/bin/env node
// Runs on any Node >= 20 with nothing installed: built-ins only.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const USAGE = `node scripts/fresh-clone.mjs [REPOSITORY] [--no-chrome] [--tests] [--write]

Does what README.md says, in a fresh clone with an empty home and nothing but Node and npm, follows four guides
word for word in folders outside the clone, and prints every step with its time. Commits only: what is not
committed is not in a clone. Needs the ports 7717, 7720 and 7722.

  --no-chrome  where every Chrome is hidden; needs root on Linux
  --tests      npm test at the end, from nothing installed; a quarter of an hour or more on two cores
  --write      puts the table into docs/first-hour.md`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 30 * 60_000;
const FREE_WITHIN_MS = 10 * 60_000;
/** Network and certificate settings belong to the machine, not to a home folder. */
const OF_THE_MACHINE = /^(?:PATH|LANG|(?:https?|no)_proxy|NODE_EXTRA_CA_CERTS|npm_config_registry)$/i;

const HIDDEN = '--hidden';
const args = process.argv.slice(2);
const steps = [];
const children = [];
let place = '';
const clone = () => join(place, 'clone');

async function main() {
  if (args.includes('--help')) return console.log(USAGE);
  place = mkdtempSync(join(tmpdir(), 'fresh-clone-'));
  mkdirSync(join(place, 'home'));
  const repository = args.find((arg) => !arg.startsWith('--')) ?? ROOT;
  await step('git clone', 'the sources are here', () =>
    ended(start('git', ['clone', '--quiet', repository, clone()], place)),
  );
  const commands = commandsOf(readFileSync(join(clone(), 'README.md'), 'utf8'));
  const [first, ...others] = commands;
  if (first !== 'npm start') throw new Error(`README.md begins with "${first}", and not with npm start.`);
  const running = await begin('');
  for (const command of others) {
    // Runs without a person to answer.
    const unattended = command === './drawbridge demo' ? `${command} --auto --fast` : command;
    await step(unattended, 'plays to its end', () => ended(shell(unattended)));
  }
  await step('./drawbridge path', 'puts the command on the PATH', () => ended(shell('./drawbridge path')));
  await followed('docs/guides/first-agent.md');
  await followed('docs/agents/steer.md');
  const board = shell('npm run board');
  await until(board, () => /board is open/.test(board.heard));
  await followed('docs/maps/write-a-map.md');
  await ending(board);
  await end(running);
  const again = await begin(' -- --task-clients');
  await followed('docs/tasks.md');
  await end(again);
  if (args.includes('--tests')) {
    for (const folder of ['node_modules', '.cache'])
      rmSync(join(clone(), folder), { recursive: true, force: true });
    await step('npm test', 'from nothing installed: every check and test', () => ended(shell('npm test')));
  }
  const left = spawnSync('git', ['status', '--porcelain'], { cwd: clone(), encoding: 'utf8' }).stdout;
  if (left !== '') throw new Error(`The clone has changed files:\n${left}`);
  report();
}

/** A guide, unchanged, in a folder outside the clone: its commands, programs, files and expected output. */
async function followed(page) {
  const project = join(place, 'projects', page.replaceAll(/\W/g, '-'));
  mkdirSync(project, { recursive: true });
  const node = join(clone(), 'node_modules/node/bin/node');
  const args = [join(clone(), 'docs/test/follow-here.ts'), page];
  await step(page, 'works word for word, in another folder', () => ended(start(node, args, project)));
}

/**
 * Runs this script again where no Chrome is found and no package can be installed, in mounts that nobody else sees.
 * Needs root.
 */
function withoutChrome() {
  const hide = `set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay overlay -o "lowerdir=/usr/bin,upperdir=$1/upper,workdir=$1/work" /usr/bin
cd /usr/bin && rm -f chromium* google-chrome* microsoft-edge* apt-get
cd "$2" && shift 2 && exec "$@"`;
  const folder = mkdtempSync(join(tmpdir(), 'hidden-'));
  const again = [process.execPath, process.argv[1], ...args, HIDDEN];
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', hide, 'sh', folder, process.cwd(), ...again], {
    stdio: 'inherit',
  });
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}

/** Commands of the page's ```sh blocks, without comments. */
function commandsOf(markdown) {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  return blocks.flatMap((text) => text.trim().split('\n')).map((line) => line.replace(/\s+# .*$/, '').trim());
}

async function begin(options) {
  const isFirst = options === '';
  const what = `npm start${options}`;
  // The guides name these.
  for (const port of [7717, 7720]) await untilFree(port);
  const child = shell(what);
  const said = (pattern) => until(child, () => pattern.exec(child.heard)?.[0]);
  let url = '';
  await step(what, 'the relay answers with the web app', async () => {
    url = await said(/http:\/\/127\.0\.0\.1:\d+/);
    const page = await (await fetch(url)).text();
    if (!page.includes('<script')) throw new Error(`No web app is at ${url}.`);
  });
  if (isFirst) {
    await step('the link that it prints', 'lets a device in', async () => {
      const link = new URL(await said(/http:\S+#pair=\S+/));
      const body = JSON.stringify({ secret: link.hash.replace('#pair=', ''), as: 'token' });
      const headers = { 'content-type': 'application/json' };
      const paired = await fetch(`${url}/api/pair`, { method: 'POST', headers, body });
      if (!paired.ok) throw new Error(`The link did not pair: HTTP ${paired.status}.`);
    });
  }
  await step('the shop that it names', 'is open', async () => {
    const shop = (await said(/shop is open at http:\/\/[\w.:]+\d/)).replace(/^.* /, '');
    if (!(await fetch(shop)).ok) throw new Error(`Nothing answers at ${shop}.`);
  });
  await step('the browser', 'is lent to agents, or it is said why not', () => said(/Agents can use/));
  return { child, url };
}

async function untilFree(port) {
  const limit = Date.now() + FREE_WITHIN_MS;
  while (await isTaken(port)) {
    if (Date.now() > limit)
      throw new Error(`Port ${port} is in use, and the guides name it. End that Drawbridge.`);
    await setTimeout(500);
  }
}

async function isTaken(port) {
  const server = createServer();
  const listening = once(server, 'listening').then(() => false);
  server.listen(port, '127.0.0.1');
  const taken = await Promise.race([listening, once(server, 'error').then(() => true)]).catch(() => true);
  server.close();
  return taken;
}

/** npm exits before the processes it started, and the next start would find the data folder locked. */
async function end({ child, url }) {
  await step('ending it', 'leaves nothing running', async () => {
    await ending(child);
    if (await fetch(`${url}/healthz`).catch(() => undefined))
      throw new Error(`Something still answers at ${url}.`);
  });
}

async function ending({ pid }) {
  process.kill(pid, 'SIGTERM');
  await until({ exitCode: null, heard: '' }, () => !isAlive(-pid));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function step(what, result, body) {
  const started = Date.now();
  await body();
  const seconds = (Date.now() - started) / 1000;
  steps.push({ what, result, seconds });
  console.log(`${seconds.toFixed(1).padStart(8)} s  ${what}: ${result}`);
}

const shell = (command) => start('sh', ['-c', `exec ${command}`], clone());

function start(program, programArgs, cwd) {
  const machine = Object.entries(process.env).filter(([name]) => OF_THE_MACHINE.test(name));
  // Removes this clone's programs: a new user does not have them on the PATH.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.startsWith(ROOT));
  const env = {
    ...Object.fromEntries(machine),
    PATH: [join(place, 'home/.local/bin'), ...path].join(':'),
    HOME: join(place, 'home'),
    TERM: 'dumb',
  };
  const child = spawn(program, programArgs, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  child.heard = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      child.heard += bytes;
    });
  children.push(child);
  return child;
}

async function ended(child) {
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`It ended with ${code}:\n${child.heard.slice(-4000)}`);
}

async function until(child, look) {
  const limit = Date.now() + LIMIT_MS;
  while (Date.now() < limit) {
    const found = look();
    if (found) return found;
    if (child.exitCode !== null)
      throw new Error(`It ended with ${child.exitCode}:\n${child.heard.slice(-4000)}`);
    await setTimeout(100);
  }
  throw new Error(`No result within half an hour:\n${child.heard.slice(-4000)}`);
}

function report() {
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const npm = spawnSync('npm', ['--version'], { encoding: 'utf8' }).stdout.trim();
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}, npm ${npm}`;
  const page = `# The first hour

Made by \`node scripts/fresh-clone.mjs${args
    .filter((arg) => arg !== HIDDEN)
    .map((arg) => ` ${arg.startsWith('--') ? arg : 'REPOSITORY'}`)
    .join('')}\`: a fresh clone, an empty home, nothing but
Node and npm${args.includes('--no-chrome') ? ', every Chrome hidden' : ''}. The script runs the commands of [README.md](../README.md), then follows four guides unchanged in folders
outside the clone. Nobody is there to answer: \`--auto --fast\` is added to the demo, and a program allows what the first guide’s agent asks.

Machine: ${machine}. In the home folder afterwards: ${readdirSync(join(place, 'home')).sort().join(', ')}. In the clone: nothing that git would see.

| step | result | seconds |
|---|---|---|
${steps.map(({ what, result, seconds }) => `| ${what} | ${result} | ${seconds.toFixed(1)} |`).join('\n')}
| | total | ${total.toFixed(1)} |
`;
  if (args.includes('--write')) writeFileSync(join(ROOT, 'docs/first-hour.md'), page);
  else console.log(`\n${page}`);
}

if (args.includes('--no-chrome') && !args.includes(HIDDEN)) process.exit(withoutChrome());
try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  for (const { pid } of children) if (isAlive(-pid)) process.kill(-pid, 'SIGKILL');
  if (place !== '') rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}
