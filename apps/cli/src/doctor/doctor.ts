import { type Command, UsageError } from '../command.ts';
import { readLiveArguments, readPort } from '../live/live-arguments.ts';
import { counted } from '../map/paint.ts';
import { DEFAULT_PORT } from '../relay/reach.ts';
import { findingLines } from './finding.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'check every part, and say what to do',
  help: `drawbridge doctor [--data DIR] [--no-browser]

Looks at Node, the folder with what is yours, the disk, the
ledger, the relay, its certificate, clock and model, the tabs
and agents it has, the extension and the browser. One line
each; below it, what to do. It changes nothing. The exit code
is 1 if something is wrong.

  --no-browser  do not try to start Chromium
  --port PORT   where the relay would listen (${DEFAULT_PORT})
  --data DIR    Drawbridge's folder (DRAWBRIDGE_HOME, else
                ~/.drawbridge)
  --json        {"about","status","what","fix"} a line, with a
                status of ok, note or bad

Coding agents have a doctor of their own: drawbridge proxy
doctor.

Example:
  drawbridge doctor`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, {
      data: { type: 'string' },
      port: { type: 'string' },
      'no-browser': { type: 'boolean' },
      json: { type: 'boolean' },
    });
    if (positionals.length > 0) throw new UsageError(`What is "${positionals[0]}"?`);
    const port = readPort(values.port ?? DEFAULT_PORT);
    const { diagnose } = await import('./diagnosis.ts');
    let wrong = 0;
    const wishes = { data: values.data, port, browser: values['no-browser'] !== true, now: Date.now };
    for await (const finding of diagnose(wishes)) {
      if (finding.status === 'bad') wrong += 1;
      if (values.json === true) terminal.print(JSON.stringify(finding));
      else for (const line of findingLines(finding, terminal)) terminal.print(line);
    }
    if (values.json !== true)
      terminal.print(wrong === 0 ? '\nNothing is wrong.' : `\n${counted(wrong, 'thing')} to put right.`);
    return wrong === 0 ? 0 : 1;
  },
};
