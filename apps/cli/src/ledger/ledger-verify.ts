import { existsSync } from 'node:fs';
import { type Command, UsageError } from '../command.ts';
import { readLiveArguments } from '../live/live-arguments.ts';
import { counted } from '../map/paint.ts';
import { placeWords, readPlace } from './ledger-place.ts';

export const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'walk the hash chains of a ledger, and name what is broken',
  help: `drawbridge ledger verify PLACE

Reads all of a ledger, beside the relays that use it, and checks
each event against its hash and the one before it. Exit code 1
names the first row that is not as it was written.

  PLACE           a relay's folder, a ledger.db in it, or
                  postgres://user:password@host:port/database
  --json          one line of JSON

Example:
  drawbridge ledger verify ~/.drawbridge`,

  async run(args, terminal) {
    const { values, positionals } = readLiveArguments(args, { json: { type: 'boolean' } });
    if (positionals.length > 1) throw new UsageError(`What is "${positionals[1]}"?`);
    const place = readPlace('PLACE', positionals[0]);
    const { isPostgresUrl, verifyLedger } = await import('@drawbridge/relay');
    if (!isPostgresUrl(place) && !existsSync(place)) throw new Error(`There is no ledger at ${place}.`);
    const report = await verifyLedger(place);
    const { sessions, events, damage } = report;
    if (values.json === true) terminal.print(JSON.stringify(report));
    else if (damage === undefined) {
      terminal.print(
        `${placeWords(place)} is whole: ${counted(sessions, 'session')}, ${counted(events, 'event')}.`,
      );
    } else {
      terminal.printError(`${damage.where}: ${damage.problem}. Stop the relay and restore a backup.`);
    }
    return damage === undefined ? 0 : 1;
  },
};
