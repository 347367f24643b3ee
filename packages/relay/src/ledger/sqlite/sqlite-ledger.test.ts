import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { describeLedger } from '../ledger.suite.ts';
import { openSqliteLedger } from './sqlite-ledger.ts';

// Each starts a thread and waits for the disk, which others may be using.
vi.setConfig({ testTimeout: 30_000 });

describeLedger('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-ledger-'));
  return {
    open: () => openSqliteLedger({ path: join(folder, 'ledger.db') }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});
