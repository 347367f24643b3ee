import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { requestOf } from '@drawbridge/protocol/http-call';
import { stepActionOf } from '@drawbridge/protocol/sentences';
import { readOwnerFile } from '@drawbridge/relay';
import { type BodyCall, createCallBody, replayTrace, type TaskTrace } from '@drawbridge/runtime/task';
import { plainText } from '../ask/plain-text.ts';
import type { ExitCode, Terminal } from '../command.ts';
import { listenForEnd } from '../live/ending.ts';
import { counted, paintFor, widthOf, wrap } from '../map/paint.ts';
import { type JoinedBridge, joinBridge } from '../mcp/joined-bridge.ts';
import { openRunningRelay, type RunningRelay } from '../relay/local-relay.ts';

export interface ReplayOptions {
  readonly meant: string;
  readonly runtime?: string | undefined;
  readonly out?: string | undefined;
  readonly json: boolean;
}

export async function replayTask(
  folder: string,
  options: ReplayOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { meant, runtime, out, json } = options;
  using closing = new DisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const relay = await openRunningRelay(folder);
  const trace = (await readTrace(meant)) ?? (await askTrace(relay, meant));
  if (out !== undefined) {
    await writeFile(out, `${JSON.stringify(trace)}\n`, { flag: 'wx', mode: 0o600 });
    terminal.print(`The task’s trace is in ${out}, with ${counted(trace.steps.length, 'act')}.`);
    return 0;
  }
  const bridge = await joinAsAgent(folder);
  closing.defer(bridge.close);
  const stop = new AbortController();
  void ending.asked.then(() => stop.abort());
  const call = callTo(bridge, chosenRuntime(bridge, runtime));
  await call('browser.navigate', { url: trace.start }, stop.signal);
  const paint = paintFor(terminal);
  const done = new Map(trace.steps.map((step) => [step.index, step]));
  const report = await replayTrace(trace, createCallBody(call), {
    signal: stop.signal,
    onStep(index, acted) {
      const { action = '', subject } = done.get(index) ?? {};
      if (json) return terminal.print(JSON.stringify({ index, action, ok: acted.ok }));
      const taskAction = plainText(stepActionOf(action, subject?.name), widthOf(terminal) - 2);
      return terminal.print(`${acted.ok ? paint.good('✓') : paint.bad('✗')} ${taskAction}`);
    },
  });
  if (json) terminal.print(JSON.stringify(report));
  else if (report.ok) terminal.print(paint.good(`Done: ${counted(report.done, 'act')}.`));
  else
    for (const line of wrap(plainText(report.problem?.message ?? 'It stopped.', 400), widthOf(terminal)))
      terminal.print(paint.bad(line));
  return report.ok ? 0 : 1;
}

/** Undefined if the file is missing. */
async function readTrace(file: string): Promise<TaskTrace | undefined> {
  const saved = await readFile(file, 'utf8').catch(() => undefined);
  return saved === undefined ? undefined : parseTrace(saved, file);
}

function parseTrace(saved: string, file: string): TaskTrace {
  try {
    const trace = JSON.parse(saved);
    if (trace?.trace === 1 && Array.isArray(trace.steps)) return trace;
  } catch {
    // Not JSON: reported below.
  }
  throw new Error(`${file} is not a task’s trace. To write one: drawbridge task replay ID --out FILE`);
}

async function askTrace(relay: RunningRelay, task_id: string): Promise<TaskTrace> {
  const { path } = requestOf('GET /api/tasks/{task_id}/trace', { task_id });
  return parseTrace(await text(await relay.open(path)), path);
}

async function joinAsAgent(folder: string): Promise<JoinedBridge> {
  const { url, token } = (await readOwnerFile(folder)) ?? {};
  const joined =
    url === undefined || token === undefined
      ? undefined
      : await joinBridge({ url, token, pid: process.pid }, () => Promise.resolve(true));
  if (joined !== undefined) return joined;
  throw new Error('The relay refused this agent. Restart it: drawbridge up');
}

function chosenRuntime(bridge: JoinedBridge, wanted: string | undefined): string {
  const there = bridge.runtimes().map(({ runtime_id }) => runtime_id);
  const [only, ...others] = wanted === undefined ? there : there.filter((id) => id === wanted);
  if (only !== undefined && others.length === 0) return only;
  if (there.length === 0) throw new Error('No browser is connected. Start one: drawbridge browser');
  const ids = there.map((id) => `\n  ${plainText(id, 256)}`).join('');
  throw new Error(`Choose a browser with --runtime:${ids}`);
}

function callTo(bridge: JoinedBridge, runtime_id: string): BodyCall {
  return async (name, args, signal, timeout_ms) => {
    const { output, cancel } = bridge.call({
      ...{ name, arguments: { ...args }, runtime_id },
      ...(timeout_ms !== undefined && { timeout_ms }),
    });
    const stop = (): void => cancel('stopped in the terminal');
    signal.addEventListener('abort', stop);
    try {
      return await output;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
