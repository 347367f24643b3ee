import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { BridgeError, childEnvironment } from '@drawbridge/protocol';
import { browserBinary } from './browser-binary.ts';
import { pipeWire, type Wire } from './wire.ts';

export interface ProcessOptions {
  /** Defaults to the first browser in the usual places. */
  readonly executable?: string;
  readonly headless?: boolean;
  /** A profile folder to reuse. Without it a temporary one is created, and removed on close. */
  readonly profile?: string;
  readonly args?: readonly string[];
}

export interface BrowserProcess {
  readonly wire: Wire;
  readonly profile: string;
  readonly pid: number | undefined;
  readonly close: () => Promise<void>;
}

/** Keeps the browser quiet: no background requests, prompts or first-run pages. */
const FLAGS = [
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-search-engine-choice-screen',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
];
/** Pages register tools for agents: https://github.com/webmachinelearning/webmcp */
const FEATURES = ['WebMCP'];
const ENABLING = '--enable-features=';
const CLOSE_LIMIT_MS = 5_000;
/** Chromium's children still write for a moment after it exits: without retries, ENOTEMPTY. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * Uses a pipe, because an open debugging port gives every local program, and perhaps a page, the whole
 * browser. The browser exits when the pipe closes.
 */
export async function startBrowser(options: ProcessOptions): Promise<BrowserProcess> {
  const executable = options.executable ?? browserBinary();
  const profile = await profileFolder(options.profile);
  const child = spawn(executable, flagsFor(options, profile), {
    env: childEnvironment(process.env),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const lastWords = collectLastWords(child);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const removeProfile = async () => {
    if (options.profile === undefined) await rm(profile, REMOVAL);
  };
  try {
    await started(child, executable);
  } catch (error) {
    await removeProfile();
    throw error;
  }
  const wire = pipeWire(...pipesOf(child, executable));
  let closing: Promise<void> | undefined;
  return {
    wire: { ...wire, listen: (onText, onEnd) => wire.listen(onText, () => onEnd(lastWords())) },
    profile,
    pid: child.pid,
    close() {
      closing ??= endOf(child, exited).then(removeProfile);
      return closing;
    },
  };
}

async function profileFolder(named: string | undefined): Promise<string> {
  if (named === undefined) return mkdtemp(join(tmpdir(), 'drawbridge-browser-'));
  await mkdir(named, { recursive: true });
  return named;
}

function flagsFor({ headless = false, args = [] }: ProcessOptions, profile: string): string[] {
  // Chromium refuses its sandbox to root, the user of most containers.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  return [
    ...FLAGS,
    `--user-data-dir=${profile}`,
    ...(headless ? ['--headless=new', '--disable-gpu'] : []),
    ...(isRoot ? ['--no-sandbox'] : []),
    // Chromium reads only the last list.
    `${ENABLING}${[...FEATURES, ...enabledBy(args)].join(',')}`,
    ...args.filter((arg) => !arg.startsWith(ENABLING)),
    'about:blank',
  ];
}

const enabledBy = (args: readonly string[]): string[] =>
  args.filter((arg) => arg.startsWith(ENABLING)).flatMap((arg) => arg.slice(ENABLING.length).split(','));

function started(child: ChildProcess, executable: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', ({ message }) => reject(notStarted(executable, message)));
  });
}

function pipesOf(child: ChildProcess, executable: string): [Writable, Readable] {
  const [, , , input, output] = child.stdio;
  if (input instanceof Writable && output instanceof Readable) return [input, output];
  throw notStarted(executable, 'it has no debugging pipe');
}

/** Collects stderr, where an exiting browser names a locked profile or a missing library. */
function collectLastWords(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  return () => {
    const lines = said.trim().split('\n').slice(-3).join(' ');
    return child.exitCode === null || child.exitCode === 0
      ? 'the browser has ended'
      : `the browser ended with code ${child.exitCode}: ${lines}`;
  };
}

/** Closing the pipe lets the browser save its profile; then it is killed. */
async function endOf(child: ChildProcess, exited: Promise<void>): Promise<void> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const force = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
  if (!isOver()) {
    child.stdio[3]?.destroy();
    child.kill('SIGTERM');
    await exited;
  }
  clearTimeout(force);
}

function notStarted(executable: string, reason: string): BridgeError {
  const message = `${executable} could not be started: ${reason}. Set CHROME_PATH to a Chromium or Chrome.`;
  return new BridgeError('capability_unavailable', message, { evidence: { executable } });
}
