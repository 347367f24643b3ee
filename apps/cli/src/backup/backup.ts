import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: '{"path","sessions","events"}' },
} as const satisfies Options;

export const backup: Command = {
  name: 'backup',
  summary: 'copy your data, and check the copy',
  help: `drawbridge backup DIR [--data DIR]

Copies the ledger, files, maps, permissions and keys into a new
folder, which only you can read, and reads the copied ledger
from its first row to its last. The relay can keep running.
Browser profiles and logs are not copied.

The copy is a data folder too. To restore it: drawbridge up
--data DIR, or replace the old folder while no relay runs.
Devices then load their conversations again.

${optionLines(OPTIONS)}

Example:
  drawbridge backup ~/backups/today`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [to, ...rest] = positionals;
    if (to === undefined || rest.length > 0) throw new UsageError('Name a new folder for the copy.');
    const { path } = await openDataFolder(values.data);
    const { backUpFolder } = await import('./folder-copy.ts');
    const copy = await backUpFolder(path, to);
    if (values.json === true) terminal.print(JSON.stringify(copy));
    else {
      const { sessions, events } = copy;
      terminal.print(`${counted(sessions, 'session')} and ${counted(events, 'event')} are in`);
      terminal.print(`${copy.path}, and whole.`);
    }
    return 0;
  },
};
