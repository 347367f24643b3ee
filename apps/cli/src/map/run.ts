import { isObject } from '@drawbridge/protocol/manifest';
import { type Command, UsageError } from '../command.ts';
import { BROWSER_OPTIONS, checkOptions } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { addressFor, requireMap, requireOrigin } from './live-map.ts';
import { readMapFile } from './map-file.ts';

const OPTIONS = {
  args: { type: 'string', value: 'JSON', help: 'the tool\'s input: \'{"query":"lamp"}\'' },
  url: {
    type: 'string',
    value: 'URL',
    help: "where to go first: an address, or a path of the map's own site (its origin unless given)",
  },
  yes: { type: 'boolean', help: "allow what can't be undone, in this run" },
  trace: { type: 'boolean', help: 'print every item that passes' },
  json: {
    type: 'boolean',
    help: 'one JSON object per line: {"event":"step",…},\nthen {"ok":true,"tool","output"} or\n{"ok":false,"tool","code","message",…}',
  },
  ...BROWSER_OPTIONS,
} as const satisfies Options;

export const mapRun: Command = {
  name: 'map run',
  summary: 'run one tool of a map on the real page',
  help: `drawbridge map run FILE TOOL [--args JSON] [--url URL]
                       [--yes] [--trace] [--json]

Opens the page in a browser and runs the tool as an agent
would: arguments, permission, state, steps and result are all
checked. Prints the result, or the error with its evidence.

${optionLines(OPTIONS)}

The exit code is 1 if the tool fails.

Example:
  drawbridge map run maps/shop/actions.json search.open \\
    --args '{"query":"lamp"}' --headless`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const [file, tool, ...more] = positionals;
    if (file === undefined || tool === undefined || more.length > 0)
      throw new UsageError('Give one FILE and one TOOL.');
    checkOptions({ ...values, url: undefined });
    const input = readInput(values.args ?? '{}');
    const map = requireMap(await readMapFile(file, terminal), values.json === true, terminal);
    if (map === undefined) return 1;
    const url = addressFor(map, values.url);
    requireOrigin(map, url);
    const { runTool } = await import('./tool-run.ts');
    return runTool({ ...values, url, file, tool, input }, terminal);
  },
};

function readInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`--args takes a JSON object, such as '{"query":"lamp"}'. In a shell, quote it.`);
}
