import type { Command } from '../command.ts';
import {
  checkWishes,
  LENDING_HELP,
  LENDING_OPTIONS,
  readLiveArguments,
  readPort,
} from '../live/live-arguments.ts';

const DEFAULT_PORT = '7717';

export const browser: Command = {
  name: 'browser',
  summary: 'lend a browser to agents, and watch what they do',
  help: `drawbridge browser [--url URL] [--map FILE]… [--headless]
drawbridge browser --attach URL [--lend TEXT]…

Starts Chromium, or uses a running one, and lends its tabs to
the agents of this machine until Ctrl-C. What cannot be undone
is asked for in this terminal. drawbridge mcp finds it by
itself.

${LENDING_HELP}
  --port PORT     where agents come in, on this machine only
                  (${DEFAULT_PORT} unless given; 0 for any)
  --json          one JSON object a line:
                  {"event":"listening","url","pid","file"},
                  then runtime, gone, call and answer

The file bridge.json in the data folder says how to come in;
only you can read it, and it is removed at the end.

Example:
  drawbridge browser --map maps/shop/actions.json \\
    --url http://127.0.0.1:7720`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      ...LENDING_OPTIONS,
      port: { type: 'string' },
    });
    checkWishes(values, positionals);
    const port = readPort(values.port ?? DEFAULT_PORT);
    const { lendBrowser } = await import('./lent-browser.ts');
    return lendBrowser({ ...values, port }, terminal);
  },
};
