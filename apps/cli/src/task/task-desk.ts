import { type Command, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';
import type { RunningRelay } from '../relay/local-relay.ts';
import { followedEvents } from './event-stream.ts';
import { jsonScreen, personScreen } from './task-screen.ts';
import { type TaskView, taskPath } from './task-view.ts';
import { listLines, showLines } from './task-words.ts';

const DATA_HELP = `  --data DIR  the relay's folder (DRAWBRIDGE_HOME, else
              ~/.drawbridge)`;

interface Asked {
  readonly relay: RunningRelay;
  readonly terminal: Terminal;
  readonly json: boolean;
}

/** A command about tasks that are there already; `wanted` says what follows its name, if anything does. */
function command(
  about: Pick<Command, 'name' | 'summary' | 'help'>,
  wanted: string | undefined,
  act: (asked: Asked, name: string) => Promise<ExitCode>,
): Command {
  return {
    ...about,
    async run(args, terminal) {
      const { values, positionals } = readLiveArguments(args, {
        data: { type: 'string' },
        json: { type: 'boolean' },
      });
      const [name, extra] = wanted === undefined ? [undefined, positionals[0]] : positionals;
      if (extra !== undefined) throw new UsageError(`What is "${extra}"?`);
      if (wanted !== undefined && name === undefined) throw new UsageError(`Say ${wanted}.`);
      const folder = await openDataFolder(values.data);
      const { openRunningRelay } = await import('../relay/local-relay.ts');
      const relay = await openRunningRelay(folder.path);
      return act({ relay, terminal, json: values.json === true }, name ?? '');
    },
  };
}

const listed = async (relay: RunningRelay): Promise<readonly TaskView[]> =>
  (await relay.ask<{ tasks: readonly TaskView[] }>('GET', '/api/tasks')).tasks;

/** Its id, or the start of it. */
async function meantTask(relay: RunningRelay, meant: string): Promise<TaskView> {
  const exact = await relay
    .ask<TaskView>('GET', `/api/tasks/${encodeURIComponent(meant)}`)
    .catch(() => undefined);
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
    help: `drawbridge task list [--json]\n\n${DATA_HELP}\n  --json      one task a line`,
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
    summary: 'show what a task did, and what came of it',
    help: `drawbridge task show ID [--json]

Follows it to its end when it still runs. ID may be the start
of it.

${DATA_HELP}
  --json      one event a line, and last the task`,
  },
  'which task: its ID',
  async ({ relay, terminal, json }, meant) => {
    const found = await meantTask(relay, meant);
    const answer = (text: string): void =>
      void relay
        .ask('POST', `${taskPath(found)}/answer`, { answer: text })
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
    help: `drawbridge task cancel ID\n\nID may be the start of it.\n\n${DATA_HELP}`,
  },
  'which task: its ID',
  async ({ relay, terminal, json }, meant) => {
    const found = await meantTask(relay, meant);
    const cancelled = await relay.ask<TaskView>('DELETE', taskPath(found));
    terminal.print(json ? JSON.stringify(cancelled) : 'The task is cancelled.');
    return 0;
  },
);
