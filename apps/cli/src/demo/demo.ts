import { type Command, UsageError } from '../command.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  window: { type: 'boolean', help: 'show the browser that the agent acts in' },
  host: {
    type: 'string',
    value: 'ADDRESS',
    help: 'where to listen, this machine only unless given; 0.0.0.0 lets your phone connect',
  },
  auto: { type: 'boolean', help: 'allow everything without asking, and end when the story does' },
  fast: { type: 'boolean', help: 'no pauses for reading' },
  keep: { type: 'boolean', help: 'keep its folder' },
  json: {
    type: 'boolean',
    help: 'one JSON object per line, first\n{"event":"ready","url","pair_url","data"}',
  },
} as const satisfies Options;

export const demo: Command = {
  name: 'demo',
  summary: 'see it all in under three minutes, without a model',
  help: `drawbridge demo [--window] [--host ADDRESS]
drawbridge demo --auto [--fast] [--json]

Plays a story in a demo shop: an agent buys a lamp and asks you
before it pays, a task runs and is replayed without a model,
and a coding agent is steered remotely. Open the link that it
prints, and decide there.

It uses a temporary folder and touches none of your data.
Press Ctrl-C to stop it at any time.

${optionLines(OPTIONS)}

Example:
  drawbridge demo --host 0.0.0.0`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const { window = false, host = '127.0.0.1', auto = false, fast = false, keep = false } = values;
    const { runDemo } = await import('./demo-run.ts');
    return runDemo({ window, host, auto, fast, keep, json: values.json === true }, terminal);
  },
};
