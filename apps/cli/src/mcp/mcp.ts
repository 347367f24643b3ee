import type { Command } from '../command.ts';
import { checkOptions, LENDING_OPTIONS } from '../live/live-arguments.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  ...LENDING_OPTIONS,
  own: { type: 'boolean', help: 'start a browser even if one is lent already' },
} as const satisfies Options;

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

${optionLines(OPTIONS)}

It ends when its standard input closes, and closes its browser.

Example:
  drawbridge connect claude --write`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    checkOptions(values, positionals);
    const { serveMcp } = await import('./mcp-session.ts');
    return serveMcp(values, terminal);
  },
};
