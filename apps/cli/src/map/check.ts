import type { Command } from '../command.ts';
import { BROWSER_OPTIONS, checkOptions } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { onlyFile } from './arguments.ts';
import { addressFor, requireMap } from './live-map.ts';
import { readMapFile } from './map-file.ts';

const OPTIONS = {
  url: {
    type: 'string',
    value: 'URL',
    help: "which page: an address, or a path of the map's own site (its origin unless given)",
  },
  json: { type: 'boolean', help: 'one JSON object:\n{"file","url","ok","counts","parts":[…]}' },
  ...BROWSER_OPTIONS,
} as const satisfies Options;

export const mapCheck: Command = {
  name: 'map check',
  summary: 'check a map against the real page',
  help: `drawbridge map check FILE [--url URL] [--json]

Opens the page and looks for everything in the map: checks,
states, targets, attachments, projections. Where something is
gone, suggests a replacement. Changes nothing.

${optionLines(OPTIONS)}

The exit code is 1 if something is missing or could not be
checked.

Example:
  drawbridge map check shop/actions.json --url /cart --headless`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    const file = onlyFile(positionals);
    checkOptions({ ...values, url: undefined });
    const map = requireMap(await readMapFile(file, terminal), values.json === true, terminal);
    if (map === undefined) return 1;
    const url = addressFor(map, values.url);
    const { checkPage } = await import('./page-check.ts');
    return checkPage({ ...values, url, file }, map, terminal);
  },
};
