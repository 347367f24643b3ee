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

Does what README.md says, in a fresh clone with an empty home and nothing but Node and npm, and prints every
step with its time. Commits only: what is not committed is not in a clone.

  --no-chrome  where every Chrome is hidden; needs root on Linux
  --tests      npm test at the end, from nothing installed; a quarter of an hour or more on two cores
  --write      puts the table into docs/first-hour.md`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 30 * 60_000;
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
  const running = await begin(true);
  for (const command of others) {
    // Runs without a person to answer.
    const unattended = command === './drawbridge demo' ? `${command} --auto --fast` : command;
    await step(unattended, 'plays to its end', () => ended(shell(unattended)));
  }
  await elsewhere();
  await end(running);
  await end(await begin(false));
  if (args.includes('--tests')) {
    for (const folder of ['node_modules', '.cache'])
      rmSync(join(clone(), folder), { recursive: true, force: true });
    await step('npm test', 'from nothing installed: every check and test', () => ended(shell('npm test')));
  }
  const left = spawnSync('git', ['status', '--porcelain'], { cwd: clone(), encoding: 'utf8' }).stdout;
  if (left !== '') throw new Error(`The clone has changed files:\n${left}`);
  report();
}

/** Commands of the guides in a folder outside the clone, with `drawbridge` on the PATH. */
async function elsewhere() {
  const project = join(place, 'project');
  mkdirSync(project);
  const typed = (command) => start('sh', ['-c', `exec ${command}`], project);
  await step('./drawbridge path', 'puts the command on the PATH', () => ended(shell('./drawbridge path')));
  const [connect] = commandsOf(guide('docs/guides/first-agent.md')).filter((each) =>
    each.includes('connect'),
  );
  await step(connect, 'in another folder: writes there', async () => {
    await ended(typed(connect));
    readFileSync(join(project, '.mcp.json'));
  });
  const [task] = commandsOf(guide('docs/tasks.md'));
  await step(task, 'in another folder: runs in the shop', () => ended(typed(task)));
}

const guide = (name) => readFileSync(join(clone(), name), 'utf8');

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

async function begin(isFirst) {
  const what = isFirst ? 'npm start' : 'npm start, again';
  const child = shell(`npm start -- --port ${await freePort()}`);
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

/** Not 0: the shop would then take any port too, and the guides name its usual one. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** npm exits before the processes it started, and the next start would find the data folder locked. */
async function end({ child, url }) {
  await step('ending it', 'leaves nothing running', async () => {
    process.kill(child.pid, 'SIGTERM');
    await until({ exitCode: null, heard: '' }, () => !isAlive(-child.pid));
    if (await fetch(`${url}/healthz`).catch(() => undefined))
      throw new Error(`Something still answers at ${url}.`);
  });
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
Node and npm. The script reads the commands from [README.md](../README.md) and runs them. Two options are added: a free \`--port\`, because
the usual one may be taken, and \`--auto --fast\`, because nobody is there to answer.

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
