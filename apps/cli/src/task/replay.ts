import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';

export const taskReplay: Command = {
  name: 'task replay',
  summary: 'do what a task did once more, without a model',
  help: `drawbridge task replay ID|FILE [--runtime ID]
drawbridge task replay ID --out FILE

Opens the page that the task began on, and does each act that
went well again. It stops at the first that fails or leads
elsewhere. What cannot be undone is asked of you, as ever.

  --runtime ID  the browser to use, where there are several
  --out FILE    writes what the task did to a new file instead
  --data DIR    Drawbridge's folder (DRAWBRIDGE_HOME, else
                ~/.drawbridge)
  --json        one act a line, and last {"ok","done","problem"}

The exit code is 1 if it came to a stop.

Example:
  drawbridge task replay task_4f`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      runtime: { type: 'string' },
      out: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    });
    const [meant, extra] = positionals;
    if (meant === undefined) throw new UsageError('Say which task: its ID, or the FILE of its trace.');
    if (extra !== undefined) throw new UsageError(`What is "${extra}"?`);
    const { runtime, out, json = false } = values;
    if (runtime !== undefined && out !== undefined)
      throw new UsageError('--out uses no browser: leave --runtime out.');
    const folder = await openDataFolder(values.data);
    const { replayTask } = await import('./replay-run.ts');
    return replayTask(folder.path, { meant, runtime, out, json }, terminal);
  },
};
