import { setTimeout as passed } from 'node:timers/promises';
import type { ExitCode, Terminal } from '../command.ts';
import { listenForEnd } from '../live/ending.ts';
import {
  findRunningRelay,
  openRunningRelay,
  type Patience,
  type RunningRelay,
} from '../relay/local-relay.ts';
import { followedEvents } from './event-stream.ts';
import { jsonScreen, personScreen } from './task-screen.ts';
import { type Followed, type TaskView, taskPath } from './task-view.ts';

export interface TaskRunOptions {
  readonly prompt: string;
  readonly url?: string | undefined;
  readonly schema?: object | undefined;
  readonly runtime?: string | undefined;
  /** Limits, by the relay's names. */
  readonly metadata: Readonly<Record<string, number>>;
  readonly json: boolean;
}

/** Starts the task, shows its progress, forwards the person's answers, and prints the result. */
export async function runTask(
  folder: string,
  options: TaskRunOptions,
  terminal: Terminal,
  patience: Patience = {},
): Promise<ExitCode> {
  const { prompt, url, schema, runtime, metadata, json } = options;
  let relay = await openRunningRelay(folder, patience);
  using closing = new DisposableStack();
  const ending = listenForEnd();
  closing.defer(ending.close);
  const task = await relay.call('POST /api/tasks', {
    body: {
      ...{ prompt, metadata },
      ...(url !== undefined && { url }),
      ...(schema !== undefined && { schema }),
      ...(runtime !== undefined && { runtime }),
    },
  });
  const { task_id } = task;
  if (json) terminal.print(JSON.stringify({ event: 'accepted', ...task }));
  const path = taskPath(task);
  const complain = (error: unknown): void =>
    terminal.printError(error instanceof Error ? error.message : String(error));
  void ending.asked.then(() => {
    terminal.printError('Cancelling the task. Press Ctrl-C again to leave at once.');
    return relay.call('DELETE /api/tasks/{task_id}', { task_id }).catch(complain);
  });
  const answer = (text: string): void =>
    void relay.call('POST /api/tasks/{task_id}/answer', { task_id, body: { answer: text } }).catch(complain);
  const screen = json ? jsonScreen(terminal) : personScreen(terminal, answer);
  closing.defer(screen.close);

  let after = 0;
  for (;;) {
    const end = await follow(relay, `${path}/events?after=${after}`, (followed) => {
      if (followed.kind === 'event') after = followed.event.sequence;
      screen.show(followed);
    });
    if (end !== undefined) return end.state === 'completed' ? 0 : 1;
    relay = await comeBack(folder, task, terminal);
  }
}

/** The task at its end; undefined if the stream was lost. */
async function follow(
  relay: RunningRelay,
  path: string,
  show: (followed: Followed) => void,
): Promise<TaskView | undefined> {
  try {
    for await (const followed of followedEvents(await relay.open(path))) {
      show(followed);
      if (followed.kind === 'end') return followed.task;
    }
  } catch (error) {
    if (!isBroken(error)) throw error;
  }
  return undefined;
}

/** Socket errors have a code (ECONNRESET); refusals of the relay have none. */
const isBroken = (error: unknown): boolean => error instanceof Error && 'code' in error;

const TRIES = 30;
const PAUSE_MS = 1_000;

/** A restarted relay continues the task, and so does this command. */
async function comeBack(
  folder: string,
  { task_id }: TaskView,
  { printError }: Terminal,
): Promise<RunningRelay> {
  printError('No connection to the relay. Trying again…');
  for (let tries = 0; tries < TRIES; tries++) {
    const relay = await findRunningRelay(folder);
    if (relay !== undefined) return relay;
    await passed(PAUSE_MS);
  }
  throw new Error(`The relay is still unreachable. Once it runs: drawbridge task show ${task_id}`);
}
