import { type Command, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { readLiveArguments } from '../live/live-arguments.ts';
import type { RunningRelay } from '../relay/local-relay.ts';

export const DATA_HELP = `  --data DIR  data folder (DRAWBRIDGE_HOME, or
              ~/.drawbridge)`;

interface Asked {
  readonly relay: RunningRelay;
  readonly terminal: Terminal;
  readonly json: boolean;
}

/** A command that calls the running relay; `wanted` names its argument, if any. */
export function command(
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
      if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`);
      if (wanted !== undefined && name === undefined) throw new UsageError(`Give ${wanted}.`);
      const folder = await openDataFolder(values.data);
      const { openRunningRelay } = await import('../relay/local-relay.ts');
      const relay = await openRunningRelay(folder.path);
      return act({ relay, terminal, json: values.json === true }, name ?? '');
    },
  };
}
