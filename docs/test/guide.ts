import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Block, blocksOf, commandsIn } from './blocks.ts';
import { isNotRun } from './not-run.ts';
import { connectPerson } from './person.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Guards against a test run that never ends. */
const LIMIT_MS = 300_000;
const RUNNERS: Readonly<Record<string, readonly [program: string, ending: string]>> = {
  ts: ['node', 'ts'],
  js: ['node', 'mjs'],
  python: ['python3', 'py'],
};

/** An expected line that a step did not print. */
export interface Miss {
  readonly line: string;
  readonly output: string;
}

export interface FollowedGuide extends AsyncDisposable {
  readonly folder: string;
  readonly commands: readonly string[];
  readonly misses: readonly Miss[];
}

export interface GuideOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Texts of the page, and their replacements in a test, such as addresses. */
  readonly replace?: Readonly<Record<string, string>>;
  readonly isRun?: (command: string) => boolean;
  /** A folder with programs as a person has them, in place of one that looks like a clone. */
  readonly folder?: string;
}

/** Runs the commands of a page, except those in `not-run.ts`. */
export async function followGuide(page: string, options: GuideOptions = {}): Promise<FollowedGuide> {
  const { isRun = () => true } = options;
  const markdown = await readFile(join(ROOT, page), 'utf8');
  return follow(markdown, { ...options, isRun: (command) => !isNotRun(page, command) && isRun(command) });
}

