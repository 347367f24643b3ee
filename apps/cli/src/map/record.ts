import type { SurfaceHost } from '@drawbridge/runtime';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { BROWSER_HELP, BROWSER_OPTIONS, checkOptions, readLiveArguments } from '../live/live-arguments.ts';
import { onlyFile } from './arguments.ts';
import { untilEnter } from './record-end.ts';
import { openRecordedFile } from './recorded-file.ts';

/** Resolves when the person is done. Tests act instead. */
export type UntilDone = (terminal: Terminal, host: SurfaceHost) => Promise<void>;

const TOOL_NAME = /^[a-z][\w-]*(\.[\w-]+)*$/i;

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

  --url URL       where to begin
  --name TOOL     such as cart.add; otherwise named after
                  the last thing you pressed
  --replace       write over a tool of that name
  --replay        run the new tool at once, without any model
  --json          one JSON object per line: {"event":"step",…},
                  then {"event":"written","file","tool",…}
${BROWSER_HELP}

FILE is created if needed; otherwise the tool is added to it.
A walk that tests it is written beside it: TOOL.walk.json.

Example:
  drawbridge map record shop/actions.json --name search.open \\
    --url https://shop.example --replay`,

    async run(args, terminal) {
      const { values, positionals } = readLiveArguments(args, {
        ...BROWSER_OPTIONS,
        name: { type: 'string' },
        replace: { type: 'boolean' },
        replay: { type: 'boolean' },
      });
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
