import type { SurfaceHost } from '@drawbridge/runtime';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { BROWSER_OPTIONS, checkOptions } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { onlyFile } from './arguments.ts';
import { untilEnter } from './record-end.ts';
import { openRecordedFile } from './recorded-file.ts';

/** Resolves when the person is done. Tests act instead. */
export type UntilDone = (terminal: Terminal, host: SurfaceHost) => Promise<void>;

const TOOL_NAME = /^[a-z][\w-]*(\.[\w-]+)*$/i;

const OPTIONS = {
  url: { type: 'string', value: 'URL', help: 'where to begin' },
  name: {
    type: 'string',
    value: 'TOOL',
    help: 'such as cart.add; otherwise named after the last thing you pressed',
  },
  replace: { type: 'boolean', help: 'write over a tool of that name' },
  replay: { type: 'boolean', help: 'run the new tool at once, without any model' },
  json: {
    type: 'boolean',
    help: 'one JSON object per line: {"event":"step",…},\nthen {"event":"written","file","tool",…}',
  },
  ...BROWSER_OPTIONS,
} as const satisfies Options;

export function createMapRecord(untilDone: UntilDone): Command {
  return {
    name: 'map record',
    summary: 'record a tool by doing it once by hand',
    help: `drawbridge map record FILE --url URL [--name TOOL]
                          [--replace] [--replay] [--json]

Opens a browser. Do there what the tool should do, then press
Enter here. Your steps become a tool of the map, the text you
typed becomes its arguments, and the page's last message
becomes the proof that it worked. Passwords and other secrets
are never recorded.

${optionLines(OPTIONS)}

FILE is created if needed; otherwise the tool is added to it.
A walk that tests it is written beside it: TOOL.walk.json.

Example:
  drawbridge map record shop/actions.json --name search.open \\
    --url https://shop.example --replay`,

    async run(args, terminal) {
      const { values, positionals } = readOptions(args, OPTIONS);
      const file = onlyFile(positionals);
      checkOptions(values);
      const { url, name } = values;
      if (url === undefined) throw new UsageError('Give the first page with --url URL.');
      if (name !== undefined && !TOOL_NAME.test(name))
        throw new UsageError(`--name takes a name such as cart.add, not "${name}".`);
      const target = await openRecordedFile(file, { url, name, replace: values.replace });
      const { recordTool } = await import('./tool-record.ts');
      return recordTool({ ...values, url, file }, target, untilDone, terminal);
    },
  };
}

export const mapRecord = createMapRecord(untilEnter);