/** Runs in a temporary folder that looks like the root of a clone and is also the home folder, or in a given one. */
export async function follow(markdown: string, options: GuideOptions = {}): Promise<FollowedGuide> {
  const { replace = {}, isRun = () => true } = options;
  await using opening = new AsyncDisposableStack();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'drawbridge-guide-')));
  const env = options.folder === undefined ? await likeClone(folder) : process.env;
  if (options.folder === undefined)
    opening.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const shell = openShell(folder, { ...env, ...options.env });
  opening.defer(shell.stop);
  const commands: string[] = [];
  const misses: Miss[] = [];
  let told: Told | undefined;
  for (const block of blocksOf(markdown)) {
    const text = Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), block.text);
    if (block.file !== undefined) await write(join(folder, block.file), text);
    if (block.section !== undefined) await putInto(join(folder, block.section), text);
    if (block.language === 'text') misses.push(...(await missesIn(text, told)));
    else told = undefined;
    // Later blocks depend on the background command that did not start.
    if (told?.isBackground && misses.length > 0) break;
    const script = await scriptOf(block, text, folder, isRun, commands.length);
    if (script.length === 0) continue;
    commands.push(...script);
    if (block.flags.includes('stopped')) await shell.stop();
    if (block.flags.includes('background')) {
      told = shell.start(script.join('\n'));
      continue;
    }
    await using _person = block.flags.includes('allowed')
      ? await connectPerson((await shell.run('drawbridge pair --json')).output)
      : undefined;
    const { output, code } = await shell.run(script.join('\n'));
    told = { isBackground: false, output: () => output, more: () => undefined };
    if ((code !== 0) !== block.flags.includes('fails'))
      misses.push({ line: `${script.join('\n')} (exit code ${code})`, output });
  }
  const opened = opening.move();
  return { folder, commands, misses, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** A page's own words are filtered before anything is replaced in them: `not-run.ts` has them as they stand there. */
async function scriptOf(
  block: Block,
  text: string,
  folder: string,
  isRun: (command: string) => boolean,
  count: number,
): Promise<string[]> {
  if (block.language === 'sh') {
    const said = commandsIn(block);
    return commandsIn({ text }).filter((_, index) => isRun(said[index] ?? ''));
  }
  const runner = RUNNERS[block.language];
  if (runner === undefined || !block.flags.includes('run') || !isRun(firstLine(block.text))) return [];
  const name = block.file ?? `snippet-${count}.${runner[1]}`;
  await write(join(folder, name), text);
  return [`${runner[0]} ${name}`];
}

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** As a person would: the section goes before the last brace of the file. */
async function putInto(path: string, section: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  const end = text.lastIndexOf('}');
  await writeFile(path, `${text.slice(0, end).trimEnd()},\n${section}}\n`);
}

interface Told {
  readonly isBackground: boolean;
  readonly output: () => string;
  /** Resolves when there may be more of it; undefined once there is no more. */
  readonly more: () => Promise<unknown> | undefined;
}

interface Shell {
  readonly run: (script: string) => Promise<{ readonly output: string; readonly code: number }>;
  readonly start: (script: string) => Told;
  /** Ends what runs in the background. */
  readonly stop: () => Promise<void>;
}

/** Returns the variables of a shell in it. */
async function likeClone(folder: string): Promise<NodeJS.ProcessEnv> {
  for (const name of ['node_modules', 'maps', 'testbed', 'packages', 'apps', 'examples', 'package.json'])
    await symlink(join(ROOT, name), join(folder, name));
  // The real one takes a second to find what is there.
  await write(join(folder, '.bin/npx'), '#!/bin/sh\nexec "$@"\n');
  await chmod(join(folder, '.bin/npx'), 0o755);
  // As `drawbridge path` does.
  await symlink(join(ROOT, 'apps/cli/bin/drawbridge.mjs'), join(folder, '.bin/drawbridge'));
  const bins = [join(folder, '.bin'), join(ROOT, 'node_modules/node/bin'), join(ROOT, 'node_modules/.bin')];
  const { DRAWBRIDGE_HOME: _, ...inherited } = process.env;
  return {
    ...inherited,
    PATH: [...bins, process.env['PATH']].join(':'),
    HOME: folder,
    NODE_NO_WARNINGS: '1',
    // Halves what each of a hundred short programs costs: https://nodejs.org/api/module.html#module-compile-cache
    NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
  };
}

function openShell(folder: string, env: NodeJS.ProcessEnv): Shell {
  const running: ChildProcess[] = [];
  return {
    run: (script) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 1e8 };
        const child = execFile('sh', ['-ec', script], options, (error, stdout, stderr) =>
          resolve({ output: stdout + stderr, code: error === null ? 0 : Number(error.code ?? 1) }),
        );
        // A person who types nothing more: what reads to the end comes to one.
        child.stdin?.end();
      }),
    start(script) {
      const child = spawn('sh', ['-ec', script], { cwd: folder, env, detached: true });
      running.push(child);
      // A test that ran out of time disposes of nothing.
      process.once('exit', () => endGroup(child));
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes: Buffer) => {
          output += bytes.toString();
        });
      let isOver = false;
      const closed = once(child, 'close').then(() => {
        isOver = true;
      });
      const more = () => Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed]);
      return { isBackground: true, output: () => output, more: () => (isOver ? undefined : more()) };
    },
    async stop() {
      for (const child of running.splice(0)) {
        const closed = once(child, 'close');
        if (endGroup(child)) await closed;
      }
    },
  };
}

/** False when the process has already exited. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // The process has just exited; its exit event follows.
  }
  return true;
}

/** Expects the lines in order, with any others between them; … matches anything. */
async function missesIn(expected: string, told: Told | undefined): Promise<Miss[]> {
  if (told === undefined) return [];
  const until = Date.now() + LIMIT_MS;
  while (true) {
    const misses = missing(expected, told.output());
    const more = told.more();
    if (misses.length === 0 || more === undefined || Date.now() > until) return misses;
    await Promise.race([more, setTimeout(LIMIT_MS, undefined, { ref: false })]);
  }
}

function missing(expected: string, output: string): Miss[] {
  const came = output.split('\n');
  let from = 0;
  return expected
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '…')
    .flatMap((line) => {
      const pattern = new RegExp(`^${line.split('…').map(RegExp.escape).join('.*')}$`, 'u');
      const at = came.findIndex((one, index) => index >= from && pattern.test(one.trimEnd()));
      if (at < 0) return [{ line, output }];
      from = at + 1;
      return [];
    });
}
