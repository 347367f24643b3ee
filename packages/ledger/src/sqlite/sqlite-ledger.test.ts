import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLedger } from '../../test/ledger.contract.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

describeLedger('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-ledger-'));
  return {
    open: () => openSqliteLedger({ path: join(folder, 'ledger.db') }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});
