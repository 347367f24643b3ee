import { vi } from 'vitest';
import { describeLedger } from '../ledger.suite.ts';
import { postgresGround } from './ground.suite.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

// Each makes a database and waits for the disk, which others may be using.
vi.setConfig({ testTimeout: 60_000 });

const ground = postgresGround();

describeLedger('PostgreSQL', async () => {
  const { url, giveBack } = await ground.borrowLedger();
  return { open: () => openPostgresLedger({ url }), remove: giveBack };
});
