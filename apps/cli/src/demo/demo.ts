import { type Command, UsageError } from '../command.ts';
import { readLiveArguments } from '../live/live-arguments.ts';

export const demo: Command = {
  name: 'demo',
  summary: 'see all of it in ninety seconds, without a model',
  help: `drawbridge demo [--window] [--host ADDRESS]
drawbridge demo --auto [--fast] [--json]

Plays a story on a demo shop of its own: an agent buys a lamp
and asks you for the payment, a task is done and replayed
without a model, and a coding agent is steered from afar. Open
the link that it prints, and decide there.

It uses a folder of its own that is removed at the end, and
touches nothing of yours. Ctrl-C ends it at any time.

  --window        show the browser that the agent acts in
  --host ADDRESS  where to listen, this machine only unless
                  given; 0.0.0.0 lets your phone in, by TLS
  --auto          nobody is asked: it allows everything itself,
                  and ends when the story does
  --fast          without pauses to read in
  --keep          keep its folder
  --json          one JSON object a line, first
                  {"event":"ready","url","pair_url","data"}

Example:
  drawbridge demo --host 0.0.0.0`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      window: { type: 'boolean' },
      host: { type: 'string' },
      auto: { type: 'boolean' },
      fast: { type: 'boolean' },
      keep: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0) throw new UsageError(`What is "${positionals[0]}"?`);
    const { window = false, host = '127.0.0.1', auto = false, fast = false, keep = false } = values;
    const { runDemo } = await import('./demo-run.ts');
    return runDemo({ window, host, auto, fast, keep, json: values.json === true }, terminal);
  },
};
