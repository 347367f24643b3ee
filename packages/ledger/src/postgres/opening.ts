import { LedgerError } from '../ledger-error.ts';
import { type Row, text } from '../rows/row.ts';
import { migrate } from './migrations.ts';
import { ledgerError } from './postgres-error.ts';
import { openWire, type WireOptions } from './wire.ts';

const OLDEST_VERSION = 150_000;
const SETTINGS = `SELECT current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS server_encoding,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes`;

/** Creates the ledger in that database if missing, migrates it, and returns its epoch. */
export async function prepareDatabase(options: WireOptions): Promise<string> {
  const wire = openWire({ ...options, connections: 1 });
  try {
    const [settings = {}] = await wire.ask(SETTINGS);
    confirmUsable(settings);
    await migrate(wire.client());
    const [birth = {}] = await wire.ask('SELECT epoch FROM birth');
    await wire.ask("DELETE FROM lanes WHERE at < now() - interval '1 day'");
    return text(birth, 'epoch');
  } catch (error) {
    throw ledgerError(error);
  } finally {
    await wire.close();
  }
}

/** CHT-138: checks the settings that the database reports, not those that were requested. */
export function confirmUsable(settings: Row): void {
  const { version, server_encoding, synchronous_commit, fsync, full_page_writes } = settings;
  if (typeof version !== 'number' || version < OLDEST_VERSION) {
    throw new LedgerError('ledger_invalid', 'The ledger needs PostgreSQL 15 or later. Upgrade the server.');
  }
  if (server_encoding !== 'UTF8') {
    throw new LedgerError(
      'ledger_invalid',
      `The database has the encoding ${server_encoding}. Create one with ENCODING 'UTF8'.`,
    );
  }
  const isSynchronous = synchronous_commit === 'on' || synchronous_commit === 'remote_apply';
  if (isSynchronous && fsync === 'on' && full_page_writes === 'on') return;
  throw new LedgerError(
    'ledger_unsafe',
    `The database does not confirm full synchronous writes (synchronous_commit=${synchronous_commit}, fsync=${fsync}, full_page_writes=${full_page_writes}), so an accepted message could be lost. Set all three to on, for the server, the database and the user.`,
  );
}
