import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  runtime: { type: 'string', value: 'ID', help: 'the browser to use, if there are several' },
  out: { type: 'string', value: 'FILE', help: "write the task's trace to a new file instead" },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: 'one step per line, and last {"ok","done","problem"}' },
} as const satisfies Options;

export const taskReplay: Command = {
  name: 'task replay',
  summary: 'run the steps of a task again, without a model',
  help: `drawbridge task replay ID|FILE [--runtime ID]
drawbridge task replay ID --out FILE

Opens the task's first page, and repeats each step that worked.
Stops at the first step that fails or ends up elsewhere. You
approve what can't be undone, as always.

${optionLines(OPTIONS)}

The exit code is 1 if a step failed.

Example:
  drawbridge task replay task_4f`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [meant, extra] = positionals;
    if (meant === undefined) throw new UsageError('Give the task’s ID, or the FILE of its trace.');
    if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
    const { runtime, out, json = false } = values;
    if (runtime !== undefined && out !== undefined)
      throw new UsageError('--out uses no browser. Remove --runtime.');
    const folder = await openDataFolder(values.data);
    const { replayTask } = await import('./replay-run.ts');
    return replayTask(folder.path, { meant, runtime, out, json }, terminal);
  },
};
