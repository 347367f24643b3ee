import { existsSync } from 'node:fs';
import type { LedgerRepair } from '@drawbridge/ledger';
import { type Command, UsageError } from '../command.ts';
import { openDataFolder } from '../live/data-folder.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { readLocation } from './ledger-location.ts';

const OPTIONS = {
  json: { type: 'boolean', help: 'one line of JSON' },
} as const satisfies Options;

export const ledgerRepair: Command = {
  name: 'ledger repair',
  summary: 'save what is whole of a damaged ledger',
  help: `drawbridge ledger repair [PLACE]

Copies every intact row of a damaged ledger into a new file,
keeps each session's longest whole run of events, starts a new
epoch, and lists the losses. The damaged file stays beside the
new one. Stop the relay first. A whole ledger is not changed.
A backup is better: it has lost nothing up to its own time.

Needs free space of twice the ledger. For PostgreSQL, restore
a backup of the database.

  PLACE           a data folder (DRAWBRIDGE_HOME, or
                  ~/.drawbridge, unless given), or a ledger.db
${optionLines(OPTIONS)}

Example:
  drawbridge ledger repair`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 1) throw new UsageError(`Unexpected argument "${positionals[1]}".`);
    const location = readLocation('PLACE', positionals[0] ?? (await openDataFolder(undefined)).path);
    const { isPostgresUrl, repairSqliteFile } = await import('@drawbridge/ledger');
    if (isPostgresUrl(location))
      throw new UsageError('Only a ledger in a file can be repaired. Restore a backup of the database.');
    if (!existsSync(location)) throw new Error(`There is no ledger at ${location}.`);
    const repair = repairSqliteFile(location, Date.now());
    if (values.json === true) terminal.print(JSON.stringify(repair ?? { damage: null }));
    else if (repair === undefined) terminal.print(`${location} is whole. Nothing was changed.`);
    else for (const line of summary(repair, location)) terminal.print(line);
    return 0;
  },
};

function summary(
  { sessions, events, kept, lost, missingCommits }: LedgerRepair,
  location: string,
): readonly string[] {
  const losses = lost.map((part) =>
    'table' in part
      ? `  ${part.table}: ${counted(part.rows, 'damaged row')}${part.unreadable ? ', and rows that cannot be read' : ''}`
      : `  session ${part.session_id}: events ${part.from} to ${part.through}`,
  );
  if (missingCommits === null)
    losses.unshift('  perhaps the latest commits: the file that counts them is gone');
  else if (missingCommits > 0)
    losses.unshift(`  ${counted(missingCommits, 'acknowledged commit')}, the latest ones`);
  return [
    `${location} is whole again: ${counted(sessions, 'session')}, ${counted(events, 'event')}.`,
    ...(losses.length > 0 ? ['Lost:', ...losses] : ['No row is known to be lost.']),
    `The damaged file is ${kept}.`,
    'The new epoch makes devices load their conversations again.',
  ];
}
