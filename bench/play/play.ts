import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Order, startRun } from './play-run.ts';
import { printSum } from './play-sum.ts';

const USAGE = `play start --program drawbridge|playwright|agent-browser --pages DIR --dir DIR
play tools --dir DIR             what a model is given before it starts
play task ID --dir DIR           opens a task in a fresh browser
play call TOOL JSON --dir DIR    calls a tool; "-" reads the JSON from standard input
play run --dir DIR -- COMMAND…   runs a command of agent-browser
play read FILE --dir DIR         a text file that an answer names, counted as an answer
play done [ANSWER…] --dir DIR    ends the task
play stop --dir DIR
play sum DIR…`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: 'drawbridge' },
    pages: { type: 'string', default: '.' },
    dir: { type: 'string', default: '.' },
  },
});
const [command = '', ...words] = positionals;
const folder = resolve(values.dir);
const socket = join(folder, 'play.sock');

switch (command) {
  case 'start':
    await start();
    break;
  case 'daemon':
    await serve();
    break;
  case 'sum':
    printSum(words);
    break;
  case 'tools':
  case 'stop':
    await say({ do: command });
    break;
  case 'task':
    await say({ do: 'task', id: words[0] ?? '' });
    break;
  case 'call': {
    const [tool = '', json = '{}'] = words;
    const args = JSON.parse(json === '-' ? await text(process.stdin) : json);
    await say({ do: 'call', call: { tool, args } });
    break;
  }
  case 'run':
    await say({ do: 'call', call: { argv: words.length === 1 ? wordsOf(words[0]) : words } });
    break;
  case 'read':
    await say({ do: 'read', file: words[0] ?? '' });
    break;
  case 'done':
    await say({ do: 'done', answer: words.join(' ') });
    break;
  default:
    console.log(USAGE);
}

/** Splits a line as a shell does. */
function wordsOf(line = ''): string[] {
  return (line.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => {
    if (word.startsWith('"')) return word.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    return word.startsWith("'") ? word.slice(1, -1) : word;
  });
}

async function start(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  if (existsSync(socket)) throw new Error(`A run uses ${folder}: play stop --dir ${values.dir}`);
  const given = ['--program', values.program, '--pages', resolve(values.pages), '--dir', folder];
  const daemon = spawn(process.execPath, [fileURLToPath(import.meta.url), 'daemon', ...given], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((ready, failed) => {
    daemon.stdout.once('data', () => ready());
    daemon.once('exit', (code) => failed(new Error(`The run ended with ${code}.`)));
  });
  console.log(`started: ${values.program}, records in ${folder}`);
  process.exit();
}

/** Answers one order per connection. */
async function serve(): Promise<void> {
  const obey = await startRun(values.program, values.pages, folder);
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    const order: Order = JSON.parse(await text(connection));
    connection.end(await obey(order).catch((error: unknown) => `Error: ${String(error)}`));
    if (order.do !== 'stop') return;
    connection.once('close', () => process.exit());
    rmSync(socket, { force: true });
  });
  server.listen(socket, () => console.log('ready'));
}

async function say(order: Order): Promise<void> {
  const connection = connect({ path: socket, allowHalfOpen: true });
  connection.end(JSON.stringify(order));
  console.log(await text(connection));
}
