import { existsSync } from 'node:fs';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { locationWords, readLocation } from './ledger-location.ts';

const OPTIONS = {
  json: { type: 'boolean', help: 'one line of JSON' },
} as const satisfies Options;

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'check a ledger from its first row to its last',
  help: `drawbridge ledger verify [PLACE]

Reads a whole ledger, even while relays use it, and checks each
event's hash and its link to the event before, and what a relay
checks at its start. The first damage is named, and the exit
code is 1.

  PLACE           a data folder (DRAWBRIDGE_HOME, or
                  ~/.drawbridge, unless given), a ledger.db, or
                  postgres://user@host:port/database, with its
                  password in PGPASSWORD
${optionLines(OPTIONS)}

Example:
  drawbridge ledger verify ~/backups/today`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 1) throw new UsageError(`Unexpected argument "${positionals[1]}".`);
    const location = readLocation('PLACE', positionals[0] ?? (await openDataFolder(undefined)).path);
    const { isPostgresUrl, verifyLedger } = await import('@drawbridge/ledger');
    if (!isPostgresUrl(location) && !existsSync(location))
      throw new Error(`There is no ledger at ${location}.`);
    const report = await verifyLedger(location);
    const { sessions, events, damage } = report;
    if (values.json === true) terminal.print(JSON.stringify(report));
    else if (damage === undefined) {
      terminal.print(
        `${locationWords(location)} is whole: ${counted(sessions, 'session')}, ${counted(events, 'event')}.`,
      );
    } else {
      terminal.printError(
        `${damage.where}: ${damage.problem.replace(/\.$/, '')}. Stop the relay. Then restore a backup, or: drawbridge ledger repair`,
      );
    }
    return damage === undefined ? 0 : 1;
  },
};
