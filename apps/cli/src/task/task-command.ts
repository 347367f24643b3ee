import { type Command, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import type { RunningRelay } from '../relay/local-relay.ts';

/** Options of every such command; `json` says what `--json` prints. */
const taskOptions = (json: string) =>
  ({
    data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
    json: { type: 'boolean', help: json },
  }) as const satisfies Options;

interface Asked {
  readonly relay: RunningRelay;
  readonly terminal: Terminal;
  readonly json: boolean;
}

/** A command that calls the running relay; `wanted` names its argument, if any. */
export function command(
  about: Pick<Command, 'name' | 'summary'> & {
    readonly help: (options: string) => string;
    readonly json: string;
  },
  wanted: string | undefined,
  act: (asked: Asked, name: string) => Promise<ExitCode>,
): Command {
  const options = taskOptions(about.json);
  return {
    name: about.name,
    summary: about.summary,
    help: about.help(optionLines(options)),
    async run(args, terminal) {
      const { values, positionals } = readOptions(args, options);
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
