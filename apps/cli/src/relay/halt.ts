import type { HaltReport, NamedSession } from '@drawbridge/protocol/http';
import { plainText } from '../ask/plain-text.ts';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';

const OPTIONS = {
  data: { type: 'string', value: 'DIR', help: 'data folder (DRAWBRIDGE_HOME, or ~/.drawbridge)' },
  json: { type: 'boolean', help: '{"interrupted","idle","failed","calls_cancelled"}' },
} as const satisfies Options;

export const halt: Command = {
  name: 'halt',
  summary: 'stop everything: agents, calls, permissions',
  help: `drawbridge halt [--data DIR]

Stops everything: interrupts every connected agent, ends every
call in a browser, and revokes all permissions in the relay's
own browser, even permanent ones. The relay keeps running, and
agents must ask again.

${optionLines(OPTIONS)}

The exit code is 1 if something did not stop.

Example:
  drawbridge halt`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const folder = await openDataFolder(values.data);
    const { openRunningRelay } = await import('./local-relay.ts');
    const relay = await openRunningRelay(folder.path, { onWaiting: terminal.printError });
    const halted = await relay.call('POST /api/halt');
    if (values.json === true) terminal.print(JSON.stringify(halted));
    else for (const line of haltLines(halted)) terminal.print(line);
    return halted.failed.length === 0 ? 0 : 1;
  },
};

export function haltLines({ interrupted, idle, failed, calls_cancelled }: HaltReport): readonly string[] {
  return [
    `${counted(interrupted.length, 'agent')} interrupted, ${counted(calls_cancelled, 'call')} cancelled.`,
    ...interrupted.map((agent) => `  ${nameOf(agent)}`),
    ...(idle.length > 0
      ? [`${counted(idle.length, 'agent')} ${idle.length === 1 ? 'was' : 'were'} idle.`]
      : []),
    ...(failed.length > 0 ? ['Did not stop:'] : []),
    ...failed.map((each) => `  ${nameOf(each)}: ${plainText(each.reason, MAX_REASON)}`),
    ...AFTERWARDS,
  ];
}

const AFTERWARDS = [
  'The agents’ permissions are revoked. To give them back, open Tabs in the web app',
  'and press "Let agents read and act here".',
];

const MAX_NAME = 50;
const MAX_REASON = 200;

/** Foreign text. */
const nameOf = ({ name }: Pick<NamedSession, 'name'>): string => plainText(name, MAX_NAME);
