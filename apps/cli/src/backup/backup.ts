import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';
import { counted } from '../map/paint.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy everything that is yours, and check the copy',
  help: `drawbridge backup DIR [--data DIR]

Copies the ledger, files, maps, grants and keys into a new
folder, which only you can read, and reads the copied ledger
from its first row to its last. The relay may go on working
meanwhile. Browser profiles and logs stay behind.

The copy is a folder like the one that it was made of. To go
back to it: drawbridge up --data DIR, or put it in the place
of the old one while no relay runs. Devices notice, and load
their conversations anew.

  --data DIR  Drawbridge's folder (DRAWBRIDGE_HOME, else
              ~/.drawbridge)
  --json      {"path","sessions","events"}

Example:
  drawbridge backup ~/backups/today`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      data: { type: 'string' },
      json: { type: 'boolean' },
    });
    const [to, ...rest] = positionals;
    if (to === undefined || rest.length > 0) throw new UsageError('Into which new folder?');
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
