import type { Command } from '../command.ts';
import { checkOptions, LENDING_HELP, LENDING_OPTIONS, readLiveArguments } from '../live/live-arguments.ts';

export const mcp: Command = {
  name: 'mcp',
  summary: 'serve the browser to one agent over MCP (stdio)',
  help: `drawbridge mcp [--url URL] [--map FILE]… [--headless]
drawbridge mcp --attach URL --lend TEXT…

An MCP server on standard input and output, for a program that
starts it: drawbridge connect CLIENT shows how. On the first
call it joins the relay (drawbridge up) or the browser
(drawbridge browser) that runs with the data folder, and you
approve what can't be undone there. Otherwise, and with any
option but --data, it starts its own browser and asks through
the client, or in the terminal it was started from. If neither
can ask, it refuses.

${LENDING_HELP}
  --own           start a browser even if one is lent already

It ends when its standard input closes, and closes its browser.

Example:
  drawbridge connect claude --write`,

  async run(args, terminal) {
    const { json: _, ...options } = LENDING_OPTIONS;
    const { values, positionals } = readLiveArguments(args, { ...options, own: { type: 'boolean' } });
    checkOptions(values, positionals);
    const { serveMcp } = await import('./mcp-session.ts');
    return serveMcp(values, terminal);
  },
};
