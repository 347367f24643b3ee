import { type Command, UsageError } from '../command.ts';
import { readPort } from '../live/live-arguments.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { DEFAULT_PORT } from '../relay/reach.ts';
import { findingLines } from './finding.ts';

const OPTIONS = {
  'no-browser': { type: 'boolean', help: 'do not try to start Chromium' },
  port: { type: 'string', value: 'PORT', help: `where the relay would listen (${DEFAULT_PORT})` },
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: {
    type: 'boolean',
    help: '{"about","status","what","fix"} per line, with a\nstatus of ok, note or bad',
  },
} as const satisfies Options;

export const doctor: Command = {
  name: 'doctor',
  summary: 'check every part, and suggest fixes',
  help: `drawbridge doctor [--data DIR] [--no-browser]

Checks Node, the data folder, the disk, stored messages, the relay,
its certificate, clock and model, its tabs and agents, the
extension and the browser: one line each, and below it how to
fix it. Changes nothing. The exit code is 1 if something is
wrong.

${optionLines(OPTIONS)}

For coding agents, see drawbridge proxy doctor.

Example:
  drawbridge doctor`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const port = readPort(values.port ?? DEFAULT_PORT);
    const { diagnose } = await import('./diagnosis.ts');
    let wrong = 0;
    const options = { data: values.data, port, browser: values['no-browser'] !== true, now: Date.now };
    for await (const finding of diagnose(options)) {
      if (finding.status === 'bad') wrong += 1;
      if (values.json === true) terminal.print(JSON.stringify(finding));
      else for (const line of findingLines(finding, terminal)) terminal.print(line);
    }
    if (values.json !== true)
      terminal.print(wrong === 0 ? '\nNothing is wrong.' : `\n${counted(wrong, 'thing')} to put right.`);
    return wrong === 0 ? 0 : 1;
  },
};
