import type { RunningRelay } from '../relay/local-relay.ts';
import { followedEvents } from './event-stream.ts';
import { command } from './task-command.ts';
import { jsonScreen, personScreen } from './task-screen.ts';
import { type TaskView, taskPath } from './task-view.ts';
import { listLines, showLines } from './task-words.ts';

const listed = async (relay: RunningRelay): Promise<readonly TaskView[]> =>
  (await relay.call('GET /api/tasks')).tasks;

/** Finds a task by its id or a prefix. */
async function meantTask(relay: RunningRelay, meant: string): Promise<TaskView> {
  const exact = await relay.call('GET /api/tasks/{task_id}', { task_id: meant }).catch(() => undefined);
  if (exact !== undefined) return exact;
  const [one, ...others] = (await listed(relay)).filter(({ task_id }) => task_id.startsWith(meant));
  if (one !== undefined && others.length === 0) return one;
  const found = one === undefined ? 'No task has' : 'Several tasks have';
  throw new Error(`${found} an id that begins with "${meant}". See: drawbridge task list`);
}

export const taskList = command(
  {
    name: 'task list',
    summary: 'show the latest tasks, the newest first',
    help: (options) => `drawbridge task list [--json]

${options}

Example:
  drawbridge task list`,
    json: 'one task per line',
  },
  undefined,
  async ({ relay, terminal, json }) => {
    const tasks = await listed(relay);
    const lines = json ? tasks.map((task) => JSON.stringify(task)) : listLines(tasks, Date.now());
    for (const line of lines) terminal.print(line);
    return 0;
  },
);

export const taskShow = command(
  {
    name: 'task show',
    summary: 'show the steps and the result of a task',
    help: (options) => `drawbridge task show ID [--json]

Follows a running task to its end. ID may be the start of the
task's id.

${options}

Example:
  drawbridge task show task_4f`,
    json: 'one event per line, and last the task',
  },
  'the ID of the task',
  async ({ relay, terminal, json }, meant) => {
    const found = await meantTask(relay, meant);
    const answer = (text: string): void =>
      void relay
        .call('POST /api/tasks/{task_id}/answer', { task_id: found.task_id, body: { answer: text } })
        .catch(({ message }) => terminal.printError(message));
    const screen = json ? jsonScreen(terminal) : personScreen(terminal, answer);
    if (!json) for (const line of showLines(found, terminal, Date.now())) terminal.print(line);
    try {
      for await (const followed of followedEvents(await relay.open(`${taskPath(found)}/events`))) {
        screen.show(followed);
      }
    } finally {
      screen.close();
    }
    return 0;
  },
);

export const taskCancel = command(
  {
    name: 'task cancel',
    summary: 'end a task now',
    help: (options) => `drawbridge task cancel ID [--json]

ID may be the start of the task's id.

${options}

Example:
  drawbridge task cancel task_4f`,
    json: 'the task',
  },
  'the ID of the task',
  async ({ relay, terminal, json }, meant) => {
    const found = await meantTask(relay, meant);
    const cancelled = await relay.call('DELETE /api/tasks/{task_id}', { task_id: found.task_id });
    terminal.print(json ? JSON.stringify(cancelled) : 'The task is cancelled.');
    return 0;
  },
);
