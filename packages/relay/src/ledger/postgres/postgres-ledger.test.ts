import { describeLedger } from '../ledger.suite.ts';
import { postgresHarness } from './postgres-harness.suite.ts';
import { openPostgresLedger } from './postgres-ledger.ts';

const harness = postgresHarness();

describeLedger('PostgreSQL', async () => {
  const { url, giveBack } = await harness.borrowLedger();
  return { open: () => openPostgresLedger({ url }), remove: giveBack };
});
