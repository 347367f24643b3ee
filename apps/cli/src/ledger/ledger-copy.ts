import type { CopyProgress, LedgerCopy } from '@drawbridge/ledger';
import { type Command, type Terminal, UsageError } from '../command.ts';
import { counted } from '../map/paint.ts';
import { type Options, optionLines, readOptions } from '../options.ts';
import { locationWords, readLocation } from './ledger-location.ts';

const OPTIONS = {
  from: {
    type: 'string',
    value: 'PLACE',
    help: 'a data folder, a ledger.db in it, or postgres://user@host:port/database, with its password in PGPASSWORD',
  },
  to: { type: 'string', value: 'PLACE', help: 'the same; a new file, or an empty database' },
  json: { type: 'boolean', help: 'one line of JSON at the end' },
} as const satisfies Options;

export const ledgerCopy: Command = {
  name: 'ledger copy',
  summary: 'move the ledger from a file to PostgreSQL, or back',
  help: `drawbridge ledger copy --from PLACE --to PLACE

Copies every row as it is, under the same epoch, so that every
device continues where it was. Then checks the copy's hash
chains against the original. Stop the relays first: a ledger
in use is refused. Nothing is overwritten, and the original
stays as it is.

${optionLines(OPTIONS)}

Files that people sent are not in the ledger: copy the other
files of the data folder yourself.

Example:
  drawbridge ledger copy --from ~/.drawbridge --to postgres://db/drawbridge`,

  async run(args, terminal) {
    const { values, positionals } = readOptions(args, OPTIONS);
    if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
    const from = readLocation('--from', values.from);
    const to = readLocation('--to', values.to);
    if (from === to) throw new UsageError('--from and --to are the same.');
    const { copyLedger } = await import('@drawbridge/ledger');
    const copy = await copyLedger(from, to, showProgress(terminal));
    terminal.write?.('\r\u001b[K');
    if (values.json === true)
      terminal.print(JSON.stringify({ from: locationWords(from), to: locationWords(to), ...copy }));
    else for (const line of summary(copy, from, to)) terminal.print(line);
    return 0;
  },
};

/** Status line in an interactive terminal. */
const showProgress =
  ({ write }: Terminal) =>
  ({ table, rows }: CopyProgress): void =>
    write?.(`\r\u001b[K${table.replace('_', ' ')}: ${rows}`);

function summary({ rows }: LedgerCopy, from: string, to: string): readonly string[] {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const parts = [
    counted(rows.sessions, 'session'),
    counted(rows.events, 'event'),
    counted(rows.messages, 'message'),
  ];
  return [
    `${locationWords(to)} has it all: ${parts.join(', ')}, ${counted(rows.devices, 'device')}; ${counted(all, 'row')} in all.`,
    'Every hash chain is whole and ends as the original does.',
    `${locationWords(from)} is as it was. Start relays on one of the two only: they have the same epoch.`,
  ];
}
