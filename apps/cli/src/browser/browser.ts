import type { Command } from '../command.ts';
import { checkOptions, LENDING_OPTIONS, readPort } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const DEFAULT_PORT = '7717';

const OPTIONS = {
  ...LENDING_OPTIONS,
  own: { type: 'boolean', help: 'do not join a relay' },
  port: {
    type: 'string',
    value: 'PORT',
    help: `port for agents on this machine
(${DEFAULT_PORT} unless given; 0 for any);
not used with a relay`,
  },
  json: {
    type: 'boolean',
    help: 'one JSON object per line:\n{"event":"listening","url","pid","file"} or\n{"event":"joined","url","device_id","label"},\nthen runtime, gone, call and answer, and\nrelay, when that is away or back',
  },
} as const satisfies Options;

export const browser: Command = {
  name: 'browser',
  summary: 'lend a browser to agents, and watch what they do',
  help: `drawbridge browser [--url URL] [--map FILE]… [--headless]
drawbridge browser --attach URL [--lend TEXT]…

Starts Chromium, or uses a running one, and lends its tabs to
agents until Ctrl-C.

If a relay runs with the data folder (drawbridge up), the
browser joins it as a device: the relay's agents can use it,
and people paired with the relay approve what can't be undone.
Otherwise, and with --own, only agents on this machine can use
it, and you approve in this terminal. drawbridge mcp finds the
browser either way.

${optionLines(OPTIONS)}

Without a relay, bridge.json in the data folder tells agents
how to connect until the browser closes. With a relay, the
device is kept in browser-device.json. Only you can read them.

Example:
  drawbridge browser --map maps/shop/actions.json \\
    --url http://127.0.0.1:7720`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    checkOptions(values, positionals);
    const port = readPort(values.port ?? DEFAULT_PORT);
    const { lendBrowser } = await import('./lent-browser.ts');
    return lendBrowser({ ...values, port }, terminal);
  },
};
